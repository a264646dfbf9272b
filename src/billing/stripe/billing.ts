import type { PaymentConfig } from '../../config/billing.js';
import { isPlanChangePending } from '../../store/billing/plan-change.js';
import { updateCustomer } from '../../store/billing/provider-account.js';
import { selectSubscription } from '../../store/billing/subscription.js';
import type { PaymentEvents } from '../plan/payment-event.js';
import type { PaymentProvider } from '../plan/provider.js';
import { chargeStripe, resolveStripe } from './charge.js';
import { createStripe, type StripeAddress } from './client.js';
import { collectRenewal } from './collect.js';
import { createStripeEvents } from './event.js';
import { failureOf, redactedCause } from './failure.js';
import { scheduleNext } from './schedule.js';
import { type SyncDependencies, syncSubscription } from './sync.js';

/**
 * Takes payments through Stripe, which stores customers, cards and subscriptions, and renews them. Credits are stored
 * here: Stripe gets one as an item of the invoice that it reduces, never as a balance of the customer.
 * @returns the payment provider for Stripe, and the receiver of its events
 */
export const createStripeBilling = (
  of: Omit<SyncDependencies, 'stripe' | 'storeCustomer' | 'isPending'>,
  config: Extract<PaymentConfig, { provider: 'stripe' }>,
  address?: StripeAddress,
): { readonly provider: PaymentProvider; readonly events: PaymentEvents } => {
  const deps: SyncDependencies = {
    ...of,
    stripe: createStripe(config.secretKey, address),
    storeCustomer: (organizationId, customerId) => updateCustomer(of.db, organizationId, customerId),
    isPending: (changeId) => isPlanChangePending(of.db, changeId),
  };
  const catchUp = async (organizationId: string, invoiceId?: string): Promise<void> => {
    const subscriptionId = (await selectSubscription(of.db, organizationId))?.providerSubscriptionId;
    if (typeof subscriptionId !== 'string') return;
    try {
      await syncSubscription(deps, { organizationId, subscriptionId, invoiceId, eventAt: null });
    } catch (error) {
      throw failureOf(error);
    }
  };
  const collect = async (organizationId: string, invoiceId: string): Promise<void> => {
    // The result of the call does not matter, because the invoice's state is fetched next.
    await collectRenewal(deps.stripe, invoiceId).catch((error: unknown) => {
      const details = { organizationId, invoice: invoiceId, cause: redactedCause(error).message };
      of.warn(details, 'the invoice of a renewal could not be collected before an upgrade');
    });
    await catchUp(organizationId, invoiceId);
  };
  return {
    provider: {
      name: 'stripe',
      charge: (charge) => chargeStripe(deps, charge),
      resolve: (charge) => resolveStripe(deps, charge),
      schedule: (change) => scheduleNext(deps.stripe, change),
      unschedule: (change) => scheduleNext(deps.stripe, change),
      catchUp,
      collect,
    },
    events: createStripeEvents(deps, config.webhookSecret),
  };
};
