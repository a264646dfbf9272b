import type Stripe from 'stripe';
import type { PaymentProvider } from './provider.js';
import { chargeStripe, resolveStripe } from './stripe-charge.js';
import { arrangeNext } from './stripe/schedule.js';

/** What the calls to the provider are made with. */
export interface StripeParts {
  readonly stripe: Stripe;
  /** Unix milliseconds. */
  readonly clock: () => number;
  /** Where pages of the provider lead when somebody is done there. */
  readonly returnUrl: string;
  /** Stores the name that the provider gave to an organization. */
  readonly keepCustomer: (organizationId: string, customerId: string) => Promise<void>;
  /** Whether a change still waits for its charge. */
  readonly isPending: (changeId: string) => Promise<boolean>;
}

/**
 * Takes payments through Stripe, which keeps customers, cards and subscriptions, and renews them. Credits are ours: it
 * learns of one as an item of the invoice that it is taken off, never as a balance of the customer.
 */
export const createStripeProvider = (
  parts: StripeParts,
  taking: Required<Pick<PaymentProvider, 'catchUp' | 'collect'>>,
): PaymentProvider => ({
  name: 'stripe',
  charge: (charge) => chargeStripe(parts, charge),
  resolve: (charge) => resolveStripe(parts, charge),
  schedule: (change) => arrangeNext(parts.stripe, change),
  unschedule: (change) => arrangeNext(parts.stripe, change),
  ...taking,
});
