import type { PaymentConfig } from '../config/billing.js';
import type { Database } from '../db/database.js';
import type { BillingDependencies } from './plan/dependencies.js';
import { createLedgerProvider } from './plan/ledger-provider.js';
import type { PaymentEvents } from './plan/payment-event.js';
import type { StripeAddress } from './stripe/client.js';
import type { BookingDependencies } from './stripe/invoice-recording.js';

/** Dependencies of plan changes, and the receiver of payment events where a provider sends any. */
export interface BillingService extends BillingDependencies {
  readonly events?: PaymentEvents;
}

export const createBillingService = async (
  dependencies: BookingDependencies & {
    readonly db: Database;
    readonly payment: PaymentConfig;
    /** URL to which the provider's pages return the customer. */
    readonly returnUrl: string;
    readonly stripeAddress?: StripeAddress | undefined;
  },
): Promise<BillingService> => {
  const { db, plans, payment, stripeAddress, ...rest } = dependencies;
  if (payment.provider === 'ledger') {
    const { settlement } = payment;
    return { db, plans, provider: createLedgerProvider(settlement), settlement };
  }
  // Loaded only where it is used, because Stripe's library is large.
  const { createStripeBilling } = await import('./stripe/billing.js');
  return { db, plans, ...createStripeBilling({ db, plans, ...rest }, payment, stripeAddress), settlement: 'open' };
};
