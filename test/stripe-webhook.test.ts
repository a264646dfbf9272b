import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { auditBilling } from './support/audit-billing.js';
import { type BillingNetwork, startBillingNetwork } from './support/billing-network.js';
import { startNetwork } from './support/network.js';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

let paying: BillingNetwork;
beforeAll(async () => {
  paying = await startBillingNetwork();
});
beforeEach(() => paying.newOrganization());
afterAll(async () => {
  expect(await auditBilling(paying.network.app.core.db)).toEqual([]);
  for (const secret of [paying.fake.secretKey, paying.fake.webhookSecret]) {
    expect(paying.lines.join('\n')).not.toContain(secret);
  }
  await paying.stop();
});

/** Of the provider's subscription, unix milliseconds. */
const period = () => {
  const [item] = paying.subscription().items.data;
  if (item === undefined) throw new Error('the subscription has no item');
  return {
    period_start: new Date(item.current_period_start * 1000),
    period_end: new Date(item.current_period_end * 1000),
  };
};

const use = async (units: number) => {
  const { organization_id: id } = await paying.row();
  await paying.network.sql('update subscription set used_units = $2 where organization_id = $1', [id, units]);
};

/** Subscribes to a plan; everything that was told of it is known. */
const subscribe = async (plan: string) => {
  await paying.enterCard();
  expect((await paying.upgrade(plan)).status).toBe(200);
  await paying.deliverNew();
};

const untilPeriodEnd = () => paying.pass(period().period_end.getTime() - paying.now() + 1000);

const bookedInvoices = async () => {
  const { organization_id: id } = await paying.row();
  return paying.network.sql<{ plan_id: string; amount_cents: number; credit_cents: number; state: string }>(
    'select plan_id, amount_cents, credit_cents, state from invoice where organization_id = $1 order by created_at, period_start',
    [id],
  );
};

test('a renewal begins a period with no use at once, and is paid when the provider says so', async () => {
  await subscribe('starter');
  await use(1000);
  untilPeriodEnd();
  paying.fake.state.turnPeriod(paying.subscription().id);
  await paying.deliverNew();
  expect(await paying.row()).toMatchObject({ ...period(), plan_id: 'starter', used_units: 0, paid_cents: 0 });
  expect((await bookedInvoices()).map(({ state }) => state)).toEqual(['paid', 'open']);
  await use(77);
  paying.pass(HOUR_MS);
  paying.fake.state.collectLatest(paying.subscription().id);
  await paying.deliverNew();
  expect(await paying.row()).toMatchObject({ ...period(), used_units: 77, paid_cents: 900, status: 'active' });
  expect((await bookedInvoices()).map(({ state }) => state)).toEqual(['paid', 'paid']);
  expect(paying.paid()).toEqual([900, 900]);
});

test('events count once and in any order: twice, late, backwards', async () => {
  await subscribe('starter');
  const old = paying.fake.events().length;
  untilPeriodEnd();
  paying.fake.state.turnPeriod(paying.subscription().id);
  paying.pass(HOUR_MS);
  paying.fake.state.collectLatest(paying.subscription().id);
  const events = paying.fake.events().slice(old);
  expect(events.map(({ type }) => type)).toEqual(['invoice.created', 'customer.subscription.updated', 'invoice.paid']);
  for (const event of events.toReversed()) expect(await paying.deliver(event)).toBe(200);
  const row = await paying.row();
  expect(row).toMatchObject({ ...period(), paid_cents: 900, used_units: 0 });
  await use(5);
  for (const event of [...events, ...events]) expect(await paying.deliver(event)).toBe(200);
  // One that says what was: its subscription was of the period before.
  const [before] = paying.fake.events('customer.subscription.created').slice(-1);
  const asNew = { ...structuredClone(before), id: 'evt_new' } as NonNullable<typeof before>;
  expect(await paying.deliver(asNew)).toBe(200);
  expect(await paying.row()).toMatchObject({ ...period(), paid_cents: 900, used_units: 5, status: 'active' });
  expect(await bookedInvoices()).toHaveLength(2);
});

test('events at the same time are taken in as if they came one by one', async () => {
  await subscribe('starter');
  const old = paying.fake.events().length;
  untilPeriodEnd();
  paying.fake.state.turnPeriod(paying.subscription().id);
  paying.fake.state.collectLatest(paying.subscription().id);
  const events = paying.fake.events().slice(old);
  const statuses = await Promise.all([...events, ...events].map((event) => paying.deliver(event)));
  // Who was overtaken too often asks for the event again.
  for (const status of statuses) expect([200, 503]).toContain(status);
  for (const event of events) expect(await paying.deliver(event)).toBe(200);
  expect(await paying.row()).toMatchObject({ ...period(), paid_cents: 900 });
  expect(await bookedInvoices()).toHaveLength(2);
});

