import type Stripe from 'stripe';
import type { ProviderChange } from '../provider.js';
import { failureOf } from './failure.js';
import { findOffer } from './price.js';
import { hasEnded, isChangeable, itemOf, retrieveSubscription } from './subscription.js';

/**
 * Makes the next period one of this plan: the running one is paid, and nothing is charged or credited for it. A plan
 * without a price ends the subscription with the period.
 * @throws PaymentFailure
 */
export const arrangeNext = async (stripe: Stripe, { subscriptionId, plan }: ProviderChange): Promise<void> => {
  if (subscriptionId === null) return;
  try {
    const subscription = await retrieveSubscription(stripe, subscriptionId);
    if (subscription === undefined || hasEnded(subscription)) return;
    if (plan.priceCents === 0) {
      // One that nobody pays for (paused, unpaid) has no period whose end could be waited for.
      if (isChangeable(subscription))
        await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true, proration_behavior: 'none' });
      else await stripe.subscriptions.cancel(subscription.id);
      return;
    }
    const { priceId } = await findOffer(stripe, plan);
    await stripe.subscriptions.update(subscription.id, {
      items: [{ id: itemOf(subscription).id, price: priceId }],
      proration_behavior: 'none',
      cancel_at_period_end: false,
    });
  } catch (error) {
    throw failureOf(error);
  }
};
