import type Stripe from 'stripe';
import type { PaymentMethod } from '../../error.js';
import type { Charged } from '../provider.js';

/** Members that come along with a subscription, so that one call tells all of it. */
export const SUBSCRIPTION_EXPAND = [
  'latest_invoice',
  'default_payment_method',
  'customer.invoice_settings.default_payment_method',
];

/** Statuses of a subscription that has ended for good. */
const ENDED = new Set<string>(['canceled', 'incomplete_expired']);
/** Statuses of one whose price can be changed and charged; the others are waiting for something or somebody. */
const CHANGEABLE = new Set<string>(['active', 'trialing', 'past_due']);

export const hasEnded = ({ status }: Stripe.Subscription): boolean => ENDED.has(status);
export const isChangeable = ({ status }: Stripe.Subscription): boolean => CHANGEABLE.has(status);

/** @returns the subscription; undefined where the provider knows none of that name. */
export const retrieveSubscription = async (stripe: Stripe, id: string): Promise<Stripe.Subscription | undefined> => {
  try {
    return await stripe.subscriptions.retrieve(id, { expand: SUBSCRIPTION_EXPAND });
  } catch (error) {
    if ((error as { code?: string }).code === 'resource_missing') return undefined;
    throw error;
  }
};

/** @returns the item that the plan is: our subscriptions have one. @throws Error for a subscription without any */
export const itemOf = (subscription: Stripe.Subscription): Stripe.SubscriptionItem => {
  const [item] = subscription.items.data;
  if (item === undefined) throw new Error(`the subscription ${subscription.id} has no item`);
  return item;
};

/** @returns the period that runs, unix milliseconds: items have it, subscriptions have none of their own. */
export const periodOf = (subscription: Stripe.Subscription): { start: number; end: number } => {
  const { current_period_start: start, current_period_end: end } = itemOf(subscription);
  return { start: start * 1000, end: end * 1000 };
};

export const productOf = (subscription: Stripe.Subscription): string => {
  const { product } = itemOf(subscription).price;
  return typeof product === 'string' ? product : product.id;
};

export const customerIdOf = (reference: string | { readonly id: string } | null | undefined): string | undefined =>
  typeof reference === 'string' ? reference : reference?.id;

export const customerOf = ({ customer }: Stripe.Subscription): Stripe.Customer | undefined =>
  typeof customer === 'string' || customer.deleted ? undefined : customer;

const isOfChange = ({ billing_reason: reason }: Stripe.Invoice): boolean =>
  reason === 'subscription_create' || reason === 'subscription_update';

/** The invoice that the last change of a subscription made: a later one is of a renewal. */
const invoiceOfChange = async (stripe: Stripe, subscription: Stripe.Subscription): Promise<Stripe.Invoice> => {
  const { latest_invoice: latest } = subscription;
  if (typeof latest === 'object' && latest !== null && isOfChange(latest)) return latest;
  const { data } = await stripe.invoices.list({ subscription: subscription.id, limit: 100 });
  const found = data.find(isOfChange);
  if (found === undefined) throw new Error(`the subscription ${subscription.id} has no invoice of a change`);
  return found;
};

/** @returns the line of the plan itself: no credit, and nothing that the provider reckons by time. */
export const planLineOf = (invoice: Stripe.Invoice): Stripe.InvoiceLineItem | undefined =>
  invoice.lines.data.find(
    ({ parent }) =>
      parent?.type === 'subscription_item_details' && parent.subscription_item_details?.proration !== true,
  );

/** @returns the period that an invoice is of, unix milliseconds: that of the plan, not of a credit. */
export const periodOfInvoice = (invoice: Stripe.Invoice): { start: number; end: number } | undefined => {
  const line = planLineOf(invoice);
  return line && { start: line.period.start * 1000, end: line.period.end * 1000 };
};

interface Known {
  readonly productId: string | undefined;
  readonly method: PaymentMethod | undefined;
}

/** @returns what a subscription shows of the change that made it what it is, and that this invoice is of. */
export const chargedAs = (subscription: Stripe.Subscription, invoice: Stripe.Invoice, known: Known): Charged => {
  const customerId = customerIdOf(subscription.customer);
  return {
    reference: invoice.id,
    invoice: invoice.status === 'paid' ? 'paid' : 'open',
    names: {
      subscriptionId: subscription.id,
      ...(known.productId !== undefined && { productId: known.productId }),
      ...(customerId !== undefined && { customerId }),
      ...(known.method && { paymentMethod: known.method }),
    },
    status: hasEnded(subscription) ? 'canceled' : subscription.status,
    period: periodOfInvoice(invoice) ?? periodOf(subscription),
  };
};

/** @returns the same; the invoice is looked for. */
export const chargedOf = async (stripe: Stripe, subscription: Stripe.Subscription, known: Known): Promise<Charged> =>
  chargedAs(subscription, await invoiceOfChange(stripe, subscription), known);
