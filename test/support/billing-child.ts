// Upgrades an organization to the plan growth like a service; calls to the bank are forwarded to the parent.
// argv: location of the database (postgres:// address or folder), organization, and where it stops and waits to be
// killed: `inside 2`, `after 2` of its transactions, or nowhere.
import { once } from 'node:events';
import { applyChange } from '../../src/billing/plan/change.js';
import type { Charge, Charged, PaymentProvider } from '../../src/billing/plan/provider.js';
import type { Database } from '../../src/db/database.js';
import { openEmbedded } from '../../src/db/embedded/embedded.js';
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
