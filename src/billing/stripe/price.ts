import type Stripe from 'stripe';
import type { Plan } from '../plan/plan.js';
import { PlanNotSold, redactedCause } from './failure.js';

/** Stripe's ids of a plan. */
export interface PlanPrice {
  readonly priceId: string;
  readonly productId: string;
}

export const idOf = (reference: string | { readonly id: string }): string =>
  typeof reference === 'string' ? reference : reference.id;

/** @returns why a price must not be charged for a plan; undefined: it may */
const errorOf = (price: Stripe.Price, plan: Plan): string | undefined => {
  const { active, currency, unit_amount: cents, recurring } = price;
  if (!active) return 'is archived';
  if (currency !== 'usd') return `is in ${currency}, not usd`;
  if (recurring?.interval !== 'month' || recurring.interval_count !== 1) return 'is not paid every month';
  if (cents !== plan.priceCents) return `is ${cents} cents, but the plan says ${plan.priceCents}`;
  return undefined;
};

const planNotSold = (plan: Plan, detail: string): PlanNotSold =>
  new PlanNotSold(
    `The plan ${plan.name} cannot be bought at the moment: the operator of this server has to look at its price.`,
    new Error(`plan ${plan.id}: ${detail}`),
  );

/**
 * Finds the price of a plan: `paymentPriceId` of the plan file, else the one that has the plan's id as lookup key.
 * @throws PlanNotSold when there is none, or it differs from the plan
 */
export const findPlanPrice = async (stripe: Stripe, plan: Plan): Promise<PlanPrice> => {
  const price = await (plan.paymentPriceId === undefined
    ? stripe.prices.list({ lookup_keys: [plan.id], active: true, limit: 1 }).then(({ data }) => data[0])
    : stripe.prices.retrieve(plan.paymentPriceId).catch((error) => {
        if (error?.code === 'resource_missing') throw planNotSold(plan, redactedCause(error).message);
        throw error;
      }));
  if (price === undefined) throw planNotSold(plan, `no active price has the lookup key ${plan.id}`);
  const problem = errorOf(price, plan);
  if (problem !== undefined) throw planNotSold(plan, `the price ${price.id} ${problem}`);
  return { priceId: price.id, productId: plan.paymentProductId ?? idOf(price.product) };
};
