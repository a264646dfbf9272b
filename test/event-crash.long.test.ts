import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadStoreConfig } from '../src/config/config.js';
import { openDatabase } from '../src/db/open-database.js';
import { decodeLog } from '../src/event/log.js';
import { eventId } from '../src/event/position.js';
import { fromUnixMs } from '../src/protocol/time.js';
import { type Author, author } from '../src/sample/author.js';
import { createClock } from '../src/sample/clock.js';
import { selectEventLog } from '../src/store/hub/event.js';
import { buildProgram, freePort } from './support/castellan.js';
import { openTestDatabase, type TestDatabase } from './support/database.js';
import { FakeHub } from './support/fake-hub.js';
import { registration, until } from './support/hub-fixture.js';
import type { TestResponse } from './support/network.js';

/** A run by hand may set more: CASTELLAN_TEST_EVENTS=100000 CASTELLAN_TEST_KILLS=20 CASTELLAN_TEST_SPEED=30. */
const EVENTS = Number(process.env.CASTELLAN_TEST_EVENTS ?? 1_500);
/** Of the service; the receiver and the reader of the stream are killed half as often each. */
const KILLS = Number(process.env.CASTELLAN_TEST_KILLS ?? 2);
/** Retries after ten seconds and more become 0.2 seconds and more, the day after which they are given up half an hour. */
const SPEED = Number(process.env.CASTELLAN_TEST_SPEED ?? 50);
const BATCH = 50;
const THE_END = 'This is the last cast.';
const TYPES = [
  'cast.created',
  'cast.deleted',
  'follow.created',
  'follow.deleted',
  'reaction.created',
  'reaction.deleted',
];

/** Each has a clock of its own, so that many messages fit between an hour ago and now. */
const people = Array.from({ length: 20 }, (_, index) =>
  author({ seed: 'events', fid: 31 + index, clock: createClock(fromUnixMs(Date.now()) - 7_200 - EVENTS / 10) }),
);
let folder: string;
let database: TestDatabase | undefined;
let environment: Record<string, string>;
let hub: FakeHub;
const running = new Set<ChildProcess>();

beforeAll(async () => {
  await buildProgram();
  hub = new FakeHub([1]);
  await hub.start();
  folder = await mkdtemp(join(tmpdir(), 'castellan-events-'));
  if (process.env.TEST_DATABASE_URL !== undefined) database = await openTestDatabase();
  environment = {
    PATH: process.env.PATH ?? '',
    CASTELLAN_DATA_DIR: folder,
    CASTELLAN_MASTER_KEY: randomBytes(32).toString('hex'),
    CASTELLAN_API_KEY: randomBytes(24).toString('hex'),
    CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true',
    CASTELLAN_LOCAL_CHAIN: 'off',
    CASTELLAN_READY_MAX_LAG_SECONDS: '86400',
    CASTELLAN_METRICS_PORT: String(await freePort()),
    CASTELLAN_HUB_URL: hub.address.address,
    CASTELLAN_HUB_NETWORK: 'devnet',
    PORT: String(await freePort()),
    ...(database?.url === undefined ? {} : { DATABASE_URL: database.url }),
  };
});
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  hub.stop();
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Starts a program of test/support; resolves when it is ready. */
const start = async (name: string, ...args: string[]): Promise<ChildProcess> => {
  const file = fileURLToPath(new URL(`support/${name}.mjs`, import.meta.url));
  const child = spawn(process.execPath, [file, ...args], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
  running.add(child);
  child.once('exit', () => running.delete(child));
  await Promise.race([
    once(child.stdout as NodeJS.ReadableStream, 'data'),
    once(child, 'exit').then(() => Promise.reject(new Error(`${name} ended before it was ready`))),
  ]);
  return child;
};
const end = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
};
const linesOf = async (file: string): Promise<string[]> => (await readFile(file, 'utf8')).split('\n').slice(0, -1);

/** What each person did last, which is taken back next. */
const undo = new Map<Author, () => ReturnType<Author['cast']>>();
const act = (person: Author): ReturnType<Author['cast']> => {
  const taken = undo.get(person);
  undo.delete(person);
  if (taken !== undefined) return taken();
  const other = people[randomInt(people.length)] as Author;
  const kind = randomInt(3);
  if (kind === 0) {
    const cast = person.cast({ text: `cast ${randomInt(1e9)} to nobody` });
    undo.set(person, () => person.removeCast(cast.hash));
    return cast;
  }
  const target = stable.get(other) as ReturnType<Author['cast']>;
  undo.set(person, () => (kind === 1 ? person.unreact('like', target) : person.unfollow(other.fid)));
  return kind === 1 ? person.react('like', target) : person.follow(other.fid);
};
/** A cast of each person that stays, for likes. */
const stable = new Map<Author, ReturnType<Author['cast']>>();

