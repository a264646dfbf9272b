import type Stripe from 'stripe';

type Of<T, Name extends keyof T, More = object> = Pick<T, Name> & More;

/** The provider's objects, as far as the fake keeps them: members and their types are the SDK's. */
export type Customer = Of<
  Stripe.Customer,
  'id' | 'object' | 'email' | 'name' | 'metadata' | 'balance' | 'created',
  { invoice_settings: { default_payment_method: string | null }; default_source: null }
>;
export type Method = Of<
  Stripe.PaymentMethod,
  'id' | 'object' | 'type' | 'created',
  { customer: string; card: { brand: string; last4: string } }
>;
export type Price = Of<
  Stripe.Price,
  'id' | 'object' | 'active' | 'currency' | 'unit_amount' | 'lookup_key' | 'type',
  { product: string; recurring: { interval: 'month' | 'year'; interval_count: number } }
>;
export interface Line {
  readonly amount: number;
  readonly description: string;
  readonly metadata: Record<string, string>;
  readonly period: { readonly start: number; readonly end: number };
  readonly parent: {
    readonly type: 'subscription_item_details' | 'invoice_item_details';
    readonly subscription_item_details?: { readonly proration: boolean };
  };
  readonly pricing: { readonly type: 'price_details'; readonly price_details: { readonly price: string } } | null;
}
export type Invoice = Of<
  Stripe.Invoice,
  | 'id'
  | 'object'
  | 'billing_reason'
  | 'status'
  | 'currency'
  | 'total'
  | 'amount_due'
  | 'amount_paid'
  | 'attempt_count'
  | 'created'
  | 'starting_balance'
  | 'ending_balance'
  | 'hosted_invoice_url',
  {
    customer: string;
    /** Null for invoices created manually. */
    parent: {
      type: 'subscription_details';
      subscription_details: { subscription: string; metadata: Metadata };
    } | null;
    lines: { object: 'list'; has_more: boolean; url: string; data: Line[] };
  }
>;
export type Metadata = Record<string, string>;
export type Subscription = Of<
  Stripe.Subscription,
  | 'id'
  | 'object'
  | 'status'
  | 'metadata'
  | 'created'
  | 'trial_end'
  | 'cancel_at_period_end'
  | 'collection_method'
  | 'billing_cycle_anchor'
  | 'ended_at'
  | 'currency',
  {
    customer: string;
    default_payment_method: string | null;
    latest_invoice: string | null;
    items: { object: 'list'; has_more: boolean; url: string; data: Item[] };
  }
>;
export type Item = Of<
  Stripe.SubscriptionItem,
  'id' | 'object' | 'current_period_start' | 'current_period_end' | 'quantity',
  { price: Price }
>;
export type Session = Of<
  Stripe.Checkout.Session,
  'id' | 'object' | 'mode' | 'url' | 'status',
  { customer: string; setup_intent: string | null }
>;
export type Intent = Of<Stripe.SetupIntent, 'id' | 'object' | 'status', { payment_method: string }>;

export type Reason = 'subscription_create' | 'subscription_update' | 'subscription_cycle';
export type CardBehavior = 'fine' | 'declined' | 'action_needed';

/** The provider's state. */
export interface Pages {
  readonly customers: Map<string, Customer>;
  readonly methods: Map<string, Method>;
  readonly prices: Map<string, Price>;
  readonly subscriptions: Map<string, Subscription>;
  readonly invoices: Map<string, Invoice>;
  readonly sessions: Map<string, Session>;
  readonly intents: Map<string, Intent>;
  /** Charges of cards, in order. */
  readonly payments: { readonly customer: string; readonly invoice: string; readonly cents: number }[];
  readonly events: ProviderEvent[];
}

export type ProviderEvent = Of<
  Stripe.Event,
  'id' | 'object' | 'created' | 'api_version',
  { type: string; data: { object: unknown } }
>;

export const emptyPages = (): Pages => ({
  customers: new Map(),
  methods: new Map(),
  prices: new Map(),
  subscriptions: new Map(),
  invoices: new Map(),
  sessions: new Map(),
  intents: new Map(),
  payments: [],
  events: [],
});

/** The month after, `months` times, on the anchor's day or the last one of a shorter month; unix seconds, UTC. */
export const monthsAfter = (anchor: number, months: number): number => {
  const from = new Date(anchor * 1000);
  const day = from.getUTCDate();
  const first = new Date(from);
  first.setUTCDate(1);
  first.setUTCMonth(first.getUTCMonth() + months);
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  first.setUTCDate(Math.min(day, last));
  return Math.floor(first.getTime() / 1000);
};

/** @returns an active subscription whose first period begins now. */
export const newSubscription = (of: {
  readonly id: string;
  readonly itemId: string;
  readonly customer: string;
  readonly price: Price;
  readonly metadata: Metadata;
  readonly now: number;
}): Subscription => {
  const item: Item = {
    id: of.itemId,
    object: 'subscription_item',
    quantity: 1,
    price: of.price,
    current_period_start: of.now,
    current_period_end: monthsAfter(of.now, 1),
  };
  return {
    id: of.id,
    object: 'subscription',
    status: 'active',
    customer: of.customer,
    metadata: of.metadata,
    created: of.now,
    currency: 'usd',
    trial_end: null,
    cancel_at_period_end: false,
    collection_method: 'charge_automatically',
    billing_cycle_anchor: of.now,
    ended_at: null,
    default_payment_method: null,
    latest_invoice: null,
    items: { object: 'list', has_more: false, url: '', data: [item] },
  };
};
