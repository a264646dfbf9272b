import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createLedgerProvider } from '../src/billing/plan/ledger-provider.js';
import type { Call, Meter } from '../src/billing/meter.js';
import { renewAll } from '../src/billing/money-job.js';
import { previewChange } from '../src/billing/plan-change.js';
import { exchangeUnits } from '../src/billing/unit-exchange.js';
import { createMeter } from '../src/billing/unit-meter.js';
import { insertApiKey } from '../src/store/api-key.js';
import { insertApp } from '../src/store/app.js';
import type { Database } from '../src/store/database.js';
import { insertOrganization } from '../src/store/organization.js';
import { deleteLapsedLeases } from '../src/store/unit-lease.js';
import { openTestDatabase, type TestDatabase } from './support/database.js';
import { plans } from './support/billing-fixture.js';

// The embedded database has one connection: nobody else can hold a lock.
const onServer = process.env.TEST_DATABASE_URL !== undefined;

/** Of the plan `free`. */
const LIMIT = 10_000_000;

let database: TestDatabase;
let stranger: pg.Client | undefined;
let meters: Meter[] = [];

beforeAll(async () => {
  database = await openTestDatabase();
  if (!onServer) return;
  stranger = new pg.Client({ connectionString: database.url });
  await stranger.connect();
});
afterEach(async () => {
  await stranger?.query('rollback');
  await Promise.all(meters.map((meter) => meter.stop()));
  meters = [];
});
afterAll(async () => {
  await stranger?.end();
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

/** An operator's session holds the row of a subscription, until it is told to let go. */
const hold = async ({ organizationId }: Call): Promise<void> => {
  await stranger?.query('begin');
  await stranger?.query('select 1 from subscription where organization_id = $1 for update', [organizationId]);
};
const letGo = () => stranger?.query('commit');

const booksOf = async ({ organizationId }: Call) =>
  (
    await database.db.run<{ used: number; reserved: number; counted: number; calls: number }>(
      `select s.used_units as used, s.reserved_units as reserved,
              coalesce((select sum(units) from usage_day d where d.organization_id = $1), 0)::bigint as counted,
              coalesce((select sum(calls) from usage_day d where d.organization_id = $1), 0)::bigint as calls
         from subscription s where s.organization_id = $1`,
      [organizationId],
    )
  )[0];

for (const mode of ['observe', 'enforce'] as const) {
  test.runIf(onServer)(
    `a locked subscription does not keep the use of others from being written (${mode})`,
    async () => {
      const [locked, other] = [await newCaller(), await newCaller()];
      const { serve } = startMeter(mode);
      await serve(locked);
      await expect
        .poll(() => booksOf(locked))
        .toMatchObject({ used: 5, reserved: mode === 'enforce' ? expect.any(Number) : 0 });
      await hold(locked);
      await serve(locked);
      await serve(other);
      await expect.poll(() => booksOf(other), { timeout: 10_000 }).toMatchObject({ used: 5, counted: 5 });
      // What was used is known by day, and counts for the plan as soon as the lock is gone.
      await expect.poll(() => booksOf(locked), { timeout: 10_000 }).toMatchObject({ used: 5, counted: 10, calls: 2 });
      await serve(other);
      await expect.poll(() => booksOf(other), { timeout: 10_000 }).toMatchObject({ used: 10, counted: 10 });
      await letGo();
      await serve(other);
      const done = { used: 10, counted: 10, calls: 2, reserved: 0 };
      await expect.poll(() => booksOf(locked), { timeout: 30_000 }).toMatchObject(done);
    },
  );
}

test.runIf(onServer)('use that met a lock of a moment is added at once, and not with the next use', async () => {
  const call = await newCaller();
  await hold(call);
  const { organizationId, keyId, operation, units } = call;
  const db: Database = {
    ...database.db,
    transaction: async (work) => {
      const result = await database.db.transaction(work);
      await letGo();
      return result;
    },
  };
  const processId = randomUUID();
  const rows = [{ organizationId, keyId, operation, units, calls: 1, day: '2026-11-20' }];
  const batch = { processId, sequence: 1, writtenAt: new Date(), rows };
  const { written } = await exchangeUnits({ db, plans, processId }, { batch, requests: [], now: Date.now() });
  expect(written).toMatchObject([{ organizationId, usedUnits: 5 }]);
  expect(await booksOf(call)).toMatchObject({ used: 5, counted: 5 });
});

test.runIf(onServer)('calls of others get their units, those of the locked one wait and then get theirs', async () => {
  const [locked, other] = [await newCaller(), await newCaller()];
  const { meter, serve, lost } = startMeter('enforce');
  await hold(locked);
  let isServed = false;
  const waiting = serve(locked).then(() => {
    isServed = true;
  });
  // Each asks for more than is held.
  for (let units = 5; units < 1_000_000; units *= 8) await serve({ ...other, units });
  expect(isServed).toBe(false);
  await letGo();
  await waiting;
  await meter.stop();
  expect(await booksOf(locked)).toMatchObject({ used: 5, counted: 5, reserved: 0 });
  expect(await booksOf(other)).toMatchObject({ reserved: 0, calls: 6 });
  expect(lost).toEqual([]);
});

test.runIf(onServer)(
  'a call that waits too long for a locked subscription is a 503, not a refusal',
  async () => {
    const locked = await newCaller();
    const { serve } = startMeter('enforce');
    await hold(locked);
    await expect(serve(locked)).rejects.toMatchObject({ kind: 'unavailable' });
  },
  30_000,
);

test.runIf(onServer)('a stop loses nothing while a subscription is locked: its use is added later', async () => {
  const [locked, other] = [await newCaller(), await newCaller()];
  const { meter, serve, lost } = startMeter('enforce');
  await serve(locked);
  await hold(locked);
  await serve(other);
  await meter.stop();
  expect(lost).toEqual([]);
  expect(await booksOf(other)).toMatchObject({ used: 5, reserved: 0 });
  expect(await booksOf(locked)).toMatchObject({ used: 0, counted: 5 });
  await letGo();
  const addLater = async () => {
    await deleteLapsedLeases(database.db, new Date(Date.now() + 60_000));
    return booksOf(locked);
  };
  await expect.poll(addLater).toMatchObject({ used: 5, counted: 5, reserved: 0 });
});

test('use that waits for a lock is added when the lease that covers it ends, and not before', async () => {
  const { db } = database;
  const call = await newCaller();
  const processId = randomUUID();
  const now = Date.now();
  const lease = 'insert into unit_lease (process_id, organization_id, units, expires_at) values ($1, $2, 30, $3)';
  await db.run(lease, [processId, call.organizationId, new Date(now + 10_000)]);
  await db.run('update subscription set reserved_units = 30 where organization_id = $1', [call.organizationId]);
  const waiting = 'insert into usage_waiting (process_id, organization_id, units) values ($1, $2, $3)';
  for (const units of [5, 7]) await db.run(waiting, [processId, call.organizationId, units]);
  await deleteLapsedLeases(db, new Date(now));
  expect(await booksOf(call)).toMatchObject({ used: 0, reserved: 30 });
  // Another process takes units, and then this one tells what it holds still.
  const exchange = async (by: string, kept: number) => {
    const requests = [{ organizationId: call.organizationId, kept, units: 1, least: 1 }];
    const parts = { db, plans, processId: by };
    const { leased } = await exchangeUnits(parts, { batch: undefined, requests, now });
    return LIMIT - (leased[0]?.left ?? 0) - (leased[0]?.granted ?? 0);
  };
  expect(await exchange(randomUUID(), 0)).toBe(30);
  expect(await booksOf(call)).toMatchObject({ used: 0 });
  await db.run('delete from unit_lease where process_id <> $1', [processId]);
  await db.run('update subscription set reserved_units = 30 where organization_id = $1', [call.organizationId]);
  expect(await exchange(processId, 18)).toBe(30);
  expect(await booksOf(call)).toMatchObject({ used: 12 });
  await db.run(waiting, [processId, call.organizationId, 1]);
  await deleteLapsedLeases(db, new Date(now + 60_000));
  expect(await booksOf(call)).toMatchObject({ used: 13, reserved: 0 });
  expect(await db.run('select from usage_waiting')).toEqual([]);
});

test.runIf(onServer)(
  'the care for lapsed leases passes over a locked subscription',
  async () => {
    const [locked, other] = [await newCaller(), await newCaller()];
    for (const { organizationId } of [locked, other]) {
      await database.db.run('insert into unit_lease values ($1, $2, 7, $3)', [
        randomUUID(),
        organizationId,
        new Date(),
      ]);
      await database.db.run('update subscription set reserved_units = 7 where organization_id = $1', [organizationId]);
    }
    await hold(locked);
    const later = new Date(Date.now() + 60_000);
    await deleteLapsedLeases(database.db, later);
    expect(await booksOf(other)).toMatchObject({ reserved: 0 });
    expect(await booksOf(locked)).toMatchObject({ reserved: 7 });
    await letGo();
    await deleteLapsedLeases(database.db, later);
    expect(await booksOf(locked)).toMatchObject({ reserved: 0 });
  },
  30_000,
);

test.runIf(onServer)(
  'whatever is locked and whatever connection breaks, all that is used is counted once',
  async () => {
    const callers = await Promise.all(Array.from({ length: 4 }, newCaller));
    let exchanges = 0;
    let isReliable = false;
    // Every third commit is not heard of.
    const db: Database = {
      ...database.db,
      transaction: async (work) => {
        const result = await database.db.transaction(work);
        if (!isReliable && exchanges++ % 3 === 0) throw Object.assign(new Error('lost'), { code: 'ECONNRESET' });
        return result;
      },
    };
    const services = [startMeter('enforce', db), startMeter('enforce', db), startMeter('observe', db)];
    const served = callers.map(() => 0);
    for (const [turn, locked] of callers.entries()) {
      await hold(locked);
      const begun = exchanges;
      await expect
        .poll(
          async () => {
            await Promise.all(
              services.flatMap(({ serve }) =>
                callers.map(async (call, at) => {
                  if (at === turn && services[2]?.serve !== serve) return;
                  await serve(call).then(
                    () => {
                      served[at] = (served[at] ?? 0) + call.units;
                    },
                    (error: Error) => expect(error.message).toBe('lost'),
                  );
                }),
              ),
            );
            return exchanges - begun;
          },
          { timeout: 30_000 },
        )
        .toBeGreaterThan(12);
      await letGo();
    }
    isReliable = true;
    await Promise.all(services.map(({ meter }) => meter.stop()));
    await deleteLapsedLeases(database.db, new Date(Date.now() + 60_000));
    for (const [at, call] of callers.entries()) {
      const units = served[at] as number;
      expect(await booksOf(call)).toMatchObject({ used: units, counted: units, reserved: 0 });
      expect(units).toBeLessThan(LIMIT);
    }
    expect(services.flatMap(({ lost }) => lost)).toEqual([]);
  },
  120_000,
);

test.runIf(onServer)(
  'periods of others begin while a subscription is locked, and a change of it ends in time',
  async () => {
    const { db } = database;
    const [locked, other] = [await newCaller(), await newCaller()];
    const money = { db, plans, provider: createLedgerProvider('paid'), settlement: 'paid' as const };
    const later = Date.now() + 40 * 86_400_000;
    await hold(locked);
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
