import type Stripe from 'stripe';
import type { PaymentMethod } from '../../error.js';
import type { Charged } from '../plan/provider.js';
import { idOf } from './price.js';

/** Expanded members of a subscription. */
export const SUBSCRIPTION_EXPAND = [
  'latest_invoice',
  'default_payment_method',
  'customer.invoice_settings.default_payment_method',
];

/** Final statuses of a subscription. */
const ENDED = new Set<string>(['canceled', 'incomplete_expired']);
/** Statuses in which the price of a subscription can be changed and charged. */
const CHANGEABLE = new Set<string>(['active', 'trialing', 'past_due']);

export const hasEnded = ({ status }: Stripe.Subscription): boolean => ENDED.has(status);
export const isChangeable = ({ status }: Stripe.Subscription): boolean => CHANGEABLE.has(status);

/** @returns undefined for an unknown id */
export const retrieveSubscription = async (stripe: Stripe, id: string): Promise<Stripe.Subscription | undefined> => {
  try {
    return await stripe.subscriptions.retrieve(id, { expand: SUBSCRIPTION_EXPAND });
  } catch (error) {
    if ((error as { code?: string }).code === 'resource_missing') return undefined;
    throw error;
  }
};

/** @returns the item of the plan, which is the only one. @throws Error for a subscription without items */
export const itemOf = (subscription: Stripe.Subscription): Stripe.SubscriptionItem => {
  const [item] = subscription.items.data;
  if (item === undefined) throw new Error(`the subscription ${subscription.id} has no item`);
  return item;
};

/** @returns the running period in Unix milliseconds */
export const periodOf = (subscription: Stripe.Subscription): { start: number; end: number } => {
  const { current_period_start: start, current_period_end: end } = itemOf(subscription);
  return { start: start * 1000, end: end * 1000 };
};

export const productOf = (subscription: Stripe.Subscription): string => idOf(itemOf(subscription).price.product);

export const customerIdOf = (reference: string | { readonly id: string } | null | undefined): string | undefined =>
  typeof reference === 'string' ? reference : reference?.id;

export const customerOf = ({ customer }: Stripe.Subscription): Stripe.Customer | undefined =>
  typeof customer === 'string' || customer.deleted ? undefined : customer;

const isOfChange = ({ billing_reason: reason }: Stripe.Invoice): boolean =>
  reason === 'subscription_create' || reason === 'subscription_update';

/** @returns the invoice of the last plan change; later invoices belong to renewals */
const invoiceOfChange = async (stripe: Stripe, subscription: Stripe.Subscription): Promise<Stripe.Invoice> => {
  const { latest_invoice: latest } = subscription;
  if (typeof latest === 'object' && latest !== null && isOfChange(latest)) return latest;
  const { data } = await stripe.invoices.list({ subscription: subscription.id, limit: 100 });
  const found = data.find(isOfChange);
  if (found === undefined) throw new Error(`the subscription ${subscription.id} has no invoice of a change`);
  return found;
};

/** @returns the invoice line of the plan, without credits and Stripe's own prorations */
export const planLineOf = (invoice: Stripe.Invoice): Stripe.InvoiceLineItem | undefined =>
  invoice.lines.data.find(
    ({ parent }) =>
      parent?.type === 'subscription_item_details' && parent.subscription_item_details?.proration !== true,
  );

/** @returns the period of the plan's line in Unix milliseconds; undefined: there is no such line */
export const periodOfInvoice = (invoice: Stripe.Invoice): { start: number; end: number } | undefined => {
  const line = planLineOf(invoice);
  return line && { start: line.period.start * 1000, end: line.period.end * 1000 };
};

interface Known {
  readonly productId: string | undefined;
  readonly method: PaymentMethod | undefined;
}

/** @returns the charge of the plan change that caused this invoice */
export const chargeFromSubscription = (
  subscription: Stripe.Subscription,
  invoice: Stripe.Invoice,
  known: Known,
): Charged => {
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

/** Finds the invoice of the last plan change. @returns its charge */
export const chargedOf = async (stripe: Stripe, subscription: Stripe.Subscription, known: Known): Promise<Charged> =>
  chargeFromSubscription(subscription, await invoiceOfChange(stripe, subscription), known);