test('an answer that was read before a newer one was written is read again', async () => {
  await subscribe('starter');
  paying.fake.state.cards.set('4242', 'declined');
  untilPeriodEnd();
  paying.fake.state.turnPeriod(paying.subscription().id);
  await paying.deliverNew();
  paying.fake.state.collectLatest(paying.subscription().id);
  const [failed] = paying.fake.events('invoice.payment_failed').slice(-1);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let asked = 0;
  paying.fake.hold = ({ call }) => (call === 'GET /v1/subscriptions/:id' && asked++ === 0 ? held : undefined);
  const slow = paying.deliver(failed);
  await expect.poll(() => asked).toBe(1);
  // Meanwhile it is paid, and that is known.
  paying.fake.state.cards.set('4242', 'fine');
  paying.fake.state.collectLatest(paying.subscription().id);
  expect(await paying.deliver(paying.fake.events('invoice.paid').at(-1))).toBe(200);
  expect(await paying.row()).toMatchObject({ status: 'active', paid_cents: 900 });
  release();
  expect(await slow).toBe(200);
  expect(await paying.row()).toMatchObject({ status: 'active', paid_cents: 900 });
});

test('our credit is taken off the invoice of a renewal, once', async () => {
  await subscribe('starter');
  const { organization_id: id } = await paying.row();
  await paying.network.sql('update subscription set credit_cents = 1000 where organization_id = $1', [id]);
  await paying.network.sql(
    `insert into ledger_entry (organization_id, transaction_id, account, amount_cents, created_at)
     select $1, '00000000-0000-4000-8000-000000000002', account, cents, now()
       from (values ('credit', -1000), ('cash', 1000)) as entry (account, cents)`,
    [id],
  );
  for (const [left, paid] of [
    [100, 0],
    [0, 800],
  ] as const) {
    untilPeriodEnd();
    paying.fake.state.turnPeriod(paying.subscription().id);
    await paying.deliverNew();
    expect(await paying.row()).toMatchObject({ credit_cents: left });
    paying.fake.state.collectLatest(paying.subscription().id);
    await paying.deliverNew();
    expect(paying.invoices().at(-1)).toMatchObject({ amount_paid: paid, ending_balance: 0 });
    expect(await paying.row()).toMatchObject({ credit_cents: left, paid_cents: 900 });
  }
  expect((await bookedInvoices()).map(({ amount_cents: due, credit_cents: credit }) => [due, credit])).toEqual([
    [900, 0],
    [0, 900],
    [800, 100],
  ]);
});

test('a renewal that is not paid is past due, and the plan cannot be changed until it is', async () => {
  await subscribe('starter');
  paying.fake.state.cards.set('4242', 'declined');
  untilPeriodEnd();
  paying.fake.state.turnPeriod(paying.subscription().id);
  paying.fake.state.collectLatest(paying.subscription().id);
  await paying.deliverNew();
  expect(await paying.billing()).toMatchObject({ subscription_status: 'past_due', effective_plan: 'starter' });
  const refused = await paying.upgrade('growth');
  expect(refused).toMatchObject({ status: 402, body: { paymentMethod: { brand: 'visa', last4: '4242' } } });
  paying.fake.state.cards.set('4242', 'fine');
  paying.fake.state.collectLatest(paying.subscription().id);
  await paying.deliverNew();
  expect(await paying.row()).toMatchObject({ status: 'active', paid_cents: 900 });
  expect((await paying.upgrade('growth')).status).toBe(200);
});

test('a downgrade takes effect with the period, a downgrade to nothing ends the subscription, and both can be taken back', async () => {
  await subscribe('growth');
  expect((await paying.upgrade('starter')).body).toMatchObject({ effectiveImmediately: false, chargeAmount: 0 });
  await paying.deliverNew();
  expect(await paying.row()).toMatchObject({ plan_id: 'growth', next_plan_id: 'starter', product_id: 'prod_growth' });
  expect((await paying.upgrade('free')).status).toBe(200);
  expect(paying.subscription().cancel_at_period_end).toBe(true);
  expect((await paying.upgrade('growth')).status).toBe(200);
  expect(paying.subscription()).toMatchObject({ cancel_at_period_end: false });
  expect(paying.subscription().items.data[0]?.price.id).toBe('price_growth');
  expect(await paying.row()).toMatchObject({ plan_id: 'growth', next_plan_id: null });

  await paying.upgrade('starter');
  untilPeriodEnd();
  paying.fake.state.turnPeriod(paying.subscription().id);
  paying.fake.state.collectLatest(paying.subscription().id);
  await paying.deliverNew();
  expect(await paying.row()).toMatchObject({
    ...period(),
    plan_id: 'starter',
    next_plan_id: null,
    product_id: 'prod_starter',
    paid_cents: 900,
  });

  await paying.upgrade('free');
  untilPeriodEnd();
  paying.fake.state.turnPeriod(paying.subscription().id);
  await paying.deliverNew();
  expect(await paying.row()).toMatchObject({ plan_id: null, status: 'canceled', provider_subscription_id: null });
  expect(await paying.billing()).toMatchObject({ effective_plan: 'free', has_active_subscription: false });
  expect(paying.paid()).toEqual([4900, 900]);
});

