import {
  type CardBehavior,
  type Customer,
  emptyPages,
  type Invoice,
  type Metadata,
  type Method,
  monthsAfter,
  newSubscription,
  type Pages,
  type Price,
  type Reason,
  type Subscription,
} from './fake-payment-checkout.js';
import { PaymentErrorResponse, refuse } from './fake-payment-error.js';
import { type Form, type FormValue, formOf, listOf, metadataOf, textOf } from './fake-payment-form.js';
import { extraLine, linesOf, sumUp } from './fake-payment-line.js';

const ENDED = new Set(['canceled', 'incomplete_expired']);

/** State and behavior of the payment provider: charges, periods, events. Cents and Unix seconds. */
export class PaymentState {
  pages = emptyPages();
  /** How each card behaves when it is charged: by its last four digits. */
  readonly cards = new Map<string, CardBehavior>();
  #count = 0;

  /** @param clock unix milliseconds */
  constructor(readonly clock: () => number) {}

  get now(): number {
    return Math.floor(this.clock() / 1000);
  }

  id(prefix: string): string {
    this.#count += 1;
    return `${prefix}_test_${String(this.#count).padStart(6, '0')}`;
  }

  /** Runs a call as a transaction: if it fails, nothing changes. */
  whole<T>(work: () => T): T {
    // Events never change, so a copy of their list is enough.
    const before = { ...structuredClone({ ...this.pages, events: [] }), events: [...this.pages.events] };
    try {
      return work();
    } catch (error) {
      this.pages = before;
      throw error;
    }
  }

  tell(type: string, object: unknown): void {
    const event = { id: this.id('evt'), object: 'event', api_version: null, created: this.now, type } as const;
    this.pages.events.push({ ...event, data: { object: structuredClone(object) } });
  }

  /** @throws the provider's 404 */
  find<Kind extends 'customers' | 'methods' | 'prices' | 'subscriptions' | 'invoices' | 'sessions' | 'intents'>(
    kind: Kind,
    id: string,
  ): Pages[Kind] extends Map<string, infer One> ? One : never {
    const found = this.pages[kind].get(id);
    if (found === undefined) throw refuse(404, 'resource_missing', `No such ${kind.slice(0, -1)}: '${id}'`, 'id');
    return found as Pages[Kind] extends Map<string, infer One> ? One : never;
  }

  createCustomer(form: Form): Customer {
    const customer: Customer = {
      id: this.id('cus'),
      object: 'customer',
      name: typeof form.name === 'string' ? form.name : null,
      email: typeof form.email === 'string' ? form.email : null,
      metadata: metadataOf(form),
      balance: 0,
      created: this.now,
      invoice_settings: { default_payment_method: null },
      default_source: null,
    };
    this.pages.customers.set(customer.id, customer);
    this.tell('customer.created', customer);
    return customer;
  }

  updateCustomer(id: string, form: Form): Customer {
    const customer = this.find('customers', id);
    const method = formOf(form.invoice_settings).default_payment_method;
    if (typeof method === 'string') {
      if (this.find('methods', method).customer !== id) {
        throw refuse(400, 'resource_missing', 'The customer does not have that payment method.');
      }
      customer.invoice_settings.default_payment_method = method;
    }
    customer.metadata = metadataOf(form, customer.metadata);
    this.tell('customer.updated', customer);
    return customer;
  }

  /** A card is entered on the provider's page: it belongs to the customer, and is not the default yet. */
  addCard(customer: string, brand: string, last4: string, behavior: CardBehavior = 'fine'): Method {
    const method: Method = {
      id: this.id('pm'),
      object: 'payment_method',
      type: 'card',
      created: this.now,
      customer,
      card: { brand, last4 },
    };
    this.find('customers', customer);
    this.pages.methods.set(method.id, method);
    this.cards.set(last4, behavior);
    this.tell('payment_method.attached', method);
    return method;
  }

