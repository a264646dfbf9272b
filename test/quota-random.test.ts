import { randomInt, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPlans } from '../src/billing/plan/plan.js';
import type { Call, Meter } from '../src/billing/usage/meter.js';
import { createMeter } from '../src/billing/usage/unit-meter.js';
import type { Database } from '../src/db/database.js';
import { insertApiKey } from '../src/store/access/api-key.js';
import { insertApp } from '../src/store/access/app.js';
import { insertOrganization } from '../src/store/access/organization.js';
import { openTestDatabase, type TestDatabase } from './support/database.js';
import { delay } from './support/delay.js';

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
  for (let n = 0; n < 2 * ORGANIZATIONS; n++) {
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

/** A database of whose transactions one in three fails before it begins, and one in three after its commit. */
const unreliable = (db: Database, isReliable: () => boolean): Database => {
  let transactions = 0;
  return {
    ...db,
    transaction: async (work) => {
      const turn = isReliable() ? 2 : transactions++ % 3;
      const lost = Object.assign(new Error('lost'), { code: 'ECONNRESET' });
      if (turn === 0) throw lost;
      const result = await db.transaction(work);
      if (turn === 1) throw lost;
      return result;
    },
  };
};

/** Random calls through several processes. @returns calls and units served, by organization, and what the meters reported */
const serveThrough = async (processes: number, organizations: typeof payers) => {
  let isReliable = false;
  const db = unreliable(database.db, () => isReliable);
  let failures = 0;
  let lost = 0;
  const meters: Meter[] = Array.from({ length: processes }, () =>
    createMeter({
      db,
      plans,
      clock: Date.now,
      flushMs: 250,
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
    const { organizationId, keyIds } = organizations[randomInt(organizations.length)] as (typeof payers)[0];
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
      expect(error).toMatchObject({ kind: 'payment_required' });
      await delay(randomInt(5));
      return;
    }
    await delay(randomInt(10));
    // One call in ten fails in the service, and one in ten is rejected and costs less than it was admitted for.
    const outcome = randomInt(10);
    const units = outcome === 0 ? null : outcome === 1 ? Math.min(one.units, 10) : one.units;
    meter.end(one, units);
    if (units === null) return;
    const sum = served.get(organizationId) ?? { calls: 0, units: 0 };
    served.set(organizationId, { calls: sum.calls + 1, units: sum.units + units });
  };
  const callRepeatedly = async (): Promise<void> => {
    for (let n = 0; n < CALLS_EACH; n++) await call();
  };
  await Promise.all(Array.from({ length: CALLERS }, callRepeatedly));
  isReliable = true;
  await Promise.all(meters.map((meter) => meter.stop()));
  return { served, failures, lost };
};

const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);

for (const processes of [1, 3]) {
  test(`each call is counted once, whichever transactions fail (processes: ${processes})`, async () => {
    const organizations = payers.splice(0, ORGANIZATIONS);
    const { served, failures, lost } = await serveThrough(processes, organizations);
    expect(failures).toBeGreaterThan(0);
    expect(lost).toBe(0);
    const rows = await database.db.run<{ id: string; used: number; calls: number; units: number }>(
      `select s.organization_id as id, s.used_units as used,
              sum(d.calls)::bigint as calls, sum(d.units)::bigint as units
         from subscription s join usage_day d using (organization_id)
        where s.organization_id = any($1::uuid[]) group by s.organization_id`,
      [organizations.map(({ organizationId }) => organizationId)],
    );
    const expected = organizations.map(({ organizationId: id }) => {
      const { calls, units } = served.get(id) ?? { calls: 0, units: 0 };
      return { id, used: units, calls, units };
    });
    expect(rows.toSorted(byId)).toEqual(expected.toSorted(byId));
    const used = Math.max(...rows.map((row) => row.used));
    // Organizations reached the limit; one process alone never exceeds it.
    expect(used).toBeGreaterThan(LIMIT - 60);
    if (processes === 1) expect(used).toBeLessThanOrEqual(LIMIT);
  }, 300_000);
}