test(
  `webhooks and streams lose nothing when the service is killed ${KILLS} times, and receivers and readers, too`,
  async () => {
    for (const person of people) {
      const cast = person.cast({ text: 'to be liked' });
      stable.set(person, cast);
      hub.say(...(await registration(person)), cast);
    }
    const began = String(Date.now());
    const serve = () => start('event-service-child', began, String(SPEED));
    let service = await serve();
    const url = `http://127.0.0.1:${environment.PORT}`;
    const key = environment.CASTELLAN_API_KEY as string;
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const read = async (path: string) =>
      (await fetch(`${url}${path}`, { headers })).json() as Promise<TestResponse['body']>;
    // What is read before is history, of which nobody is told.
    await until(async () => {
      const { users } = await read(`/v2/social/user/bulk/?fids=${people.map(({ fid }) => fid)}`);
      expect(users).toHaveLength(people.length);
      expect(await read('/v1/info?dbstats=0')).toMatchObject({ isSyncing: false });
    });

    const port = String(await freePort());
    const [deliveryFile, streamFile] = [join(folder, 'deliveries'), join(folder, 'stream')];
    await Promise.all([deliveryFile, streamFile].map((file) => writeFile(file, '')));
    const subscription = Object.fromEntries(TYPES.map((type) => [type, {}]));
    const body = JSON.stringify({ name: 'all', url: `http://127.0.0.1:${port}/`, subscription });
    const made = await fetch(`${url}/v2/social/webhook/`, { method: 'POST', headers, body });
    expect(made.status).toBe(200);
    const receive = () => start('event-receiver-child', port, deliveryFile);
    const follow = () =>
      start('event-client-child', `${url}/v2/social/stream/?types=${TYPES}`, key, streamFile, THE_END);
    let [receiver, reader] = [await receive(), await follow()];

    let said = 0;
    /** What happens while events come in: every restart of something lies in one of the parts. */
    for (let part = 0; part <= KILLS; part += 1) {
      const isLast = part === KILLS;
      const most = Math.round((EVENTS * (part + 1)) / (KILLS + 1));
      const killAt = said + randomInt(most - said);
      let killing: Promise<void> = Promise.resolve();
      while (said < most) {
        hub.say(...Array.from({ length: BATCH }, (_, index) => act(people[(said + index) % people.length] as Author)));
        if (!isLast && said <= killAt && said + BATCH > killAt) {
          killing = (async () => {
            await end(service, 'SIGKILL');
            if (part % 2 === 0) await Promise.all([end(receiver, 'SIGKILL'), end(reader, 'SIGKILL')]);
            service = await serve();
            if (part % 2 === 0) [receiver, reader] = await Promise.all([receive(), follow()]);
          })();
        }
        said += BATCH;
        await wait(50);
      }
      await killing;
    }

    const last = people[0] as Author;
    const readerEnded = reader.exitCode === null ? once(reader, 'exit') : undefined;
    hub.say(last.cast({ text: THE_END }));
    // The stream has told everything; after that the log is complete, too.
    await readerEnded;
    await until(
      async () => {
        const metrics = await (await fetch(`http://127.0.0.1:${environment.CASTELLAN_METRICS_PORT}/metrics`)).text();
        for (const name of ['castellan_event_log_backlog', 'castellan_webhook_waiting']) {
          expect(metrics).toMatch(new RegExp(`^${name} 0$`, 'm'));
        }
      },
      120_000 + 10 * EVENTS,
    );
    await end(service, 'SIGTERM');

    const db = await openDatabase(loadStoreConfig(environment));
    try {
      const rows = await selectEventLog(db, 0, 10_000_000);
      const failures: unknown[] = [];
      const events = decodeLog(rows, (_what, error) => failures.push(error));
      const wanted = events.filter(({ type }) => TYPES.includes(type)).map(eventId);
      expect(failures).toEqual([]);
      // The stream has them in the order of the log, each once.
      expect(await linesOf(streamFile)).toEqual(wanted);

      expect(await db.run("select id from webhook_delivery where state <> 'delivered'")).toEqual([]);
      const webhook = await db.run<{ after: number }>('select after_log_id::integer as after from webhook');
      const after = webhook[0]?.after as number;
      const due = new Set(wanted.filter((id) => Number(id.split('-')[0]) > after));
      const received = (await linesOf(deliveryFile)).map((line) => line.split(' ') as [string, string, string]);
      expect(due.size).toBeGreaterThan(0.9 * EVENTS);
      expect(new Set(received.map(([event]) => event))).toEqual(due);
      // Repetitions have the same delivery id and the same bytes.
      expect(new Set(received.map((line) => line.join(' '))).size).toBe(due.size);
    } finally {
      await db.close();
    }
  },
  300_000 + KILLS * 40_000 + EVENTS * 30,
);
