import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Call, Meter } from '../src/billing/meter.js';
import { createPlans } from '../src/billing/plan/plan.js';
import { createMeter } from '../src/billing/unit-meter.js';
import { AppError } from '../src/error.js';
import { insertApiKey } from '../src/store/api-key.js';
import { insertApp } from '../src/store/app.js';
import type { Database } from '../src/store/database.js';
import { insertOrganization } from '../src/store/organization.js';
import { openTestDatabase, type TestDatabase } from './support/database.js';

const LIMIT = 6000;
const ORGANIZATIONS = 8;
const CALLERS = 40;
const CALLS_EACH = 120;

const plans = createPlans(
  [
    {
      id: 'only',
      name: 'Only',
      category: 'API',
      tier: 'only',
      priceCents: 0,
      units: LIMIT,
      requestsPerMinute: null,
      webhooks: null,
      apps: null,
    },
  ],
  'only',
);

let database: TestDatabase;
const payers: { readonly organizationId: string; readonly keyIds: string[] }[] = [];

beforeAll(async () => {
  database = await openTestDatabase();
  const { db } = database;
  for (let n = 0; n < ORGANIZATIONS; n++) {
    const organizationId = (await insertOrganization(db, { name: `organization ${n}` }))?.id as string;
    const appId = (await insertApp(db, { organizationId, name: 'app' }))?.id as string;
    const keyIds: string[] = [];
    for (const name of ['one', 'other']) {
      const hash = Buffer.from(randomUUID());
      keyIds.push((await insertApiKey(db, { appId, name, hash, prefix: 'key', scopes: ['read'] })).id);
    }
    payers.push({ organizationId, keyIds });
  }
});
afterAll(() => database.drop());

/** A database whose transactions sometimes fail, before they began or after they were committed. */
const unreliable = (db: Database, isReliable: () => boolean): Database => {
  const fail = (chance: number): void => {
    if (!isReliable() && randomInt(100) < chance) throw Object.assign(new Error('lost'), { code: 'ECONNRESET' });
  };
  return {
    ...db,
    transaction: async (work) => {
      fail(10);
      const result = await db.transaction(work);
      fail(10);
      return result;
    },
  };
};

test('whatever fails, several processes count each call once and let no more through than the plan has', async () => {
  let isReliable = false;
  const db = unreliable(database.db, () => isReliable);
  let failures = 0;
  let lost = 0;
  const meters: Meter[] = Array.from({ length: 3 }, () =>
    createMeter({
      db,
      plans,
      clock: Date.now,
      enforces: true,
      renew: async () => undefined,
      counted: () => undefined,
      failed: () => {
        failures++;
      },
      lost: (units) => {
        lost += units;
      },
    }),
  );
  for (const meter of meters) meter.start();
  const served = new Map<string, { calls: number; units: number }>();
  const call = async (): Promise<void> => {
    const { organizationId, keyIds } = payers[randomInt(payers.length)] as (typeof payers)[0];
    const meter = meters[randomInt(meters.length)] as Meter;
    const one: Call = {
      organizationId,
      keyId: keyIds[randomInt(keyIds.length)] as string,
      planId: null,
      operation: `operation-${randomInt(3)}`,
      units: randomInt(1, 30),
    };
    try {
      await meter.begin(one);
    } catch (error) {
      // Refused, or the database failed; nothing else may happen.
      if (!(error instanceof AppError) && (error as Error).message !== 'lost') throw error;
      await wait(randomInt(20));
      return;
    }
    await wait(randomInt(40));
    // One call in ten fails here, one in ten is refused and costs less than was reserved for it.
    const outcome = randomInt(10);
    const units = outcome === 0 ? null : outcome === 1 ? Math.min(one.units, 10) : one.units;
    meter.end(one, units);
    if (units === null) return;
    const sum = served.get(organizationId) ?? { calls: 0, units: 0 };
    served.set(organizationId, { calls: sum.calls + 1, units: sum.units + units });
  };
  const callOn = async (): Promise<void> => {
    for (let n = 0; n < CALLS_EACH; n++) await call();
  };
  await Promise.all(Array.from({ length: CALLERS }, callOn));
  isReliable = true;
  await Promise.all(meters.map((meter) => meter.stop()));
  expect(failures).toBeGreaterThan(0);
  expect(lost).toBe(0);

  const books = await database.db.run<{ id: string; used: number; reserved: number; calls: number; units: number }>(
    `select s.organization_id as id, s.used_units as used, s.reserved_units as reserved,
            sum(d.calls)::bigint as calls, sum(d.units)::bigint as units
       from subscription s join usage_day d using (organization_id) group by s.organization_id`,
  );
  const expected = payers.map(({ organizationId: id }) => {
    const { calls, units } = served.get(id) ?? { calls: 0, units: 0 };
    return { id, used: units, reserved: 0, calls, units };
  });
  const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);
  expect(books.toSorted(byId)).toEqual(expected.toSorted(byId));
  expect(Math.max(...books.map(({ used }) => used))).toBeLessThanOrEqual(LIMIT);
  // Most of them came to the end of the plan, or the limit was not tried at all.
  expect(Math.max(...books.map(({ used }) => used))).toBeGreaterThan(LIMIT - 60);
  expect(await database.db.run('select * from unit_lease')).toEqual([]);
}, 300_000);