  addPrice(price: Partial<Price> & Pick<Price, 'id' | 'unit_amount' | 'product'>): void {
    this.pages.prices.set(price.id, {
      object: 'price',
      active: true,
      currency: 'usd',
      lookup_key: null,
      type: 'recurring',
      recurring: { interval: 'month', interval_count: 1 },
      ...price,
    });
  }

  /** A card is entered on the page of a session. */
  completeSession(url: string, brand: string, last4: string, behavior: CardBehavior = 'fine'): Method {
    const session = [...this.pages.sessions.values()].find((one) => one.url === url);
    if (session === undefined) throw new Error(`there is no page ${url}`);
    const method = this.addCard(session.customer, brand, last4, behavior);
    const id = this.id('seti');
    this.pages.intents.set(id, { id, object: 'setup_intent', status: 'succeeded', payment_method: method.id });
    Object.assign(session, { status: 'complete', url: null, setup_intent: id });
    this.tell('checkout.session.completed', session);
    return method;
  }

  createSubscription(form: Form): Subscription {
    const customer = this.find('customers', textOf(form, 'customer'));
    this.#requireModes(form);
    const [item] = listOf(form.items);
    const price = this.#priceOf(textOf(formOf(item), 'price'));
    const subscription = this.#open(customer.id, price, metadataOf(form));
    this.#bill(subscription, 'subscription_create', form);
    this.tell('customer.subscription.created', subscription);
    return subscription;
  }

  /** An operator creates a trial in the provider's dashboard. */
  startTrial(customer: string, priceId: string, trialEnd: number): Subscription {
    const subscription = this.#open(customer, this.#priceOf(priceId), {});
    subscription.status = 'trialing';
    subscription.trial_end = trialEnd;
    subscription.billing_cycle_anchor = trialEnd;
    for (const item of subscription.items.data) item.current_period_end = trialEnd;
    this.#bill(subscription, 'subscription_create', {});
    this.tell('customer.subscription.created', subscription);
    return subscription;
  }