test('a subscription that the provider ends leaves the default plan, and a new one can begin', async () => {
  await subscribe('starter');
  paying.pass(3 * DAY_MS);
  const { id } = paying.fake.state.end(paying.subscription().id);
  await paying.deliverNew();
  expect(await paying.row()).toMatchObject({ plan_id: null, status: 'canceled', paid_cents: 0, used_units: 0 });
  expect((await paying.upgrade('starter')).status).toBe(200);
  const { provider_subscription_id: next } = await paying.row();
  expect(next).not.toBe(id);
  // What is still told of the old one is nobody's business.
  const [ended] = paying.fake.events('customer.subscription.deleted').slice(-1);
  expect(await paying.deliver({ ...structuredClone(ended), id: 'evt_again' } as NonNullable<typeof ended>)).toBe(200);
  expect(await paying.row()).toMatchObject({ plan_id: 'starter', provider_subscription_id: next });
});

test('a trial that an operator gives counts, costs nothing, and ends with the first invoice', async () => {
  await paying.enterCard();
  const { customer_id: customer } = await paying.row();
  const ends = Math.floor(paying.now() / 1000) + 14 * 24 * 3600;
  paying.fake.state.startTrial(customer ?? '', 'price_growth', ends);
  await paying.deliverNew();
  expect(await paying.billing()).toMatchObject({
    effective_plan: 'growth',
    is_trialing: true,
    has_active_subscription: true,
    subscription_status: 'trialing',
    payment_product_id: 'prod_growth',
  });
  expect(await paying.row()).toMatchObject({ ...period(), trial_end: new Date(ends * 1000), paid_cents: 0 });
  untilPeriodEnd();
  paying.fake.state.turnPeriod(paying.subscription().id);
  paying.fake.state.collectLatest(paying.subscription().id);
  await paying.deliverNew();
  expect(await paying.row()).toMatchObject({ ...period(), status: 'active', trial_end: null, paid_cents: 4900 });
  expect(paying.paid()).toEqual([4900]);
});

test('an upgrade in a trial ends it, and nothing is credited for it', async () => {
  await paying.enterCard();
  const { customer_id: customer } = await paying.row();
  paying.fake.state.startTrial(customer ?? '', 'price_starter', Math.floor(paying.now() / 1000) + 14 * 24 * 3600);
  await paying.deliverNew();
  expect((await paying.upgrade('growth')).body).toMatchObject({ creditApplied: 0, chargeAmount: 49 });
  await paying.deliverNew();
  expect(await paying.row()).toMatchObject({ ...period(), status: 'active', trial_end: null, plan_id: 'growth' });
});

test('a renewal that no webhook reported is fetched from the provider', async () => {
  await subscribe('starter');
  untilPeriodEnd();
  paying.fake.state.turnPeriod(paying.subscription().id);
  paying.fake.state.collectLatest(paying.subscription().id);
  const { organization_id: id } = await paying.row();
  await paying.network.app.services.money.provider.catchUp?.(id);
  expect(await paying.row()).toMatchObject({ ...period(), paid_cents: 900 });
  await paying.deliverNew();
  expect(await bookedInvoices()).toHaveLength(2);
});

test('periods that passed while nothing was heard are booked, each with its invoice', async () => {
  await subscribe('starter');
  for (let months = 0; months < 3; months += 1) {
    untilPeriodEnd();
    paying.fake.state.turnPeriod(paying.subscription().id);
    paying.fake.state.collectLatest(paying.subscription().id);
  }
  expect(await paying.deliver(paying.fake.events('invoice.paid').at(-1))).toBe(200);
  expect(await paying.row()).toMatchObject({ ...period(), paid_cents: 900 });
  expect((await bookedInvoices()).map(({ state }) => state)).toEqual(['paid', 'paid', 'paid', 'paid']);
  await paying.deliverNew();
  expect(await bookedInvoices()).toHaveLength(4);
});

