import type { PaymentConfig } from '../config/billing.js';
import type { Database } from '../store/database.js';
import { createLedgerProvider } from './plan/ledger-provider.js';
import type { MoneyParts } from './money-parts.js';
import type { PaymentEvents } from './payment-event.js';
import type { Plans } from './plan/plan.js';

/** What changes of plans are made with, and what takes in the events of an outside provider, where there is one. */
export interface Money extends MoneyParts {
  readonly events?: PaymentEvents;
}

/** What changes of plans are made with, in the service and in commands. */
export const createMoney = async (parts: {
  readonly db: Database;
  readonly plans: Plans;
  readonly payment: PaymentConfig;
  /** Unix milliseconds. */
  readonly clock: () => number;
  /** Where pages of an outside provider lead when somebody is done there. */
  readonly returnUrl: string;
  /** Told of what an operator has to look at. */
  readonly warn: (details: object, message: string) => void;
}): Promise<Money> => {
  const { db, plans, payment, ...rest } = parts;
  if (payment.provider === 'ledger') {
    const { settlement } = payment;
    return { db, plans, provider: createLedgerProvider(settlement), settlement };
  }
  // Its library is large: who takes no payments does not wait for it.
  const { createStripeMoney } = await import('./stripe-money.js');
  return { db, plans, ...createStripeMoney({ db, plans, ...rest }, payment), settlement: 'open' };
};