  #open(customer: string, price: Price, metadata: Metadata): Subscription {
    const subscription = newSubscription({
      id: this.id('sub'),
      itemId: this.id('si'),
      customer,
      price,
      metadata,
      now: this.now,
    });
    this.pages.subscriptions.set(subscription.id, subscription);
    return subscription;
  }

  updateSubscription(id: string, form: Form): Subscription {
    const subscription = this.find('subscriptions', id);
    if (ENDED.has(subscription.status)) {
      throw refuse(400, 'resource_missing', 'A canceled subscription can only update its cancellation_details.');
    }
    if (form.cancel_at_period_end !== undefined) {
      subscription.cancel_at_period_end = form.cancel_at_period_end === 'true';
    }
    subscription.metadata = metadataOf(form, subscription.metadata);
    const [first] = listOf(form.items);
    if (first !== undefined) this.#changeItem(subscription, formOf(first));
    const anchored = formOf(form.billing_cycle_anchor).type === 'now';
    const endsTrial = form.trial_end === 'now';
    if (form.trial_end !== undefined && !endsTrial) throw refuse(400, 'parameter_invalid', 'The fake ends trials.');
    if (anchored && endsTrial) throw refuse(400, 'parameter_invalid', 'Give trial_end or billing_cycle_anchor.');
    if (anchored || (endsTrial && subscription.status === 'trialing')) {
      this.#requireModes(form);
      this.#begin(subscription, this.now);
      subscription.status = 'active';
      if (endsTrial) subscription.trial_end = this.now;
      this.#bill(subscription, 'subscription_update', form);
    } else if (form.proration_behavior !== 'none') {
      throw refuse(400, 'parameter_invalid', 'The fake prorates nothing.', 'proration_behavior');
    } else if (form.add_invoice_items !== undefined) {
      throw refuse(400, 'parameter_invalid', 'Nothing is invoiced now: the items would wait for the next period.');
    }
    this.tell('customer.subscription.updated', subscription);
    return subscription;
  }

  #changeItem(subscription: Subscription, form: Form): void {
    const item = subscription.items.data.find(({ id }) => id === form.id);
    if (item === undefined) {
      throw refuse(400, 'parameter_invalid', 'Without the id of an item, another one would be added.', 'items');
    }
    item.price = this.#priceOf(textOf(form, 'price'));
  }

  #begin(subscription: Subscription, anchor: number): void {
    subscription.billing_cycle_anchor = anchor;
    for (const item of subscription.items.data) {
      item.current_period_start = anchor;
      item.current_period_end = monthsAfter(anchor, 1);
    }
  }

  /** All charges are asked for in one way: the whole call fails where the card does. */
  #requireModes(form: Form): void {
    if (form.payment_behavior !== 'error_if_incomplete' || form.proration_behavior !== 'none') {
      throw refuse(400, 'parameter_invalid', 'The fake knows error_if_incomplete with proration none.');
    }
  }

  #priceOf(id: string): Price {
    const price = this.find('prices', id);
    if (!price.active) throw refuse(400, 'resource_missing', `The price ${id} is inactive.`, 'items[0][price]');
    return price;
  }

  /** Creates the invoice of a new period. */
  #draft(subscription: Subscription, reason: Reason, extra: readonly FormValue[] = []): Invoice {
    const isTrial = subscription.status === 'trialing';
    const customer = this.find('customers', subscription.customer);
    const invoice: Invoice = {
      id: this.id('in'),
      object: 'invoice',
      billing_reason: reason,
      status: 'draft',
      currency: 'usd',
      total: 0,
      amount_due: 0,
      amount_paid: 0,
      attempt_count: 0,
      created: this.now,
      starting_balance: customer.balance,
      ending_balance: null,
      hosted_invoice_url: null,
      customer: customer.id,
      parent: {
        type: 'subscription_details',
        subscription_details: { subscription: subscription.id, metadata: { ...subscription.metadata } },
      },
      lines: {
        object: 'list',
        has_more: false,
        url: '',
        data: linesOf(subscription, extra, { isTrial, now: this.now }),
      },
    };
    sumUp(invoice);
    this.pages.invoices.set(invoice.id, invoice);
    subscription.latest_invoice = invoice.id;
    this.tell('invoice.created', invoice);
    return invoice;
  }

  #bill(subscription: Subscription, reason: Reason, form: Form): void {
    this.collect(this.#draft(subscription, reason, listOf(form.add_invoice_items)).id);
  }

  addInvoiceItem(form: Form): { id: string; object: 'invoiceitem' } {
    const invoice = this.find('invoices', textOf(form, 'invoice'));
    if (invoice.status !== 'draft') throw refuse(400, 'invoice_not_editable', 'This invoice is no longer editable.');
    if (form.currency !== 'usd' || form.customer !== invoice.customer) {
      throw refuse(400, 'parameter_invalid', 'The item has another currency or customer than its invoice.');
    }
    const amount = Number(textOf(form, 'amount'));
    invoice.lines.data.push(extraLine(amount, String(form.description ?? ''), metadataOf(form), this.now));
    sumUp(invoice);
    return { id: this.id('ii'), object: 'invoiceitem' };
  }

  /** Finalizes an invoice and charges it. @throws the provider's 402, or 400 if it cannot be charged */
  collect(id: string): Invoice {
    const invoice = this.find('invoices', id);
    if (invoice.status === 'draft') this.finalize(id);
    return invoice.status === 'paid' ? invoice : this.#charge(invoice);
  }

  /** Makes a draft final; an invoice without an amount due counts as paid. */
  finalize(id: string): Invoice {
    const invoice = this.find('invoices', id);
    const customer = this.find('customers', invoice.customer);
    if (invoice.status !== 'draft') throw refuse(400, 'invoice_not_editable', 'This invoice is already finalized.');
    // What a credit is too large by stays with the customer: who keeps credits himself must not let it come to this.
    invoice.ending_balance = Math.min(0, invoice.total + customer.balance);
    customer.balance = invoice.ending_balance;
    invoice.status = 'open';
    return invoice.amount_due > 0 ? invoice : this.#charge(invoice);
  }

  /** Charges an open invoice before the provider's own schedule. */
  pay(id: string): Invoice {
    const invoice = this.find('invoices', id);
    if (invoice.status !== 'open') throw refuse(400, 'invoice_not_payable', `Invoice is ${invoice.status}.`);
    const subscription = this.find('subscriptions', invoice.parent?.subscription_details.subscription ?? '');
    try {
      return this.#charge(invoice);
    } catch (error) {
      subscription.status = 'past_due';
      this.tell('invoice.payment_failed', invoice);
      this.tell('customer.subscription.updated', subscription);
      throw error;
    }
  }

  #charge(invoice: Invoice): Invoice {
    const subscription = this.find('subscriptions', invoice.parent?.subscription_details.subscription ?? '');
    if (invoice.amount_due > 0) {
      const method = this.methodOf(subscription);
      if (method === undefined) {
        const message = 'This customer has no attached payment source or default payment method.';
        throw refuse(400, 'resource_missing', message);
      }
      invoice.attempt_count += 1;
      this.#takeFrom(method);
      this.pages.payments.push({ customer: invoice.customer, invoice: invoice.id, cents: invoice.amount_due });
    }
    invoice.status = 'paid';
    invoice.amount_paid = invoice.amount_due;
    this.tell('invoice.paid', invoice);
    return invoice;
  }

  methodOf(subscription: Subscription): Method | undefined {
    const customer = this.find('customers', subscription.customer);
    const id = subscription.default_payment_method ?? customer.invoice_settings.default_payment_method;
    return id === null ? undefined : this.find('methods', id);
  }

  #takeFrom(method: Method): void {
    const behavior = this.cards.get(method.card.last4);
    const more = { payment_method: method };
    if (behavior === 'declined') {
      const declined = { ...more, decline_code: 'insufficient_funds' };
      throw refuse(402, 'card_declined', 'Your card has insufficient funds.', undefined, declined);
    }
    if (behavior === 'action_needed') {
      const message = 'Payment for this subscription requires additional user action before it can be completed.';
      throw refuse(402, 'subscription_payment_intent_requires_action', message, undefined, more);
    }
  }

  /** Ends the current period: the subscription ends, or continues with a draft invoice. */
  turnPeriod(id: string): Subscription {
    const subscription = this.find('subscriptions', id);
    const [item] = subscription.items.data;
    if (item === undefined) throw new Error('a subscription has an item');
    if (subscription.cancel_at_period_end) return this.end(id);
    const start = item.current_period_end;
    let months = 1;
    while (monthsAfter(subscription.billing_cycle_anchor, months) <= start) months += 1;
    item.current_period_start = start;
    item.current_period_end = monthsAfter(subscription.billing_cycle_anchor, months);
    subscription.status = 'active';
    this.#draft(subscription, 'subscription_cycle');
    this.tell('customer.subscription.updated', subscription);
    return subscription;
  }

  /** Finalizes and charges the latest invoice; afterwards the provider retries. */
  collectLatest(id: string): Subscription {
    const subscription = this.find('subscriptions', id);
    const latest = subscription.latest_invoice ?? '';
    const before = subscription.status;
    try {
      this.collect(latest);
      subscription.status = 'active';
    } catch (error) {
      if (!(error instanceof PaymentErrorResponse)) throw error;
      subscription.status = 'past_due';
      this.tell('invoice.payment_failed', this.find('invoices', latest));
    }
    if (subscription.status !== before) this.tell('customer.subscription.updated', subscription);
    return subscription;
  }

  /** Ends a subscription that was canceled or not paid. */
  end(id: string): Subscription {
    const subscription = this.find('subscriptions', id);
    subscription.status = 'canceled';
    subscription.ended_at = this.now;
    this.tell('customer.subscription.deleted', subscription);
    return subscription;
  }
}
