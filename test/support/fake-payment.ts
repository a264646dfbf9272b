import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import Stripe from 'stripe';
import { PaymentBook } from './fake-payment-state.js';
import { checkForm, type Form, listOf, parseForm } from './fake-payment-form.js';
import type { ProviderEvent, Subscription } from './fake-payment-checkout.js';
import { PaymentRefusal, refuse } from './fake-payment-error.js';
import { createSession } from './fake-payment-session.js';
import { type Received, startReceiver } from './receiver.js';

/**
 * How a request is answered. fine: as it should be. away: the connection breaks before anything is done. lost: it is
 * done, and the connection breaks before the answer. silent: it is done, and no answer ever comes. fault: 500 before
 * anything is done. fault_after: it is done, and the answer is 500. fault_lost: the same, and the connection breaks
 * before that answer. busy: 429. in_use: 409, as while another request under the same key is still at work. refused: 403, as
 * for a key without the right.
 */
export type PaymentMood =
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
  /** Unix seconds that the signature says; now unless given. */
  readonly signedAt?: number;
  /** Sent in place of the event that was signed. */
  readonly body?: string;
}

/** A payment provider on loopback that the real SDK talks to: it keeps books, and signs and sends its own events. */
export interface FakePayment {
  readonly url: string;
  readonly secretKey: string;
  readonly webhookSecret: string;
  readonly book: PaymentBook;
  readonly calls: readonly PaymentCall[];
  /** Decides about each call; always `fine` at first. */
  judge: (call: PaymentCall) => PaymentMood;
  /** Waited for between what is done and the answer to it. */
  hold: (call: PaymentCall) => Promise<void> | undefined;
  /** Idempotency keys lapse, as they do a day after they were used. */
  forgetKeys(): void;
  /** @returns events of a type, the oldest first; of all types without one. */
  events(type?: string): readonly ProviderEvent[];
  /** Sends an event to the address. @returns the status of the answer */
  deliver(to: string, event: ProviderEvent, options?: DeliveryOptions): Promise<number>;
  stop(): Promise<void>;
}

const SECRET_KEY = 'sk_test_fake_payment_9f8e7d6c5b4a';
const WEBHOOK_SECRET = 'whsec_fake_payment_1a2b3c4d5e6f';

interface KeptAnswer {
  readonly digest: string;
  readonly status: number;
  readonly body: string;
}

/** Members of objects that name another object, and where that one is kept. */
const REFERENCES = {
  customer: 'customers',
  default_payment_method: 'methods',
  latest_invoice: 'invoices',
  setup_intent: 'intents',
} as const;

