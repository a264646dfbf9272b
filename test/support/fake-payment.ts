import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import Stripe from 'stripe';
import type { ProviderEvent, Subscription } from './fake-payment-checkout.js';
import { PaymentErrorResponse, refuse } from './fake-payment-error.js';
import { checkFormBody, type Form, listOf, parseForm } from './fake-payment-form.js';
import { createSession } from './fake-payment-session.js';
import { PaymentState } from './fake-payment-state.js';
import { type Received, startReceiver } from './receiver.js';

/**
 * How a request is answered. fine: normally. away: the connection breaks before anything is done. lost: it is done, but
 * the connection breaks before the response. silent: it is done, but there is no response. fault: 500 before anything
 * is done. fault_after: 500 after it is done. fault_lost: the same, and the connection breaks before the response.
 * busy: 429. in_use: 409, as while another request with the same key is running. refused: 403, as for a key without
 * permission.
 */
export type PaymentBehavior =
  | 'fine'
  | 'away'
  | 'lost'
  | 'silent'
  | 'fault'
  | 'fault_after'
  | 'fault_lost'
  | 'busy'
  | 'in_use'
  | 'refused';

/** A call as the provider lists it: `POST /v1/subscriptions/:id`. */
export interface PaymentCall {
  readonly call: string;
  readonly form: Form;
  readonly idempotencyKey: string | undefined;
}

export interface DeliveryOptions {
  readonly secret?: string;
  /** Unix seconds of the signature; now by default. */
  readonly signedAt?: number;
  /** Sent in place of the signed event. */
  readonly body?: string;
}

/** A payment provider on loopback for the real SDK: it keeps books, and signs and sends its own events. */
export interface FakePayment {
  readonly url: string;
  readonly secretKey: string;
  readonly webhookSecret: string;
  readonly state: PaymentState;
  readonly calls: readonly PaymentCall[];
  /** Chooses the behavior for each call; `fine` by default. */
  decide: (call: PaymentCall) => PaymentBehavior;
  /** Delays the response after a call is done. */
  hold: (call: PaymentCall) => Promise<void> | undefined;
  /** Expires idempotency keys, as happens after a day. */
  forgetKeys(): void;
  /** @returns events of a type, or all, the oldest first. */
  events(type?: string): readonly ProviderEvent[];
  /** Sends an event to the address. @returns the status of the answer */
  deliver(to: string, event: ProviderEvent, options?: DeliveryOptions): Promise<number>;
  stop(): Promise<void>;
}

const SECRET_KEY = 'sk_test_fake_payment_9f8e7d6c5b4a';
const WEBHOOK_SECRET = 'whsec_fake_payment_1a2b3c4d5e6f';

interface StoredResponse {
  readonly digest: string;
  readonly status: number;
  readonly body: string;
}

/** Members that refer to another object, and where it is stored. */
const REFERENCES = {
  customer: 'customers',
  default_payment_method: 'methods',
  latest_invoice: 'invoices',
  setup_intent: 'intents',
} as const;

/** @returns a copy of the object with the ids along the path replaced by their objects. */
const expand = (state: PaymentState, value: unknown, path: readonly string[]): unknown => {
  const [name, ...rest] = path;
  if (name === undefined || value === null || typeof value !== 'object') return value;
  const object = value as Record<string, unknown>;
  if (!(name in object)) {
    throw refuse(400, 'parameter_invalid', `This property cannot be expanded (${name}).`, 'expand');
  }
  const kind = REFERENCES[name as keyof typeof REFERENCES];
  const member = object[name];
  if (rest.length === 0 && kind === undefined) {
    throw refuse(400, 'parameter_invalid', `This property cannot be expanded (${name}).`, 'expand');
  }
  const inner = kind !== undefined && typeof member === 'string' ? structuredClone(state.find(kind, member)) : member;
  return { ...object, [name]: expand(state, inner, rest) };
};

const listing = (data: readonly unknown[], form: Form) => {
  const limit = Number(form.limit ?? 10);
  const from =
    form.starting_after === undefined
      ? 0
      : data.findIndex((one) => (one as { id: string }).id === form.starting_after) + 1;
  return { object: 'list', data: data.slice(from, from + limit), has_more: data.length > from + limit, url: '' };
};

