import type { Database } from '../store/database.js';
import type { Plans } from './plan/plan.js';
import type { PaymentProvider } from './provider.js';

/** What changes of plans and renewals are made with. */
export interface MoneyParts {
  readonly db: Database;
  readonly plans: Plans;
  readonly provider: PaymentProvider;
  /** Whether invoices that no outside provider collects count as paid by bank at once, or are open until settled. */
  readonly settlement: 'paid' | 'open';
}
