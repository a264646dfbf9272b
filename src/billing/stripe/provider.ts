import type { PaymentProvider } from '../plan/provider.js';
import { chargeStripe, resolveStripe } from './charge.js';
import type { StripeDependencies } from './client.js';
import { scheduleNext } from './schedule.js';

/**
 * Takes payments through Stripe, which stores customers, cards and subscriptions, and renews them. Credits are stored
 * here: Stripe gets one as an item of the invoice that it reduces, never as a balance of the customer.
 */
export const createStripeProvider = (
  deps: StripeDependencies,
  taking: Required<Pick<PaymentProvider, 'catchUp' | 'collect'>>,
): PaymentProvider => ({
  name: 'stripe',
  charge: (charge) => chargeStripe(deps, charge),
  resolve: (charge) => resolveStripe(deps, charge),
  schedule: (change) => scheduleNext(deps.stripe, change),
  unschedule: (change) => scheduleNext(deps.stripe, change),
  ...taking,
});
