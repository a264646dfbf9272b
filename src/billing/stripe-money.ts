import type { PaymentConfig } from '../config/billing.js';
import { isPlanChangePending } from '../store/plan-change.js';
import { updateCustomer } from '../store/provider-account.js';
import { selectSubscription } from '../store/subscription.js';
import type { PaymentEvents } from './payment-event.js';
import type { PaymentProvider } from './provider.js';
import { createStripe } from './stripe-client.js';
import { collectRenewal } from './stripe/collect.js';
import { createStripeEvents } from './stripe/event.js';
import { failureOf, plainCause } from './stripe/failure.js';
import { createStripeProvider } from './stripe-provider.js';
import { type SyncParts, takeIn } from './stripe/sync.js';

/** Builds what takes payments through Stripe, and what takes in what it tells. */
export const createStripeMoney = (
  of: Omit<SyncParts, 'stripe' | 'keepCustomer' | 'isPending'>,
  config: Extract<PaymentConfig, { provider: 'stripe' }>,
): { readonly provider: PaymentProvider; readonly events: PaymentEvents } => {
  const parts: SyncParts = {
    ...of,
    stripe: createStripe(config.secretKey, config.apiUrl),
    keepCustomer: (organizationId, customerId) => updateCustomer(of.db, organizationId, customerId),
    isPending: (changeId) => isPlanChangePending(of.db, changeId),
  };
  const catchUp = async (organizationId: string, invoiceId?: string): Promise<void> => {
    const subscriptionId = (await selectSubscription(of.db, organizationId))?.providerSubscriptionId;
    if (typeof subscriptionId !== 'string') return;
    try {
      await takeIn(parts, { organizationId, subscriptionId, invoiceId, eventAt: null });
    } catch (error) {
      throw failureOf(error);
    }
  };
  const collect = async (organizationId: string, invoiceId: string): Promise<void> => {
    // Whatever the call answers, or does not: the invoice itself tells what became of it.
    await collectRenewal(parts.stripe, invoiceId).catch((error: unknown) => {
      const details = { organizationId, invoice: invoiceId, cause: plainCause(error).message };
      of.warn(details, 'the invoice of a renewal could not be collected before an upgrade');
    });
    await catchUp(organizationId, invoiceId);
  };
  return {
    provider: createStripeProvider(parts, { catchUp, collect }),
    events: createStripeEvents(parts, config.webhookSecret),
  };
};
