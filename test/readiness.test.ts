import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DatabaseWatch } from '../src/app/readiness.js';
import type { Param } from '../src/db/statement.js';
import { createLog } from '../src/log.js';
import { keyWith } from './support/app.js';
import { delay } from './support/delay.js';
import { type Network, startNetwork } from './support/network.js';
import { setReadOnly, setRejectingWrites } from './support/read-only.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

/** Milliseconds between two polls of the database. */
const POLL_MS = 200;

let network: Network;
beforeEach(async () => {
  network = await startNetwork({}, undefined, { timings: { databaseMs: POLL_MS } });
});
afterEach(() => network.stop());

const database = () => ({
  db: network.app.core.db,
  url: 'url' in network.config.database ? network.config.database.url.reveal() : undefined,
});
const ready = async () => (await network.get('/health/ready')) as { status: number; body: { checks: unknown } };
const becomes = (status: number, checks: object) =>
  expect.poll(ready, { timeout: 30_000 }).toMatchObject({ status, body: { checks } });

test('a service whose database is read-only serves and says that it is late, until it takes writes again', async () => {
  const fresh = async () => (await network.get('/health/fresh')).status;
  expect([(await ready()).status, await fresh()]).toEqual([200, 200]);
  await setReadOnly(database(), true);
  const writes = { ok: false, still_serves: true, problem: expect.stringContaining('read-only') };
  await becomes(200, { database: { ok: true }, writes });
  expect([(await ready()).body, await fresh()]).toMatchObject([{ status: 'late' }, 503]);
  await setReadOnly(database(), false);
  await becomes(200, { writes: { ok: true } });
  expect(await fresh()).toBe(200);
  const { status, body } = await network.get('/operator/readiness', await keyWith(network, 'operator'));
  expect(status).toBe(200);
  expect(body.failures).toMatchObject([{ check: 'writes', problem: expect.stringContaining('read-only') }]);
  expect(Date.parse(body.failures[0].ended_at)).toBeGreaterThan(Date.parse(body.failures[0].began_at));
  expect((await network.get('/operator/readiness', await keyWith(network, 'read'))).status).toBe(403);
});

test('load alone does not change it: all connections are taken for longer than a check may take', async () => {
  const { db } = database();
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  // Those that wait for a connection in vain are given up by the pool.
  const taken = Array.from({ length: db.kind === 'embedded' ? 1 : 20 }, () =>
    db.transaction(() => held).catch(() => undefined),
  );
  const slowReads = Array.from({ length: db.kind === 'embedded' ? 0 : 9 }, () => db.select('select pg_sleep(3)'));
  const reads = slowReads.map((one) => one.catch(() => undefined));
  // A check may take two seconds.
  const until = performance.now() + 2_500;
  const statuses = new Set<number>();
  while (performance.now() < until) statuses.add((await ready()).status);
  release();
  await Promise.all([...taken, ...reads]);
  expect([...statuses]).toEqual([200]);
});

test.runIf(process.env.TEST_DATABASE_URL)(
  'a database that refuses connections is told, and that it is back',
  async () => {
    const { url } = database();
    await setRejectingWrites(url as string, true);
    await becomes(503, { database: { ok: false } });
    await setRejectingWrites(url as string, false);
    await becomes(200, { database: { ok: true } });
  },
);

test.runIf(process.env.TEST_DATABASE_URL)(
  'a check that the stop of the service cuts short leaves no connection open, which would keep the process alive',
  async () => {
    const { db } = database();
    /** Process ids of the connections whose latest statement is one of a check. */
    const connections = async (): Promise<number[]> => {
      const rows = await db.select<{ pid: number }>(
        `select pid from pg_stat_activity
          where datname = current_database() and query = 'select name from migration order by name'`,
      );
      return rows.map(({ pid }) => pid);
    };
    // The service asks the same on a connection of its own, and something else now and then.
    const own = await vi.waitUntil(async () => (await connections())[0]);
    const probe = db.openProbe();
    let stopped: Promise<void> | undefined;
    const run = async <Row>(text: string, params?: readonly Param[]): Promise<Row[]> => {
      const rows = await probe.run<Row>(text, params);
      // The service stops between two statements.
      stopped ??= watch.stop();
      return rows;
    };
    const watch = new DatabaseWatch({ ...db, openProbe: () => ({ ...probe, run }) }, createLog('silent'));
    await watch.start();
    await stopped;
    // A connection that nobody waits for would be open by then.
    await delay(200);
    expect((await connections()).filter((pid) => pid !== own)).toEqual([]);
  },
);
