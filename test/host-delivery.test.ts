import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DEFAULT_ORGANIZATION_ID, ensureDefaultAccess } from '../src/access/key.js';
import type { Database } from '../src/db/database.js';
import type { Session } from '../src/db/statement.js';
import { AppError } from '../src/error.js';
import { createMetrics, deliveryMeter } from '../src/metric.js';
import { createHostOutbox } from '../src/miniapp/outbox.js';
import { insertApp } from '../src/store/access/app.js';
import {
  claimDueHostDeliveries,
  deleteEndedHostDeliveries,
  updateHostDeliveriesDue,
} from '../src/store/miniapp/delivery.js';
import { openTestDatabase } from './support/database.js';

let db: Database;
let drop: () => Promise<void>;
let appId: string;
beforeAll(async () => {
  ({ db, drop } = await openTestDatabase());
  await ensureDefaultAccess(db, undefined, new Date());
  const app = await insertApp(db, { organizationId: DEFAULT_ORGANIZATION_ID, name: 'host' });
  appId = app?.id as string;
});
afterAll(() => drop());
beforeEach(() => db.run('delete from host_delivery'));

const NOW = Date.UTC(2026, 0, 10);
const HOUR_MS = 3_600_000;

/** Writes events of as many users of one domain, due since `dueSince` (Unix milliseconds). */
const insert = (
  domain: string,
  users: number,
  { dueSince = NOW - HOUR_MS, state = 'pending', endedAt = null as number | null } = {},
) =>
  db.run(
    `insert into host_delivery (id, app_id, fid, domain, event, message, digest, state, next_at, expires_at, created_at,
                                ended_at)
     select gen_random_uuid(), $1::uuid, n, $2, 'frame_removed', '', sha256(n::text::bytea), $3, $4, $5, $4, $6
       from generate_series(1, $7::integer) n`,
    [appId, domain, state, new Date(dueSince), new Date(NOW + 24 * HOUR_MS), endedAt && new Date(endedAt), users],
  );
const claim = (limit: number) =>
  claimDueHostDeliveries(db, { now: new Date(NOW), until: new Date(NOW + 15_000), limit });

/** Of events, by this session: those of earlier transactions stand in it until it reports them, about once a second. */
const rowsRead = async (session: Session): Promise<number> => {
  const [row] = await session.run<{ rows: number }>(
    `select (seq_tup_read + idx_tup_fetch)::integer as rows from pg_stat_xact_user_tables
      where relname = 'host_delivery'`,
  );
  return row?.rows as number;
};

test('at most the requested number is claimed, each once', async () => {
  await insert('a.example', 40);
  const taken = [await claim(16), await claim(16), await claim(16), await claim(16)];
  expect(taken.map((some) => some.length)).toEqual([16, 16, 8, 0]);
  expect(new Set(taken.flat().map(({ id }) => id)).size).toBe(40);
});

test('a domain with many events does not delay the others', async () => {
  await insert('many.example', 100);
  await insert('few.example', 2, { dueSince: NOW });
  const domains = (await claim(8)).map(({ domain }) => domain);
  expect(domains.filter((domain) => domain === 'few.example')).toHaveLength(2);
});

test('the time to find the next event does not depend on the number of pending ones', async () => {
  await insert('many.example', 20_000);
  await insert('few.example', 2);
  await db.script('analyze host_delivery');
  const read = await db.transaction(async (session) => {
    const before = await rowsRead(session);
    expect(await claimDueHostDeliveries(session, { now: new Date(NOW), until: new Date(NOW), limit: 16 })).toHaveLength(
      16,
    );
    return (await rowsRead(session)) - before;
  });
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(1_000);
});

test('only the first event of a user and domain is claimed', async () => {
  for (let n = 0; n < 3; n++) await insert('a.example', 1);
  expect(await claim(16)).toHaveLength(1);
  expect(await claim(16)).toEqual([]);
});

test('an expired event that was followed by another is not retried, no matter how old it is', async () => {
  await insert('a.example', 2, { state: 'dead', endedAt: NOW - 50 * HOUR_MS });
  await db.run('update host_delivery set fid = 9 where fid = 2');
  await insert('a.example', 1, { state: 'delivered', endedAt: NOW - 49 * HOUR_MS });
  const before = { delivered: new Date(NOW - 24 * HOUR_MS), dead: new Date(NOW - 100 * HOUR_MS) };
  await deleteEndedHostDeliveries(db, before);
  const due = { now: new Date(NOW), expiresAt: new Date(NOW + HOUR_MS) };
  expect(await updateHostDeliveriesDue(db, undefined, due)).toBe(1);
  expect((await claim(16)).map(({ fid }) => Number(fid))).toEqual([9]);
  // With the event that it overtook, it goes too.
  await deleteEndedHostDeliveries(db, { ...before, dead: new Date(NOW) });
  await deleteEndedHostDeliveries(db, { ...before, dead: new Date(NOW) });
  expect(await db.run("select id from host_delivery where state <> 'pending'")).toEqual([]);
});

test('an internal error counts as an attempt, so that every event expires', async () => {
  const metrics = createMetrics(db.load, async () => 0);
  await insert('a.example', 1);
  const faults: unknown[] = [];
  const outbox = createHostOutbox({
    db,
    sendWebhook: () => Promise.reject(new TypeError('not foreseen')),
    rule: { allowLoopback: false },
    notifyUrls: ['https://castellan.example/notify'],
    clock: () => NOW,
    meter: deliveryMeter(metrics),
    failed: (fault) => faults.push(fault),
  });
  outbox.start();
  await outbox.stop();
  const [row] = await db.run('select attempts, state, next_at, failure from host_delivery');
  expect(row).toMatchObject({ attempts: 1, state: 'pending', failure: expect.stringContaining('its log says what') });
  expect((row as { next_at: Date }).next_at.getTime()).toBeGreaterThan(NOW);
  expect(faults).toEqual([new TypeError('not foreseen')]);
  expect(await metrics.registry.metrics()).toContain(
    'castellan_delivery_duration_seconds_count{kind="host_event",outcome="failed"} 1',
  );
});

test('an event that is retried by hand during an attempt stays due when the attempt fails', async () => {
  await insert('a.example', 1);
  const [event] = await db.run<{ id: string }>('select id from host_delivery');
  const later = new Date(NOW + HOUR_MS);
  const outbox = createHostOutbox({
    db,
    sendWebhook: async () => {
      expect(await updateHostDeliveriesDue(db, event?.id, { now: new Date(NOW), expiresAt: later })).toBe(1);
      throw new AppError('bad_gateway', 'BadGateway', 'The target answered 500.');
    },
    rule: { allowLoopback: false },
    notifyUrls: ['https://castellan.example/notify'],
    clock: () => NOW,
    meter: deliveryMeter(createMetrics(db.load, async () => 0)),
    failed: (fault) => expect.fail(String(fault)),
  });
  outbox.start();
  await outbox.stop();
  expect(await claim(1)).toHaveLength(1);
});
