import type { PaymentConfig } from '../config/billing.js';
import { ConfigError } from '../config/reader.js';
import type { Database } from '../store/database.js';
import { createLedgerProvider } from './ledger-provider.js';
import type { MoneyParts } from './money-parts.js';
import type { Plans } from './plan.js';

/** What changes of plans are made with, in the service and in commands. */
export const createMoney = (parts: {
  readonly db: Database;
  readonly plans: Plans;
  readonly payment: PaymentConfig;
}): MoneyParts => {
  const { db, plans, payment } = parts;
  if (payment.provider === 'ledger') {
    const { settlement } = payment;
    return { db, plans, provider: createLedgerProvider(settlement), settlement };
  }
  throw new ConfigError([{ variable: 'PAYMENT_PROVIDER', problem: 'stripe is not built yet: use ledger.' }]);
};
