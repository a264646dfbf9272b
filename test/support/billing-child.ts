// Upgrades an organization to the plan growth, as a service would; what it asks of the bank it asks its parent.
// argv: where the database is (postgres:// address or folder), the organization, and where it stops and waits for its
// death: `inside 2`, `after 2` of its transactions, or nowhere.
import { once } from 'node:events';
import { applyChange } from '../../src/billing/plan-change.js';
import type { Charge, Charged, PaymentProvider } from '../../src/billing/provider.js';
import type { Database } from '../../src/store/database.js';
import { openEmbedded } from '../../src/db/embedded.js';
import { openPostgres } from '../../src/db/postgres.js';
import { plans } from './billing-fixture.js';

const [place, organizationId, stop] = process.argv.slice(2) as [string, string, string];

const db = place.startsWith('postgres')
  ? openPostgres({ url: place, poolSize: 4 })
  : await openEmbedded({ dataDir: place });

const stopAt = async (where: string): Promise<void> => {
  if (where !== stop) return;
  process.send?.({ stopped: where });
  // The channel to the parent keeps it alive.
  await new Promise(() => undefined);
};

let count = 0;
const stopping: Database = {
  ...db,
  transaction: async (work) => {
    count += 1;
    const place_ = count;
    const result = await db.transaction(async (session) => {
      const done = await work(session);
      await stopAt(`inside ${place_}`);
      return done;
    });
    await stopAt(`after ${place_}`);
    return result;
  },
};

const provider: PaymentProvider = {
  name: 'stripe',
  charge: async (charge: Charge): Promise<Charged> => {
    process.send?.({ charge });
    const [charged] = await once(process, 'message');
    return charged as Charged;
  },
  resolve: () => Promise.reject(new Error('nobody asks')),
  schedule: async () => undefined,
  unschedule: async () => undefined,
};

const parts = { db: stopping, plans, provider, settlement: 'paid' as const };
await applyChange(parts, { organizationId, plan: plans.byId('growth'), now: new Date(), keyId: null, requestId: null });
process.send?.({ stopped: 'at the end' });
