import type Stripe from 'stripe';
import type { Plan } from '../plan/plan.js';
import { plainCause, Unsold } from './failure.js';

/** What a plan is sold as. */
export interface Offer {
  readonly priceId: string;
  readonly productId: string;
}

const idOf = (reference: string | { readonly id: string }): string =>
  typeof reference === 'string' ? reference : reference.id;

/** What keeps a price from being charged for a plan: what would be paid is not what the plan says. */
const faultOf = (price: Stripe.Price, plan: Plan): string | undefined => {
  const { active, currency, unit_amount: cents, recurring } = price;
  if (!active) return 'is archived';
  if (currency !== 'usd') return `is in ${currency}, not usd`;
  if (recurring?.interval !== 'month' || recurring.interval_count !== 1) return 'is not paid every month';
  if (cents !== plan.priceCents) return `is ${cents} cents, but the plan says ${plan.priceCents}`;
  return undefined;
};

const unsold = (plan: Plan, detail: string): Unsold =>
  new Unsold(
    `The plan ${plan.name} cannot be bought at the moment: the operator of this server has to look at its price.`,
    new Error(`plan ${plan.id}: ${detail}`),
  );

/**
 * Finds the price of a plan: `paymentPriceId` of the plan file, else the one that has the plan's id as lookup key.
 * @throws Unsold where there is none, or it is not what the plan says
 */
export const findOffer = async (stripe: Stripe, plan: Plan): Promise<Offer> => {
  const price = await (plan.paymentPriceId === undefined
    ? stripe.prices.list({ lookup_keys: [plan.id], active: true, limit: 1 }).then(({ data }) => data[0])
    : stripe.prices.retrieve(plan.paymentPriceId).catch((error) => {
        if (error?.code === 'resource_missing') throw unsold(plan, plainCause(error).message);
        throw error;
      }));
  if (price === undefined) throw unsold(plan, `no active price has the lookup key ${plan.id}`);
  const fault = faultOf(price, plan);
  if (fault !== undefined) throw unsold(plan, `the price ${price.id} ${fault}`);
  return { priceId: price.id, productId: plan.paymentProductId ?? idOf(price.product) };
};
