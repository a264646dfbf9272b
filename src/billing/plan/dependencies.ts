import type { Database } from '../../db/database.js';
import type { Plans } from './plan.js';
import type { PaymentProvider } from './provider.js';

export interface BillingDependencies {
  readonly db: Database;
  readonly plans: Plans;
  readonly provider: PaymentProvider;
  /** State of new invoices that no provider collects: paid by bank at once, or open until an operator settles them. */
  readonly settlement: 'paid' | 'open';
}