test('a price that somebody changed at the provider is told to the operator, and not followed', async () => {
  await subscribe('starter');
  const [item] = paying.subscription().items.data;
  if (item) item.price = paying.fake.state.find('prices', 'price_growth');
  paying.fake.state.tell('customer.subscription.updated', paying.subscription());
  await paying.deliverNew();
  expect(await paying.row()).toMatchObject({ plan_id: 'starter', paid_cents: 900 });
  expect(paying.lines.some((line) => line.includes('another plan') && line.includes('"theirs":"growth"'))).toBe(true);
});

test('while the provider does not answer an event is asked for again', async () => {
  await subscribe('starter');
  untilPeriodEnd();
  paying.fake.state.turnPeriod(paying.subscription().id);
  const [event] = paying.fake.events('invoice.created').slice(-1);
  paying.fake.decide = () => 'fault';
  expect(await paying.deliver(event)).toBe(503);
  paying.fake.decide = () => 'fine';
  expect(await paying.deliver(event)).toBe(200);
  expect(await paying.row()).toMatchObject(period());
});

test('only what the provider signed just now is taken in', async () => {
  await subscribe('starter');
  const url = `${paying.network.url}/portal/webhooks/payment`;
  const [event] = paying.fake.events('customer.subscription.created').slice(-1);
  if (event === undefined) throw new Error('nothing was told');
  const now = Math.floor(paying.now() / 1000);
  const news = { ...structuredClone(event), id: 'evt_signed' };
  const { deliver } = paying.fake;
  expect(await deliver(url, news, { secret: 'whsec_another' })).toBe(400);
  expect(await deliver(url, news, { signedAt: now - 301 })).toBe(400);
  expect(await deliver(url, news, { body: JSON.stringify(news).replace('active', 'paused') })).toBe(400);
  const unsigned = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(news),
  });
  expect(unsigned.status).toBe(400);
  expect(await unsigned.json()).toMatchObject({ code: 'InvalidSignature' });
  expect(await paying.network.sql("select from payment_event where id = 'evt_signed'")).toEqual([]);
  expect(await deliver(url, news, { signedAt: now - 290 })).toBe(200);
  expect(await paying.network.sql("select from payment_event where id = 'evt_signed'")).toHaveLength(1);
});

test('events of other things and of strangers are answered well, noted, and change nothing', async () => {
  const { state: book } = paying.fake;
  const stranger = book.createCustomer({ name: 'Stranger' });
  book.addCard(stranger.id, 'visa', '1111');
  book.tell('charge.succeeded', { id: 'ch_1', object: 'charge', customer: stranger.id });
  await paying.deliverNew();
  expect(paying.lines.some((line) => line.includes('of no organization') && line.includes(stranger.id))).toBe(true);
  expect(await paying.row()).toMatchObject({ customer_id: null, payment_brand: null });
});

test('a customer that an operator made for an organization is taken as its own', async () => {
  const { organization_id: id } = await paying.row();
  const customer = paying.fake.state.createCustomer({ name: 'Payer', metadata: { organization_id: id } });
  paying.fake.state.addCard(customer.id, 'visa', '4242');
  await paying.deliverNew();
  expect(await paying.row()).toMatchObject({ customer_id: customer.id });
  expect((await paying.upgrade('starter')).status).toBe(200);
  expect(paying.subscription().customer).toBe(customer.id);
});

test('without Stripe there is no such operation', async () => {
  const network = await startNetwork();
  const { status, body } = await network.send('POST', '/portal/webhooks/payment', {});
  await network.stop();
  expect({ status, code: body.code }).toEqual({ status: 404, code: 'NotFound' });
});

test('events of objects without metadata, or without a customer, are taken in and change nothing', async () => {
  await subscribe('starter');
  const before = await paying.row();
  const event = (id: string, object: object) =>
    ({ id, object: 'event', type: 'customer.updated', created: paying.now() / 1000, data: { object } }) as never;
  for (const [index, object] of [
    { object: 'customer', id: 'cus_bare' },
    { object: 'customer', id: 'cus_null', metadata: null },
    { object: 'subscription', id: 'sub_bare', customer: 'cus_bare' },
    { object: 'invoice', id: 'in_bare' },
    { object: 'invoice', id: 'in_null', customer: null, parent: null },
    { object: 'checkout.session', id: 'cs_bare' },
    { object: 'payment_method', id: 'pm_bare' },
    { object: 'payment_link', id: 'plink_bare' },
  ].entries()) {
    expect([object, await paying.deliver(event(`evt_bare_${index}`, object))]).toEqual([object, 200]);
  }
  for (const body of [{ object: 'event' }, { id: 'evt_1' }, { id: 'evt_2', type: 'x', created: 1 }, null, 7]) {
    expect([body, await paying.deliver(body as never)]).toEqual([body, 400]);
  }
  expect(await paying.row()).toEqual(before);
});
