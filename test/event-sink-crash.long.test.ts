import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
import { NatsServer } from './support/nats.js';
import { hasNats } from './support/nats-path.js';

/** A run by hand may set more: CASTELLAN_TEST_EVENTS=50000 CASTELLAN_TEST_KILLS=50. */
const EVENTS = Number(process.env.CASTELLAN_TEST_EVENTS ?? 3_000);
/** Of the service; the broker is killed as often. */
const KILLS = Number(process.env.CASTELLAN_TEST_KILLS ?? 2);
const PEOPLE = 20;
const THE_END = 'This is the last cast.';

const people = Array.from({ length: PEOPLE }, (_, index) =>
  author({ seed: 'sink', fid: 31 + index, clock: createClock(fromUnixMs(Date.now()) - 7_200 - EVENTS / PEOPLE) }),
);
let folder: string;
let database: TestDatabase | undefined;
let environment: Record<string, string>;
let hub: FakeHub;
let nats: NatsServer;
const running = new Set<ChildProcess>();

describe.runIf(hasNats)('events for a broker', () => {
  beforeAll(async () => {
    await buildProgram();
    hub = new FakeHub([1]);
    await hub.start();
    nats = await NatsServer.make();
    await nats.start();
    folder = await mkdtemp(join(tmpdir(), 'castellan-sink-'));
    if (process.env.TEST_DATABASE_URL !== undefined) database = await openTestDatabase();
    environment = {
      PATH: process.env.PATH ?? '',
      CASTELLAN_DATA_DIR: folder,
      CASTELLAN_MASTER_KEY: randomBytes(32).toString('hex'),
      CASTELLAN_API_KEY: randomBytes(24).toString('hex'),
      CASTELLAN_LOCAL_CHAIN: 'off',
      CASTELLAN_METRICS_PORT: String(await freePort()),
      CASTELLAN_HUB_URL: hub.address.address,
      CASTELLAN_HUB_NETWORK: 'devnet',
      CASTELLAN_EVENT_SINK: nats.url,
      PORT: String(await freePort()),
      ...(database?.url === undefined ? {} : { DATABASE_URL: database.url }),
    };
  });
  afterAll(async () => {
    for (const child of running) child.kill('SIGKILL');
    hub.stop();
    await nats.stop();
    await database?.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const serve = async (): Promise<ChildProcess> => {
    const file = fileURLToPath(new URL('support/event-service-child.mjs', import.meta.url));
    const args = [file, String(Date.now()), '1'];
    const child = spawn(process.execPath, args, { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
    running.add(child);
    child.once('exit', () => running.delete(child));
    await Promise.race([
      once(child.stdout, 'data'),
      once(child, 'exit').then(() => Promise.reject(new Error('the service ended before it was ready'))),
    ]);
    return child;
  };
  const end = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  const messageCount = async (): Promise<number> => (await nats.info()).state.messages;

  test(
    `none is lost and none comes twice when service and broker are killed ${KILLS} times each`,
    async () => {
      for (const person of people) hub.say(...(await registration(person)));
      let service = await serve();
      // What is read before is history, of which nobody is told.
      await until(async () => {
        const url = `http://127.0.0.1:${environment.PORT}`;
        const headers = { 'x-api-key': environment.CASTELLAN_API_KEY as string };
        const info = await fetch(`${url}/v1/info?dbstats=0`, { headers });
        expect(await info.json()).toMatchObject({ isSyncing: false });
        const users = await fetch(`${url}/v2/social/user/bulk/?fids=${people.map(({ fid }) => fid)}`, { headers });
        expect(((await users.json()) as { users: unknown[] }).users).toHaveLength(PEOPLE);
        expect(await messageCount()).toBeGreaterThanOrEqual(0);
      });
      const cast = (person: Author, n: number) => person.cast({ text: `cast ${n} of ${person.fid}` });
      let said = 0;
      for (let part = 0; part <= KILLS; part += 1) {
        const most = Math.round((EVENTS * (part + 1)) / (KILLS + 1));
        const before = await messageCount();
        const killAfter = randomInt(1, Math.max(2, Math.round(EVENTS / (KILLS + 1) / 2)));
        while (said < most) {
          hub.say(...people.map((person, index) => cast(person, said + index)));
          said += PEOPLE;
        }
        if (part === KILLS) break;
        // While the broker stores them.
        await until(async () => expect(await messageCount()).toBeGreaterThan(before + killAfter));
        await end(service, 'SIGKILL');
        service = await serve();
        await until(async () => expect(await messageCount()).toBeGreaterThan(before + killAfter * 1.5));
        await nats.kill('SIGKILL');
        await nats.start();
      }
      hub.say((people[0] as Author).cast({ text: THE_END }));
      await until(async () => expect(await nats.last()).toContain(THE_END), 120_000);
      await end(service, 'SIGTERM');

      const db = await openDatabase(loadStoreConfig(environment));
      try {
        const [first] = await db.run<{ id: number }>('select min(id)::integer as id from hub_event where type > 0');
        const rows = await selectEventLog(db, (first?.id ?? 0) - 1, 10_000_000);
        const failures: unknown[] = [];
        const logged = decodeLog(rows, (_what, error) => failures.push(error));
        expect(failures).toEqual([]);
        const messages = await nats.messages();
        const sent = messages.map(({ body }) => body.id);
        // The first start begins at the end of the log, so what was read before is not sent.
        const wanted = logged.map(eventId);
        expect(sent).toEqual(wanted.slice(wanted.indexOf(sent[0])));
        expect(sent.length).toBeGreaterThan(0.9 * EVENTS);
        // Sequences have no gaps, so nothing was dropped by the limits of the stream.
        expect(messages.at(-1)?.sequence).toBe(messages.length);
      } finally {
        await db.close();
      }
    },
    300_000 + KILLS * 40_000 + EVENTS * 30,
  );
});