const newestFirst = <T>(all: Iterable<T>, keep: (one: T) => boolean): T[] => [...all].filter(keep).reverse();

const answerCall = (state: PaymentState, call: string, id: string, form: Form): unknown => {
  const { pages } = state;
  switch (call) {
    case 'POST /v1/customers':
      return state.createCustomer(form);
    case 'POST /v1/customers/:id':
      return state.updateCustomer(id, form);
    case 'GET /v1/customers/:id':
      return state.find('customers', id);
    case 'GET /v1/customers/:id/payment_methods':
      state.find('customers', id);
      return listing(
        newestFirst(pages.methods.values(), ({ customer }) => customer === id),
        form,
      );
    case 'GET /v1/prices/:id':
      return state.find('prices', id);
    case 'GET /v1/prices': {
      const keys = listOf(form.lookup_keys);
      const wanted = newestFirst(
        pages.prices.values(),
        (price) => price.lookup_key !== null && keys.includes(price.lookup_key),
      );
      return listing(form.active === 'true' ? wanted.filter(({ active }) => active) : wanted, form);
    }
    case 'POST /v1/subscriptions':
      return state.createSubscription(form);
    case 'POST /v1/subscriptions/:id':
      return state.updateSubscription(id, form);
    case 'GET /v1/subscriptions/:id':
      return state.find('subscriptions', id);
    case 'DELETE /v1/subscriptions/:id':
      return state.end(id);
    case 'GET /v1/subscriptions': {
      const fits = ({ customer, status }: Subscription) =>
        customer === form.customer && (form.status === 'all' || status !== 'canceled');
      return listing(newestFirst(pages.subscriptions.values(), fits), form);
    }
    case 'GET /v1/invoices/:id':
      return state.find('invoices', id);
    case 'GET /v1/invoices': {
      const invoices = newestFirst(
        pages.invoices.values(),
        ({ parent, customer, status }) =>
          (form.subscription === undefined || parent?.subscription_details.subscription === form.subscription) &&
          (form.customer === undefined || customer === form.customer) &&
          (form.status === undefined || status === form.status),
      );
      return listing(invoices, form);
    }
    case 'POST /v1/invoices/:id/finalize':
      return state.finalize(id);
    case 'POST /v1/invoices/:id/pay':
      return state.pay(id);
    case 'POST /v1/invoiceitems':
      return state.addInvoiceItem(form);
    case 'POST /v1/checkout/sessions':
      return createSession(state, form);
    case 'GET /v1/checkout/sessions/:id':
      return state.find('sessions', id);
    default:
      throw refuse(404, 'url_invalid', `Unrecognized request URL (${call}).`);
  }
};

const IDS = /^(cus|price|sub|in|pm|ii|cs|prod)_/;

/** @returns the call without its id, and the id. */
const readPath = (method: string, path: string): { call: string; id: string } => {
  const steps = path.split('/').map(decodeURIComponent);
  const id = steps.find((step) => IDS.test(step)) ?? '';
  return { call: `${method} ${steps.map((step) => (IDS.test(step) ? ':id' : step)).join('/')}`, id };
};

