import type Stripe from 'stripe';
import { refuse } from './fake-payment-error.js';

/** A parameter of a request as its form spells it: texts, lists of them, and parameters with names of their own. */
export type FormValue = string | readonly FormValue[] | Form;
export interface Form {
  readonly [name: string]: FormValue;
}

type Inner<T> = Exclude<T, string | number | boolean | undefined | null>;
type Entry<T> = Inner<T> extends readonly (infer One)[] ? Inner<One> : Inner<T>;
/** The parameters that a call of the provider may have, by the SDK's own types: an invented name does not compile. */
type Names<T> = { readonly [K in keyof T]?: true | Names<Entry<T[K]>> };

const names = <T>(shape: Names<T>): Names<unknown> => shape;

const addInvoiceItems: Names<Stripe.SubscriptionUpdateParams.AddInvoiceItem> = {
  price_data: { currency: true, product: true, unit_amount: true },
  metadata: true,
  discountable: true,
  quantity: true,
};

/** The part of the provider's interface that the fake speaks: what it takes for each call. */
const ACCEPTED: Readonly<Record<string, Names<unknown>>> = {
  'POST /v1/customers': names<Stripe.CustomerCreateParams>({ name: true, email: true, metadata: true }),
  'POST /v1/customers/:id': names<Stripe.CustomerUpdateParams>({
    name: true,
    email: true,
    metadata: true,
    invoice_settings: { default_payment_method: true },
  }),
  'GET /v1/customers/:id': names<Stripe.CustomerRetrieveParams>({ expand: true }),
  'GET /v1/customers/:id/payment_methods': names<Stripe.CustomerListPaymentMethodsParams>({ type: true, limit: true }),
  'GET /v1/prices/:id': names<Stripe.PriceRetrieveParams>({ expand: true }),
  'GET /v1/prices': names<Stripe.PriceListParams>({ lookup_keys: true, active: true, limit: true }),
  'POST /v1/subscriptions': names<Stripe.SubscriptionCreateParams>({
    customer: true,
    items: { price: true, quantity: true },
    add_invoice_items: addInvoiceItems,
    metadata: true,
    off_session: true,
    payment_behavior: true,
    proration_behavior: true,
    expand: true,
  }),
  'POST /v1/subscriptions/:id': names<Stripe.SubscriptionUpdateParams>({
    items: { id: true, price: true, quantity: true },
    add_invoice_items: addInvoiceItems,
    billing_cycle_anchor: { type: true },
    cancel_at_period_end: true,
    metadata: true,
    off_session: true,
    payment_behavior: true,
    proration_behavior: true,
    trial_end: true,
    expand: true,
  }),
  'GET /v1/subscriptions/:id': names<Stripe.SubscriptionRetrieveParams>({ expand: true }),
  'GET /v1/subscriptions': names<Stripe.SubscriptionListParams>({
    customer: true,
    status: true,
    limit: true,
    expand: true,
  }),
  'GET /v1/invoices/:id': names<Stripe.InvoiceRetrieveParams>({ expand: true }),
  'GET /v1/invoices': names<Stripe.InvoiceListParams>({
    customer: true,
    subscription: true,
    status: true,
    limit: true,
    starting_after: true,
  }),
  'POST /v1/invoices/:id/finalize': names<Stripe.InvoiceFinalizeInvoiceParams>({ expand: true }),
  'POST /v1/invoices/:id/pay': names<Stripe.InvoicePayParams>({ off_session: true, expand: true }),
  'POST /v1/invoiceitems': names<Stripe.InvoiceItemCreateParams>({
    customer: true,
    invoice: true,
    amount: true,
    currency: true,
    description: true,
    metadata: true,
  }),
  'DELETE /v1/subscriptions/:id': names<Stripe.SubscriptionCancelParams>({ invoice_now: true, prorate: true }),
  'POST /v1/checkout/sessions': names<Stripe.Checkout.SessionCreateParams>({
    customer: true,
    mode: true,
    currency: true,
    success_url: true,
    allowed_payment_method_types: true,
    metadata: true,
  }),
  'GET /v1/checkout/sessions/:id': names<Stripe.Checkout.SessionRetrieveParams>({ expand: true }),
};

const isList = (value: FormValue | undefined): value is readonly FormValue[] => Array.isArray(value);

type Growing = Map<string, string | Growing>;

const finish = (grown: Growing): FormValue => {
  const entries = [...grown].map(([name, value]) => [name, typeof value === 'string' ? value : finish(value)] as const);
  const isArray = entries.length > 0 && entries.every(([name], at) => name === String(at));
  return isArray ? entries.map(([, value]) => value) : Object.fromEntries(entries);
};

/** @returns the parameters of a form body or a query: `items[0][price]=p` is `{ items: [{ price: 'p' }] }`. */
export const parseForm = (text: string): Form => {
  const root: Growing = new Map();
  for (const [key, value] of new URLSearchParams(text)) {
    const steps = key.split(/\[|\]\[|\]/).filter((step) => step !== '');
    const last = steps.pop();
    if (last === undefined) throw refuse(400, 'parameter_unknown', `Received unknown parameter: ${key}`);
    let at = root;
    for (const step of steps) {
      const inner = at.get(step) ?? new Map();
      if (typeof inner === 'string') throw refuse(400, 'parameter_invalid', `Invalid ${key}`);
      at.set(step, inner);
      at = inner;
    }
    at.set(last, value);
  }
  return root.size === 0 ? {} : (finish(root) as Form);
};

const check = (form: FormValue, taken: true | Names<unknown>, path: string): void => {
  if (taken === true) return;
  if (isList(form)) {
    for (const [at, one] of form.entries()) check(one, taken, `${path}[${at}]`);
    return;
  }
  if (typeof form === 'string') throw refuse(400, 'parameter_invalid_object', `Invalid object: ${path}`, path);
  for (const [name, value] of Object.entries(form)) {
    const inner = (taken as Record<string, true | Names<unknown> | undefined>)[name];
    const full = path === '' ? name : `${path}[${name}]`;
    if (inner === undefined) throw refuse(400, 'parameter_unknown', `Received unknown parameter: ${full}`, full);
    check(value, inner, full);
  }
};

/**
 * @param call method and path with its ids left out: `POST /v1/customers/:id`
 * @throws the provider's refusal of a call that the fake does not speak, and of parameters that the call does not have
 */
export const checkFormBody = (call: string, form: Form): void => {
  const taken = ACCEPTED[call];
  if (taken === undefined) throw refuse(404, 'url_invalid', `Unrecognized request URL (${call}).`);
  check(form, taken, '');
};

/** Reads of a form what the provider would refuse to go on without. */
export const textOf = (form: Form, name: string): string => {
  const value = form[name];
  if (typeof value !== 'string' || value === '')
    throw refuse(400, 'parameter_missing', `Missing required param: ${name}.`, name);
  return value;
};

export const formOf = (value: FormValue | undefined): Form =>
  value === undefined || typeof value === 'string' || isList(value) ? {} : value;

export const listOf = (value: FormValue | undefined): readonly FormValue[] => (isList(value) ? value : []);

/** @returns metadata with what a form sets in it; an empty text takes a name away. */
export const metadataOf = (form: Form, before: Readonly<Record<string, string>> = {}): Record<string, string> => {
  const merged = { ...before, ...(formOf(form.metadata) as Record<string, string>) };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== ''));
};
