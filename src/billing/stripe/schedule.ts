import type Stripe from 'stripe';
import type { ProviderChange } from '../plan/provider.js';
import { failureOf } from './failure.js';
import { findPlanPrice } from './price.js';
import { hasEnded, isChangeable, itemOf, retrieveSubscription } from './subscription.js';

/**
 * Sets the plan of the next period; nothing is charged or credited for the running one. A plan without a price ends the
 * subscription with the period.
 * @throws PaymentFailure
 */
export const scheduleNext = async (stripe: Stripe, { subscriptionId, plan }: ProviderChange): Promise<void> => {
  if (subscriptionId === null) return;
  try {
    const subscription = await retrieveSubscription(stripe, subscriptionId);
    if (subscription === undefined || hasEnded(subscription)) return;
    if (plan.priceCents === 0) {
      // A paused or unpaid subscription has no period that ends, so it is canceled at once.
      if (isChangeable(subscription))
        await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true, proration_behavior: 'none' });
      else await stripe.subscriptions.cancel(subscription.id);
      return;
    }
    const { priceId } = await findPlanPrice(stripe, plan);
    await stripe.subscriptions.update(subscription.id, {
      items: [{ id: itemOf(subscription).id, price: priceId }],
      proration_behavior: 'none',
      cancel_at_period_end: false,
    });
  } catch (error) {
    throw failureOf(error);
  }
};
