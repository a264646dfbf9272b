import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { renewAll } from '../src/billing/billing-job.js';
import { previewChange } from '../src/billing/plan/change.js';
import { createLedgerProvider } from '../src/billing/plan/ledger-provider.js';
import type { Call, Meter } from '../src/billing/usage/meter.js';
import { createMeter } from '../src/billing/usage/unit-meter.js';
import type { Database } from '../src/db/database.js';
import { insertApiKey } from '../src/store/access/api-key.js';
import { insertApp } from '../src/store/access/app.js';
import { insertOrganization } from '../src/store/access/organization.js';
import { upsertUsage } from '../src/store/billing/usage.js';
import { plans } from './support/billing-fixture.js';
import { openTestDatabase, type TestDatabase } from './support/database.js';

// The embedded database has one connection, so no other session can hold a lock.
const onServer = process.env.TEST_DATABASE_URL !== undefined;

/** Compute units of the plan `free`. */
const LIMIT = 10_000_000;

let database: TestDatabase;
let otherSession: pg.Client | undefined;
let meters: Meter[] = [];

beforeAll(async () => {
  database = await openTestDatabase();
  if (!onServer) return;
  otherSession = new pg.Client({ connectionString: database.url });
  await otherSession.connect();
});
afterEach(async () => {
  await otherSession?.query('rollback');
  await Promise.all(meters.map((meter) => meter.stop()));
  meters = [];
});
afterAll(async () => {
  await otherSession?.end();
  await database.drop();
});

/** @returns a call of a new organization */
const newCaller = async (): Promise<Call> => {
  const { db } = database;
  const organizationId = (await insertOrganization(db, { name: 'one' }))?.id as string;
  const appId = (await insertApp(db, { organizationId, name: 'app' }))?.id as string;
  const key = { appId, name: 'key', hash: Buffer.from(randomUUID()), prefix: 'key', scopes: ['read'] as const };
  const { id: keyId } = await insertApiKey(db, key);
  return { organizationId, keyId, planId: null, operation: 'lookup-user', units: 5 };
};

const startMeter = (mode: 'enforce' | 'observe', db: Database = database.db) => {
  const lost: number[] = [];
  const meter = createMeter({
    db,
    plans,
    clock: Date.now,
    enforces: mode === 'enforce',
    renew: async () => undefined,
    counted: () => undefined,
    failed: () => undefined,
    lost: (units) => lost.push(units),
  });
  meter.start();
  meters.push(meter);
  const serve = async (call: Call): Promise<void> => {
    await meter.begin(call);
    meter.end(call, call.units);
  };
  return { meter, serve, lost };
};

/** Locks the row of a subscription in another session. */
const lock = async ({ organizationId }: Call): Promise<void> => {
  await otherSession?.query('begin');
  await otherSession?.query('select 1 from subscription where organization_id = $1 for update', [organizationId]);
};
const unlock = () => otherSession?.query('commit');

const usageRecordsOf = async ({ organizationId }: Call) =>
  (
    await database.db.run<{ used: number; counted: number; calls: number }>(
      `select s.used_units as used,
              coalesce((select sum(units) from usage_day d where d.organization_id = $1), 0)::bigint as counted,
              coalesce((select sum(calls) from usage_day d where d.organization_id = $1), 0)::bigint as calls
         from subscription s where s.organization_id = $1`,
      [organizationId],
    )
  )[0];

/** Writes one batch for each caller, with this number and one call of 5 units each. @returns the ids of those written */
const write = async (processId: string, sequence: number, ...callers: Call[]): Promise<string[]> => {
  const batches = callers.map(({ organizationId, keyId, operation, units }) => ({
    organizationId,
    sequence,
    rows: [{ day: '2026-11-20', keyId, operation, calls: 1, units }],
  }));
  const batch = { processId, writtenAt: new Date(), batches, others: [] };
  const rows = await database.db.transaction((session) => upsertUsage(session, batch));
  return rows.filter(({ isWritten }) => isWritten).map(({ organizationId }) => organizationId);
};

test('a batch that is repeated because its response was lost counts once', async () => {
  const call = await newCaller();
  const processId = randomUUID();
  const written = [call.organizationId];
  for (const sequence of [1, 1, 4, 4]) expect(await write(processId, sequence, call)).toEqual(written);
  expect(await usageRecordsOf(call)).toEqual({ used: 10, counted: 10, calls: 2 });
  // Each process counts its own batches.
  expect(await write(randomUUID(), 1, call)).toEqual(written);
  expect(await usageRecordsOf(call)).toEqual({ used: 15, counted: 15, calls: 3 });
});

test.runIf(onServer)(
  'a batch is written once, whether its subscription is locked before or after its response is lost',
  async () => {
    const [locked, other] = [await newCaller(), await newCaller()];
    const processId = randomUUID();
    await lock(locked);
    expect(await write(processId, 1, locked, other)).toEqual([other.organizationId]);
    expect(await usageRecordsOf(locked)).toEqual({ used: 0, counted: 0, calls: 0 });
    await unlock();
    // Repeated for both, as if the response had been lost.
    expect((await write(processId, 1, locked, other)).toSorted()).toEqual(
      [locked.organizationId, other.organizationId].toSorted(),
    );
    await lock(locked);
    expect(await write(processId, 1, locked)).toEqual([locked.organizationId]);
    await unlock();
    for (const call of [locked, other]) expect(await usageRecordsOf(call)).toEqual({ used: 5, counted: 5, calls: 1 });
  },
);

