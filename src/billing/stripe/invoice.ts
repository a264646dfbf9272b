import type Stripe from 'stripe';
import type { Plan, Plans } from '../plan/plan.js';
import { idOf } from './price.js';
import { itemOf, planLineOf } from './subscription.js';

/** Metadata key of the invoice item for a credit. */
const CREDIT = 'credit_cents';

/** @returns US cents of credit in an invoice */
export const creditOf = (invoice: Stripe.Invoice): number =>
  invoice.lines.data.reduce((sum, line) => (line.metadata[CREDIT] === undefined ? sum : sum - line.amount), 0);

/** @returns the plan with this price; undefined: none */
export const planOfPrice = (plans: Plans, { id, lookup_key: lookupKey }: Stripe.Price): Plan | undefined =>
  plans.all.find(({ paymentPriceId }) => paymentPriceId === id) ??
  plans.all.find((plan) => plan.paymentPriceId === undefined && plan.id === lookupKey);

/** @returns the plan with the current price of a subscription; undefined: none */
export const planOf = (plans: Plans, subscription: Stripe.Subscription): Plan | undefined =>
  planOfPrice(plans, itemOf(subscription).price);

/**
 * @returns the price of an invoice. A downgrade that was scheduled after the invoice changes the price of the
 * subscription.
 */
export const priceOfInvoice = async (
  stripe: Stripe,
  subscription: Stripe.Subscription,
  invoice: Stripe.Invoice,
): Promise<Stripe.Price> => {
  const { price: present } = itemOf(subscription);
  const price = planLineOf(invoice)?.pricing?.price_details?.price ?? present;
  if (typeof price !== 'string') return price;
  return price === present.id ? present : stripe.prices.retrieve(price);
};

export const subscriptionIdOf = (invoice: Stripe.Invoice): string | undefined => {
  const of = invoice.parent?.subscription_details?.subscription;
  return typeof of === 'string' ? of : of?.id;
};

/** @returns whether the invoice of a renewal can still be changed, which is so for about an hour */
export const isDraftRenewal = (invoice: Stripe.Invoice): boolean =>
  invoice.status === 'draft' && invoice.billing_reason === 'subscription_cycle';

/**
 * Adds the credit to the invoice of a renewal, as an item; at most once.
 * @param creditCents credit of the organization; at most the invoice's total is used
 * @returns whether the invoice changed
 */
export const deductCredit = async (stripe: Stripe, invoice: Stripe.Invoice, creditCents: number): Promise<boolean> => {
  const cents = Math.min(creditCents, invoice.total);
  const { customer } = invoice;
  if (!isDraftRenewal(invoice) || cents <= 0 || creditOf(invoice) > 0 || customer === null) return false;
  try {
    await stripe.invoiceItems.create(
      {
        customer: idOf(customer),
        invoice: invoice.id,
        amount: -cents,
        currency: invoice.currency,
        description: 'Credit for unused units',
        metadata: { [CREDIT]: String(cents) },
      },
      // The key includes the amount, because a plan change may have spent some of the credit since.
      { idempotencyKey: `${invoice.id}:credit:${cents}` },
    );
    return true;
  } catch (error) {
    // The invoice has been charged: the credit remains for the next one.
    if ((error as { statusCode?: number }).statusCode === 400) return false;
    throw error;
  }
};