/** @returns a copy of the object in which the names along the path are replaced by what they name. */
const expand = (book: PaymentBook, value: unknown, path: readonly string[]): unknown => {
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
  const inner = kind !== undefined && typeof member === 'string' ? structuredClone(book.find(kind, member)) : member;
  return { ...object, [name]: expand(book, inner, rest) };
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

const answerCall = (book: PaymentBook, call: string, id: string, form: Form): unknown => {
  const { pages } = book;
  switch (call) {
    case 'POST /v1/customers':
      return book.createCustomer(form);
    case 'POST /v1/customers/:id':
      return book.updateCustomer(id, form);
    case 'GET /v1/customers/:id':
      return book.find('customers', id);
    case 'GET /v1/customers/:id/payment_methods':
      book.find('customers', id);
      return listing(
        newestFirst(pages.methods.values(), ({ customer }) => customer === id),
        form,
      );
    case 'GET /v1/prices/:id':
      return book.find('prices', id);
    case 'GET /v1/prices': {
      const keys = listOf(form.lookup_keys);
      const wanted = newestFirst(
        pages.prices.values(),
        (price) => price.lookup_key !== null && keys.includes(price.lookup_key),
      );
      return listing(form.active === 'true' ? wanted.filter(({ active }) => active) : wanted, form);
    }
    case 'POST /v1/subscriptions':
      return book.createSubscription(form);
    case 'POST /v1/subscriptions/:id':
      return book.updateSubscription(id, form);
    case 'GET /v1/subscriptions/:id':
      return book.find('subscriptions', id);
    case 'DELETE /v1/subscriptions/:id':
      return book.end(id);
    case 'GET /v1/subscriptions': {
      const fits = ({ customer, status }: Subscription) =>
        customer === form.customer && (form.status === 'all' || status !== 'canceled');
      return listing(newestFirst(pages.subscriptions.values(), fits), form);
    }
    case 'GET /v1/invoices/:id':
      return book.find('invoices', id);
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
      return book.finalize(id);
    case 'POST /v1/invoices/:id/pay':
      return book.pay(id);
    case 'POST /v1/invoiceitems':
      return book.addInvoiceItem(form);
    case 'POST /v1/checkout/sessions':
      return createSession(book, form);
    case 'GET /v1/checkout/sessions/:id':
      return book.find('sessions', id);
    default:
      throw refuse(404, 'url_invalid', `Unrecognized request URL (${call}).`);
  }
};

const IDS = /^(cus|price|sub|in|pm|ii|cs|prod)_/;

/** @returns the call with its id left out, and the id. */
const readPath = (method: string, path: string): { call: string; id: string } => {
  const steps = path.split('/').map(decodeURIComponent);
  const id = steps.find((step) => IDS.test(step)) ?? '';
  return { call: `${method} ${steps.map((step) => (IDS.test(step) ? ':id' : step)).join('/')}`, id };
};

/** @param clock unix milliseconds, of everything that the provider dates */
export const startFakePayment = async (clock: () => number = Date.now): Promise<FakePayment> => {
  const book = new PaymentBook(clock);
  const kept = new Map<string, KeptAnswer>();
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
      // A payment of an invoice that is refused has been tried, and that is remembered.
      const whole = call.endsWith('/pay') ? <T>(one: () => T): T => one() : book.whole.bind(book);
      const answer = whole(() => {
        const made = structuredClone(answerCall(book, call, id, form));
        const paths = listOf(form.expand).map((path) => String(path).split('.'));
        return paths.reduce<unknown>((value, path) => expand(book, value, path), made);
      });
      return { status: 200, body: JSON.stringify(answer) };
    } catch (error) {
      if (!(error instanceof PaymentRefusal)) throw error;
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
      checkForm(call, form);
      const mood = fake.judge({ call, form, idempotencyKey: key });
      if (mood === 'away') return void response.destroy();
      if (mood === 'busy') throw refuse(429, 'rate_limit', 'Too many requests.');
      if (mood === 'refused') throw refuse(403, 'more_permissions_required', 'The key lacks a permission.');
      if (mood === 'in_use') {
        const message = 'There is currently another in-progress request using this Idempotent Key.';
        throw new PaymentRefusal(409, { type: 'idempotency_error', code: 'idempotency_key_in_use', message });
      }
      const digest = createHash('sha256').update(`${call} ${id} ${request.body}`).digest('hex');
      const before = key === undefined ? undefined : kept.get(key);
      if (before !== undefined && before.digest !== digest) {
        const message =
          'Keys for idempotent requests can only be used with the same parameters they were first used with.';
        throw new PaymentRefusal(400, { type: 'idempotency_error', message });
      }
      const fault = {
        status: 500,
        body: JSON.stringify({ error: { type: 'api_error', message: 'An error occurred.' } }),
      };
      const done = before ?? (mood === 'fault' ? fault : work(call, id, form));
      const isFault = mood === 'fault_after' || mood === 'fault_lost';
      const said = before === undefined && isFault ? fault : done;
      // What was answered to a key is answered again, whatever it was; refused parameters were never taken in.
      if (
        key !== undefined &&
        before === undefined &&
        (said.status < 400 || said.status === 402 || said.status >= 500)
      ) {
        kept.set(key, { digest, ...said });
      }
      if (mood === 'silent') return;
      if (mood === 'lost' || mood === 'fault_lost') return void response.destroy();
      await fake.hold({ call, form, idempotencyKey: key });
      reply(response, said.status, said.body, before !== undefined);
    } catch (error) {
      if (!(error instanceof PaymentRefusal)) throw error;
      reply(response, error.status, JSON.stringify({ error: error.error }));
    }
  };

  const receiver = await startReceiver(answer);
  const fake: FakePayment = {
    url: receiver.url,
    secretKey: SECRET_KEY,
    webhookSecret: WEBHOOK_SECRET,
    book,
    calls,
    judge: () => 'fine',
    hold: () => undefined,
    forgetKeys: () => kept.clear(),
    events: (type) => book.pages.events.filter((event) => type === undefined || event.type === type),
    deliver: async (to, event, { secret = WEBHOOK_SECRET, signedAt, body } = {}) => {
      const payload = JSON.stringify(event);
      const signature = Stripe.webhooks.generateTestHeaderString({
        payload,
        secret,
        timestamp: signedAt ?? book.now,
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

/** What a plan costs at the provider: a price under the plan's id as lookup key. */
export const sellPlan = (fake: FakePayment, plan: { readonly id: string; readonly priceCents: number }): void =>
  fake.book.addPrice({
    id: `price_${plan.id}`,
    product: `prod_${plan.id}`,
    unit_amount: plan.priceCents,
    lookup_key: plan.id,
  });