for (const mode of ['observe', 'enforce'] as const) {
  test.runIf(onServer)(`a locked subscription does not delay the usage of other organizations (${mode})`, async () => {
    const [locked, other] = [await newCaller(), await newCaller()];
    const { serve } = startMeter(mode);
    await serve(locked);
    await expect.poll(() => usageRecordsOf(locked)).toMatchObject({ used: 5 });
    await lock(locked);
    await serve(locked);
    await serve(other);
    await expect.poll(() => usageRecordsOf(other), { timeout: 10_000 }).toMatchObject({ used: 5, counted: 5 });
    await serve(other);
    await expect.poll(() => usageRecordsOf(other), { timeout: 10_000 }).toMatchObject({ used: 10, counted: 10 });
    expect(await usageRecordsOf(locked)).toMatchObject({ used: 5, counted: 5 });
    await unlock();
    const done = { used: 10, counted: 10, calls: 2 };
    await expect.poll(() => usageRecordsOf(locked), { timeout: 10_000 }).toMatchObject(done);
  });
}

test.runIf(onServer)('calls of a locked subscription are admitted and counted against its limit', async () => {
  const locked = await newCaller();
  const { meter, serve, lost } = startMeter('enforce');
  await lock(locked);
  await serve({ ...locked, units: LIMIT - 5 });
  await serve(locked);
  await expect(serve(locked)).rejects.toMatchObject({ kind: 'payment_required' });
  await unlock();
  await meter.stop();
  expect(await usageRecordsOf(locked)).toEqual({ used: LIMIT, counted: LIMIT, calls: 2 });
  expect(lost).toEqual([]);
});

test.runIf(onServer)('a stop waits for a locked subscription, and loses nothing', async () => {
  const [locked, other] = [await newCaller(), await newCaller()];
  const { meter, serve, lost } = startMeter('enforce');
  await serve(locked);
  await lock(locked);
  await serve(other);
  const stopping = meter.stop();
  await expect.poll(() => usageRecordsOf(other)).toMatchObject({ used: 5 });
  expect(await usageRecordsOf(locked)).toMatchObject({ used: 0, counted: 0 });
  await unlock();
  await stopping;
  expect(lost).toEqual([]);
  expect(await usageRecordsOf(locked)).toMatchObject({ used: 5, counted: 5 });
});

test.runIf(onServer)(
  'a stop reports as lost what a lock of more than five seconds kept it from writing',
  async () => {
    const locked = await newCaller();
    const { meter, serve, lost } = startMeter('observe');
    await lock(locked);
    await serve(locked);
    await meter.stop();
    expect(lost).toEqual([5]);
  },
  30_000,
);

test.runIf(onServer)(
  'all usage is counted once, with locked subscriptions and lost responses',
  async () => {
    const callers = await Promise.all(Array.from({ length: 4 }, newCaller));
    let transactions = 0;
    let isReliable = false;
    // Every third commit's response is lost.
    const db: Database = {
      ...database.db,
      transaction: async (work) => {
        const result = await database.db.transaction(work);
        if (!isReliable && transactions++ % 3 === 0) throw Object.assign(new Error('lost'), { code: 'ECONNRESET' });
        return result;
      },
    };
    const services = [startMeter('enforce', db), startMeter('enforce', db), startMeter('observe', db)];
    const served = callers.map(() => 0);
    for (const locked of callers) {
      await lock(locked);
      const begun = transactions;
      const serveAll = async () => {
        for (const { serve } of services) {
          for (const [at, call] of callers.entries()) {
            await serve(call);
            served[at] = (served[at] ?? 0) + call.units;
          }
        }
        return transactions - begun;
      };
      await expect.poll(serveAll, { timeout: 30_000 }).toBeGreaterThan(12);
      await unlock();
    }
    isReliable = true;
    await Promise.all(services.map(({ meter }) => meter.stop()));
    for (const [at, call] of callers.entries()) {
      const units = served[at] as number;
      expect(await usageRecordsOf(call)).toMatchObject({ used: units, counted: units });
      expect(units).toBeLessThan(LIMIT);
    }
    expect(services.flatMap(({ lost }) => lost)).toEqual([]);
  },
  120_000,
);

test.runIf(onServer)(
  'periods of other organizations begin while a subscription is locked, and a change of it times out',
  async () => {
    const { db } = database;
    const [locked, other] = [await newCaller(), await newCaller()];
    const money = { db, plans, provider: createLedgerProvider('paid'), settlement: 'paid' as const };
    const later = Date.now() + 40 * 86_400_000;
    await lock(locked);
    const failed: string[] = [];
    const job = renewAll({
      money,
      clock: () => later,
      failed: (error, { organizationId }) => {
        expect(error).toMatchObject({ kind: 'unavailable' });
        failed.push(organizationId);
      },
    });
    const wanted = { organizationId: locked.organizationId, plan: plans.byId('starter'), now: new Date() };
    await expect(previewChange(money, wanted)).rejects.toMatchObject({ kind: 'unavailable' });
    await job;
    expect(failed).toEqual([locked.organizationId]);
    const rows = await db.run<{ isBegun: boolean }>(
      'select period_end > $2 as "isBegun" from subscription where organization_id = $1',
      [other.organizationId, new Date(later)],
    );
    expect(rows).toEqual([{ isBegun: true }]);
  },
  60_000,
);
