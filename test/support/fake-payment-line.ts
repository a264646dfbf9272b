import type { Invoice, Line, Metadata, Subscription } from './fake-payment-checkout.js';
import { refuse } from './fake-payment-error.js';
import { type FormValue, formOf, metadataOf, textOf } from './fake-payment-form.js';

/** @returns a line of an invoice that is not of the subscription itself. @param now unix seconds */
export const extraLine = (amount: number, description: string, metadata: Metadata, now: number): Line => ({
  amount,
  description,
  metadata,
  period: { start: now, end: now },
  parent: { type: 'invoice_item_details' },
  pricing: null,
});

/** @returns the lines of an invoice of a subscription: its items, and what the call adds. */
export const linesOf = (
  subscription: Subscription,
  extra: readonly FormValue[],
  { isTrial, now }: { readonly isTrial: boolean; readonly now: number },
): Line[] => {
  const lines = subscription.items.data.map(
    (item): Line => ({
      amount: isTrial ? 0 : (item.price.unit_amount ?? 0) * (item.quantity ?? 1),
      description: item.price.product,
      metadata: {},
      period: { start: item.current_period_start, end: item.current_period_end },
      parent: { type: 'subscription_item_details', subscription_item_details: { proration: false } },
      pricing: { type: 'price_details', price_details: { price: item.price.id } },
    }),
  );
  const extras = extra.map((one): Line => {
    const form = formOf(one);
    const data = formOf(form.price_data);
    if (data.currency !== 'usd') throw refuse(400, 'parameter_missing', 'Missing required param: currency.');
    return extraLine(Number(textOf(data, 'unit_amount')), textOf(data, 'product'), metadataOf(form), now);
  });
  return [...lines, ...extras];
};

/** Computes the sums of an invoice. */
export const sumUp = (invoice: Invoice): void => {
  invoice.total = invoice.lines.data.reduce((sum, { amount }) => sum + amount, 0);
  invoice.amount_due = Math.max(0, invoice.total + invoice.starting_balance);
};
