import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadStoreConfig } from '../src/config/config.js';
import { openDatabase } from '../src/db/open-database.js';
import type { Signed } from '../src/sample/signed-message.js';
import { buildProgram, type Castellan, freePort, startCastellan } from './support/castellan.js';
import { openTestDatabase, type TestDatabase } from './support/database.js';
import { FakeHub } from './support/fake-hub.js';
import { authors, expectSame, hubHashes, registration, until } from './support/hub-fixture.js';

/** How often the service is killed; `CASTELLAN_TEST_KILLS` sets more for a run by hand. */
const KILLS = Number(process.env.CASTELLAN_TEST_KILLS ?? 8);

let dataDir: string;
let database: TestDatabase | undefined;
let environment: Record<string, string>;
let hub: FakeHub;
const people = authors(31, 32, 33, 34, 35);

beforeAll(async () => {
  await buildProgram();
  hub = new FakeHub([1]);
  await hub.start();
  dataDir = await mkdtemp(join(tmpdir(), 'castellan-crash-'));
  if (process.env.TEST_DATABASE_URL !== undefined) database = await openTestDatabase();
  environment = {
    CASTELLAN_DATA_DIR: dataDir,
    CASTELLAN_MASTER_KEY: randomBytes(32).toString('hex'),
    CASTELLAN_API_KEY: randomBytes(24).toString('hex'),
    PORT: String(await freePort()),
    CASTELLAN_METRICS_PORT: String(await freePort()),
    PUBLIC_URL: 'http://127.0.0.1',
    CASTELLAN_HUB_URL: hub.address.address,
    CASTELLAN_HUB_NETWORK: 'devnet',
    CASTELLAN_LOG_LEVEL: 'error',
    ...(database?.url === undefined ? {} : { DATABASE_URL: database.url }),
  };
});
afterAll(async () => {
  hub.stop();
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const pick = <Item>(items: readonly Item[]): Item => items[randomInt(items.length)] as Item;

/** A handful of messages: casts, replies, likes and follows, some of which are taken back. */
const randomMessages = (casts: Signed[]): Signed[] => {
  const messages: Signed[] = [];
  for (let n = 0; n < 12; n++) {
    const person = pick(people);
    const other = pick(people);
    const cast = person.cast(
      casts.length > 0 && n % 2 === 0 ? { text: `reply ${n}`, parent: pick(casts) } : { text: `cast ${n}` },
    );
    casts.push(cast);
    messages.push(cast, other.react('like', pick(casts)), other.unreact('like', pick(casts)));
    messages.push(n % 3 === 0 ? person.unfollow(other.fid) : person.follow(other.fid));
  }
  const removed = pick(casts);
  messages.push((people.find(({ fid }) => fid === removed.fid) as (typeof people)[0]).removeCast(removed.hash));
  return messages;
};

/** Publishes messages through the hub until `over` resolves. */
const writeUntil = async (over: Promise<unknown>, casts: Signed[]): Promise<void> => {
  let isOver = false;
  void over.then(() => {
    isOver = true;
  });
  while (!isOver) {
    hub.say(...randomMessages(casts));
    await wait(25);
  }
};

test(
  `killed ${KILLS} times during ingest, the service loses no message, stores none twice and counts correctly`,
  async () => {
    for (const person of people) hub.say(...(await registration(person)));
    const casts: Signed[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      const listening = hub.listeners;
      const service = startCastellan(['serve'], environment);
      await until(() => expect(hub.listeners).toBeGreaterThan(listening), 60_000);
      await writeUntil(wait(randomInt(0, 600)), casts);
      service.child.kill('SIGKILL');
      await once(service.child, 'exit');
      await until(() => expect(hub.listeners).toBe(0));
    }
    const last: Castellan = startCastellan(['serve'], environment);
    const countStored = async (): Promise<number> => {
      const headers = { 'x-api-key': environment.CASTELLAN_API_KEY as string };
      let count = 0;
      for (const { fid } of people) {
        const url = `http://127.0.0.1:${environment.PORT}/v1/castsByFid?fid=${fid}&pageSize=1000`;
        const { messages } = (await (await fetch(url, { headers })).json()) as { messages: unknown[] };
        count += messages.length;
      }
      return count;
    };
    const wanted = hub.state.all().filter(({ decoded }) => decoded.data.castAddBody).length;
    await until(async () => expect(await countStored()).toBe(wanted), 60_000);
    await wait(500);
    last.child.kill('SIGTERM');
    expect((await last.ended).code).toBe(0);
    const db = await openDatabase(loadStoreConfig(environment));
    try {
      await expectSame(db, hub);
    } finally {
      await db.close();
    }
    expect(hubHashes(hub).length).toBeGreaterThan(25 * KILLS);
  },
  120_000 + KILLS * 30_000,
);
