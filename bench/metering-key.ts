import type { Database } from '../src/db/database.js';
import { importBuilt } from './build-import.js';

/** So many that 1,200 requests a minute of each exceed what a machine can serve. */
const MANY_KEYS = 1_000;
/** Marks the rows of a benchmark run. */
const NAME = 'bench metering';

/** Names of the sets of `makeKeySets`. */
export const KEYS = ['one key', '1,000 keys'] as const;

/** Plans that never run out of units; the single key's rate limit is unreachable, that of the many keys a usual one. */
export const PLANS = {
  plans: [
    { id: 'one', requestsPerMinute: 1_000_000 },
    { id: 'many', requestsPerMinute: 1_200 },
  ].map((plan) => ({
    ...plan,
    name: plan.id,
    category: 'API',
    tier: plan.id,
    priceCents: 0,
    units: 1_000_000_000_000,
    webhooks: null,
    apps: null,
  })),
};

/** Creates an organization with that plan. @returns keys of its app */
const makeKeys = async (db: Database, plan: string, count: number): Promise<string[]> => {
  const { createKey } = await importBuilt<typeof import('../src/access/key.js')>('access/key.js');
  const { insertApp } = await importBuilt<typeof import('../src/store/access/app.js')>('store/access/app.js');
  const { insertOrganization } =
    await importBuilt<typeof import('../src/store/access/organization.js')>('store/access/organization.js');
  const organization = await insertOrganization(db, { name: NAME });
  const app = organization && (await insertApp(db, { organizationId: organization.id, name: NAME }));
  if (app === undefined) throw new Error('a new organization has a new app');
  await db.run('update subscription set plan_id = $1 where organization_id = $2', [plan, app.organizationId]);
  const keys: string[] = [];
  while (keys.length < count) {
    keys.push((await createKey(db, { name: NAME, appId: app.id, scopes: ['read'], now: new Date() })).secret);
  }
  return keys;
};

/** @returns a set for each of `KEYS`, each in its own organization */
export const makeKeySets = async (db: Database): Promise<string[][]> => {
  const { migrate } = await importBuilt<typeof import('../src/db/migrate.js')>('db/migrate.js');
  await migrate(db);
  return [await makeKeys(db, 'one', 1), await makeKeys(db, 'many', MANY_KEYS)];
};

/** A service without these plans would not start while organizations have them. */
export const forgetPlans = async (db: Database): Promise<void> => {
  await db.run(
    'update subscription set plan_id = null where organization_id in (select id from organization where name = $1)',
    [NAME],
  );
};
