import type Stripe from 'stripe';
import type { Plan, Plans } from '../plan/plan.js';
import { itemOf, planLineOf } from './subscription.js';

/** Marks the item of an invoice that is our credit. */
const CREDIT = 'credit_cents';

/** @returns US cents that an invoice takes off as our credit. */
export const creditOf = (invoice: Stripe.Invoice): number =>
  invoice.lines.data.reduce((sum, line) => (line.metadata[CREDIT] === undefined ? sum : sum - line.amount), 0);

/** @returns the plan that a price is of; undefined: none of ours. */
export const planOfPrice = (plans: Plans, { id, lookup_key: lookupKey }: Stripe.Price): Plan | undefined =>
  plans.all.find(({ paymentPriceId }) => paymentPriceId === id) ??
  plans.all.find((plan) => plan.paymentPriceId === undefined && plan.id === lookupKey);

/** @returns the plan that a subscription is to from now on, by its price; undefined: none of ours. */
export const planOf = (plans: Plans, subscription: Stripe.Subscription): Plan | undefined =>
  planOfPrice(plans, itemOf(subscription).price);

/**
 * @returns the price that an invoice is of. The subscription may have another one since: a downgrade that was arranged
 * after the invoice was made changes it.
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

/** @returns the subscription that an invoice is of. */
export const subscriptionIdOf = (invoice: Stripe.Invoice): string | undefined => {
  const of = invoice.parent?.subscription_details?.subscription;
  return typeof of === 'string' ? of : of?.id;
};

/** Whether a renewal's invoice can still be changed: for about an hour, before it is charged. */
export const isDraftRenewal = (invoice: Stripe.Invoice): boolean =>
  invoice.status === 'draft' && invoice.billing_reason === 'subscription_cycle';

/**
 * Takes our credit off the invoice of a renewal, as an item of it: once, however often it is called.
 * @param creditCents that the organization has; no more than the invoice is taken
 * @returns whether the invoice is another one now
 */
export const takeOffCredit = async (stripe: Stripe, invoice: Stripe.Invoice, creditCents: number): Promise<boolean> => {
  const cents = Math.min(creditCents, invoice.total);
  const { customer } = invoice;
  if (!isDraftRenewal(invoice) || cents <= 0 || creditOf(invoice) > 0 || customer === null) return false;
  try {
    await stripe.invoiceItems.create(
      {
        customer: typeof customer === 'string' ? customer : customer.id,
        invoice: invoice.id,
        amount: -cents,
        currency: invoice.currency,
        description: 'Credit for unused units',
        metadata: { [CREDIT]: String(cents) },
      },
      // The amount is part of the key: a change may have spent some of the credit since.
      { idempotencyKey: `${invoice.id}:credit:${cents}` },
    );
    return true;
  } catch (error) {
    // It was charged meanwhile: the credit is there for the next one.
    if ((error as { statusCode?: number }).statusCode === 400) return false;
    throw error;
  }
};