/** @param clock Unix milliseconds of all the provider's times */
export const startFakePayment = async (clock: () => number = Date.now): Promise<FakePayment> => {
  const state = new PaymentState(clock);
  const kept = new Map<string, StoredResponse>();
  const calls: PaymentCall[] = [];

  const reply = (response: ServerResponse, status: number, body: string, replayed = false): void => {
    response.writeHead(status, {
      'content-type': 'application/json',
      'request-id': `req_test_${calls.length}`,
      ...(replayed ? { 'idempotent-replayed': 'true' } : {}),
    });
    response.end(body);
  };

  const work = (call: string, id: string, form: Form): { status: number; body: string } => {
    try {
      // A failed payment of an invoice counts as an attempt, which is recorded.
      const whole = call.endsWith('/pay') ? <T>(one: () => T): T => one() : state.whole.bind(state);
      const answer = whole(() => {
        const made = structuredClone(answerCall(state, call, id, form));
        const paths = listOf(form.expand).map((path) => String(path).split('.'));
        return paths.reduce<unknown>((value, path) => expand(state, value, path), made);
      });
      return { status: 200, body: JSON.stringify(answer) };
    } catch (error) {
      if (!(error instanceof PaymentErrorResponse)) throw error;
      return { status: error.status, body: JSON.stringify({ error: error.error }) };
    }
  };

  const answer = async (request: Received, response: ServerResponse): Promise<void> => {
    const { pathname, search } = new URL(request.path, 'http://localhost');
    const { call, id } = readPath(request.method, pathname);
    if (request.headers.authorization !== `Bearer ${SECRET_KEY}`) {
      reply(
        response,
        401,
        JSON.stringify({ error: { type: 'invalid_request_error', message: 'Invalid API Key provided' } }),
      );
      return;
    }
    try {
      const form = parseForm(request.method === 'POST' ? request.body : search.slice(1));
      const key = request.headers['idempotency-key'] as string | undefined;
      calls.push({ call, form, idempotencyKey: key });
      checkFormBody(call, form);
      const behavior = fake.decide({ call, form, idempotencyKey: key });
      if (behavior === 'away') return void response.destroy();
      if (behavior === 'busy') throw refuse(429, 'rate_limit', 'Too many requests.');
      if (behavior === 'refused') throw refuse(403, 'more_permissions_required', 'The key lacks a permission.');
      if (behavior === 'in_use') {
        const message = 'There is currently another in-progress request using this Idempotent Key.';
        throw new PaymentErrorResponse(409, { type: 'idempotency_error', code: 'idempotency_key_in_use', message });
      }
      const digest = createHash('sha256').update(`${call} ${id} ${request.body}`).digest('hex');
      const before = key === undefined ? undefined : kept.get(key);
      if (before !== undefined && before.digest !== digest) {
        const message =
          'Keys for idempotent requests can only be used with the same parameters they were first used with.';
        throw new PaymentErrorResponse(400, { type: 'idempotency_error', message });
      }
      const fault = {
        status: 500,
        body: JSON.stringify({ error: { type: 'api_error', message: 'An error occurred.' } }),
      };
      const done = before ?? (behavior === 'fault' ? fault : work(call, id, form));
      const isError = behavior === 'fault_after' || behavior === 'fault_lost';
      const said = before === undefined && isError ? fault : done;
      // A repeated key gets the same response; requests with invalid parameters are not recorded.
      if (
        key !== undefined &&
        before === undefined &&
        (said.status < 400 || said.status === 402 || said.status >= 500)
      ) {
        kept.set(key, { digest, ...said });
      }
      if (behavior === 'silent') return;
      if (behavior === 'lost' || behavior === 'fault_lost') return void response.destroy();
      await fake.hold({ call, form, idempotencyKey: key });
      reply(response, said.status, said.body, before !== undefined);
    } catch (error) {
      if (!(error instanceof PaymentErrorResponse)) throw error;
      reply(response, error.status, JSON.stringify({ error: error.error }));
    }
  };

  const receiver = await startReceiver(answer);
  const fake: FakePayment = {
    url: receiver.url,
    secretKey: SECRET_KEY,
    webhookSecret: WEBHOOK_SECRET,
    state,
    calls,
    decide: () => 'fine',
    hold: () => undefined,
    forgetKeys: () => kept.clear(),
    events: (type) => state.pages.events.filter((event) => type === undefined || event.type === type),
    deliver: async (to, event, { secret = WEBHOOK_SECRET, signedAt, body } = {}) => {
      const payload = JSON.stringify(event);
      const signature = Stripe.webhooks.generateTestHeaderString({
        payload,
        secret,
        timestamp: signedAt ?? state.now,
      });
      const response = await fetch(to, {
        method: 'POST',
        headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
        body: body ?? payload,
      });
      await response.arrayBuffer();
      return response.status;
    },
    stop: () => receiver.stop(),
  };
  return fake;
};

/** Creates the price of a plan at the provider, with the plan's id as lookup key. */
export const sellPlan = (fake: FakePayment, plan: { readonly id: string; readonly priceCents: number }): void =>
  fake.state.addPrice({
    id: `price_${plan.id}`,
    product: `prod_${plan.id}`,
    unit_amount: plan.priceCents,
    lookup_key: plan.id,
  });
