import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey } from '../src/access/key.js';
import { type Param, searchStatement, statement } from '../src/db/statement.js';
import { SCOPES } from '../src/schema/scope.js';
import { openTestDatabase, type TestDatabase } from './support/database.js';
import { delay } from './support/delay.js';
import { type Network, startNetwork } from './support/network.js';

const isOnServer = process.env.TEST_DATABASE_URL !== undefined;

let fixture: TestDatabase;
beforeAll(async () => {
  fixture = await openTestDatabase({ migrated: false });
  await fixture.db.script('create table locked (n int); create table free (n int); insert into free values (1)');
});
afterAll(() => fixture.drop());

const plain = statement<{ n: number }>('test_slow_read_plain', 'select n from free');
const locked = statement<{ n: number }>('test_slow_read_locked', 'select n from locked');
const deep = statement<{ n: number }>('test_slow_read_deep', 'select $1::int as n, pg_sleep($2)');
const search = searchStatement<{ n: number }>('test_slow_read_search', 'select 1 as n, pg_sleep(2)');

/** Reads the table without a lock again and again until `work` ends. @returns the milliseconds of each read */
const readDuring = async (work: Promise<unknown>): Promise<number[]> => {
  const times: number[] = [];
  let isOver = false;
  const end = work.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const began = performance.now();
    await fixture.db.read(plain, []);
    times.push(performance.now() - began);
    await delay(5);
  }
  await end;
  return times;
};
const locking = async (url: string, table: string): Promise<() => Promise<void>> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`begin; lock table ${table} in access exclusive mode`);
  return async () => {
    await client.query('rollback');
    await client.end();
  };
};
const countLong = (times: readonly number[], ms: number): number => times.filter((one) => one > ms).length;

test.runIf(isOnServer)('reads of a locked table wait for its lock, and hold up no other read', async () => {
  const { db } = fixture;
  const unlock = await locking(fixture.url as string, 'locked');
  const blocked = Array.from({ length: 12 }, () => db.read(locked, []).catch((error: { code?: string }) => error.code));
  // Behind the blocked statements on each shared connection.
  const times = await readDuring(delay(1_000));
  await unlock();
  const outcomes = await Promise.all(blocked);
  // All that waited for a connection and the lock for less than five seconds got their rows.
  expect(outcomes).toEqual(Array(12).fill([]));
  // Each of the shared connections gave the statement up a few times at once, at the beginning only.
  expect(times.length).toBeGreaterThan(20);
  expect(countLong(times, 500)).toBeLessThanOrEqual(1);
  expect(await db.read(locked, [])).toEqual([]);
});

test.runIf(isOnServer)('a read that waits for a lock too long fails by itself', async () => {
  const unlock = await locking(fixture.url as string, 'locked');
  await expect(fixture.db.read(locked, [])).rejects.toMatchObject({ code: '55P03' });
  await unlock();
  expect(await fixture.db.read(locked, [])).toEqual([]);
});

test.runIf(isOnServer)(
  'reads that take long run apart and return their rows; others are as fast as before',
  async () => {
    const params: Param[] = [7, 1];
    const slow = Array.from({ length: 10 }, (_, index) =>
      fixture.db.read(index % 2 ? deep : search, index % 2 ? params : []),
    );
    const times = await readDuring(Promise.allSettled(slow));
    const outcomes = await Promise.allSettled(slow);
    const rows = outcomes.map((one) => (one.status === 'fulfilled' ? one.value : undefined));
    expect(rows.filter((_, index) => index % 2)).toEqual(Array(5).fill([expect.objectContaining({ n: 7 })]));
    expect(times.length).toBeGreaterThan(20);
    // A shared connection waits for the first executions of a statement, of which it does not know yet that it is slow.
    expect(countLong(times, 200)).toBeLessThanOrEqual(4);
    // Now it is known: nothing waits.
    const again = await readDuring(fixture.db.read(deep, params));
    expect(again.length).toBeGreaterThan(20);
  },
);

test.runIf(isOnServer)('a lock on a table delays no request that reads others, and ends in a 503', async () => {
  const network: Network = await startNetwork();
  const { url } = network.config.database as { url: { reveal(): string } };
  const unlock = await locking(url.reveal(), 'channel');
  // Three have a connection; the interface lists no 503 for this operation, so the answers are not held against it.
  const blocked = Array.from({ length: 3 }, (_, index) =>
    fetch(`${network.url}/v2/social/channel/list/?limit=${index + 1}`, { headers: { 'x-api-key': network.apiKey } }),
  );
  let isOver = false;
  const end = Promise.all(blocked).finally(() => {
    isOver = true;
  });
  const statuses: number[] = [];
  for (let fid = 1; !isOver || statuses.length < 5; fid++) {
    statuses.push((await network.get(`/v2/social/user/bulk/?fids=${fid}`)).status);
    await delay(20);
  }
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(statuses.length).toBeGreaterThan(20);
  expect((await end).map(({ status }) => status)).toEqual(Array(3).fill(503));
  await unlock();
  expect((await network.get('/v2/social/channel/list/?limit=5')).status).toBe(200);
  await network.stop();
});

test.runIf(isOnServer)('a key that is looked up during a lock waits for no reads of other locked tables', async () => {
  const network: Network = await startNetwork();
  const { db } = network.app.core;
  const { url } = network.config.database as { url: { reveal(): string } };
  const { secret } = await createKey(db, { name: 'test', scopes: SCOPES, now: new Date() });
  const unlockChannels = await locking(url.reveal(), 'channel');
  let answered = 0;
  const blocked = Array.from({ length: 6 }, async (_, index) => {
    await fetch(`${network.url}/v2/social/channel/list/?limit=${index + 1}`, {
      headers: { 'x-api-key': network.apiKey },
    });
    answered++;
  });
  const waiting = () =>
    db.run(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
  // As many as may wait for a lock at once.
  await expect.poll(async () => (await waiting()).length).toBe(3);
  const unlockKeys = await locking(url.reveal(), 'api_key');
  const looking = fetch(`${network.url}/v2/social/user/bulk/?fids=1`, { headers: { 'x-api-key': secret } });
  await delay(200);
  await unlockKeys();
  expect((await looking).status).toBe(200);
  expect(answered).toBe(0);
  await unlockChannels();
  await Promise.all(blocked);
  await network.stop();
});
