import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { auditBilling } from './support/audit-billing.js';
import { type BillingNetwork, startBillingNetwork } from './support/billing-network.js';
import type { Invoice } from './support/fake-payment-checkout.js';

let paying: BillingNetwork;
beforeAll(async () => {
  paying = await startBillingNetwork();
});
beforeEach(() => paying.newOrganization());
afterAll(async () => {
  expect(await auditBilling(paying.network.app.core.db)).toEqual([]);
  await paying.stop();
});

const subscribe = async (plan: string) => {
  await paying.enterCard();
  expect((await paying.upgrade(plan)).status).toBe(200);
  await paying.deliverNew();
};

/** The next period begins at the provider; nobody was told yet. */
const turn = async () => {
  paying.pass((await paying.row()).period_end.getTime() - paying.now() + 1000);
  paying.fake.state.turnPeriod(paying.subscription().id);
};

const collect = () => {
  paying.pass(60 * 60_000);
  paying.fake.state.collectLatest(paying.subscription().id);
};

const latest = (): Invoice => {
  const invoice = paying.invoices().at(-1);
  if (invoice === undefined) throw new Error('there is no invoice');
  return invoice;
};

/** Somebody at the provider says what became of the latest invoice. */
const become = (status: 'paid' | 'void' | 'uncollectible' | 'open', type: string) => {
  const invoice = latest();
  invoice.status = status;
  paying.fake.state.tell(type, invoice);
};

const use = async (units: number) => {
  const { organization_id: id } = await paying.row();
  await paying.network.sql('update subscription set used_units = $2 where organization_id = $1', [id, units]);
};

const booked = async () => {
  const { organization_id: id } = await paying.row();
  return paying.network.sql<{ plan_id: string; amount_cents: number; state: string }>(
    'select plan_id, amount_cents, state from invoice where organization_id = $1 order by created_at, period_start',
    [id],
  );
};

test('a renewal is of the plan that its invoice is of, whatever the subscription is to now', async () => {
  await subscribe('growth');
  expect((await paying.upgrade('starter')).status).toBe(200);
  await paying.deliverNew();
  await turn();
  // Somebody changes the price after the invoice was made, and before anybody is told of it.
  const [item] = paying.subscription().items.data;
  if (item) item.price = paying.fake.state.find('prices', 'price_growth');
  await paying.deliverNew();
  collect();
  await paying.deliverNew();
  expect(await paying.row()).toMatchObject({ plan_id: 'starter', paid_cents: 900 });
  expect(await booked()).toEqual([
    { plan_id: 'growth', amount_cents: 4900, state: 'paid' },
    { plan_id: 'starter', amount_cents: 900, state: 'paid' },
  ]);
});

test('an invoice that is given up as uncollectible can still be paid, or made void', async () => {
  await subscribe('starter');
  for (const [status, type, paidCents] of [
    ['paid', 'invoice.paid', 900],
    ['void', 'invoice.voided', 0],
  ] as const) {
    await turn();
    await paying.deliverNew();
    become('uncollectible', 'invoice.marked_uncollectible');
    await paying.deliverNew();
    expect((await booked()).at(-1)).toMatchObject({ state: 'open' });
    expect((await paying.upgrade('growth')).status).toBe(402);
    become(status, type);
    await paying.deliverNew();
    expect((await booked()).at(-1)).toMatchObject({ state: status });
    expect(await paying.row()).toMatchObject({ paid_cents: paidCents });
  }
  expect((await paying.upgrade('growth')).status).toBe(200);
});

test('the last invoice of a subscription that has ended is paid late', async () => {
  await subscribe('starter');
  await turn();
  await paying.deliverNew();
  paying.fake.state.end(paying.subscription().id);
  await paying.deliverNew();
  expect((await paying.upgrade('starter')).status).toBe(402);
  become('paid', 'invoice.paid');
  await paying.deliverNew();
  expect((await booked()).map(({ state }) => state)).toEqual(['paid', 'paid']);
  expect((await paying.upgrade('starter')).status).toBe(200);
});

const endUnresolved = async () => {
  paying.fake.state.end(paying.subscription().id);
  expect(await paying.deliver(paying.fake.events('customer.subscription.deleted').at(-1))).toBe(200);
  expect(await paying.row()).toMatchObject({ plan_id: null, status: 'canceled', paid_cents: 0 });
};

test('renewals that were paid and never told are booked when the subscription has ended', async () => {
  await subscribe('starter');
  await turn();
  collect();
  const end = paying.subscription().items.data[0]?.current_period_end ?? 0;
  paying.pass(end * 1000 - paying.now() + 1000);
  paying.fake.state.turnPeriod(paying.subscription().id);
  collect();
  await endUnresolved();
  expect((await booked()).map(({ state }) => state)).toEqual(['paid', 'paid', 'paid']);
  expect(paying.paid()).toEqual([900, 900, 900]);
  // What comes late changes nothing.
  await paying.deliverNew();
  expect(await booked()).toHaveLength(3);
  expect(await paying.row()).toMatchObject({ plan_id: null, status: 'canceled', credit_cents: 0 });
});

test('a renewal that nobody told of is owed when the subscription has ended, and can be paid late', async () => {
  await subscribe('starter');
  await turn();
  latest().status = 'open';
  await endUnresolved();
  expect((await booked()).map(({ state }) => state)).toEqual(['paid', 'open']);
  become('paid', 'invoice.paid');
  await paying.deliverNew();
  expect((await booked()).map(({ state }) => state)).toEqual(['paid', 'paid']);
});

test('the invoice of an upgrade that is open at first is settled when it is paid', async () => {
  await paying.enterCard();
  paying.fake.decide = ({ call }) => (call === 'POST /v1/subscriptions' ? 'lost' : 'fine');
  await paying.upgrade('starter');
  paying.fake.decide = () => 'fine';
  latest().status = 'open';
  expect(await paying.recover()).toEqual([]);
  expect(await paying.row()).toMatchObject({ plan_id: 'starter', paid_cents: 0 });
  become('paid', 'invoice.paid');
  await paying.deliverNew();
  expect(await paying.row()).toMatchObject({ plan_id: 'starter', paid_cents: 900 });
  expect((await paying.upgrade('growth')).status).toBe(200);
});

const isSubscribing = (call: string) => call === 'POST /v1/subscriptions';

/** The payment of the next subscription takes a moment: its invoice is open at first. */
const paySlowly = () => {
  const { state: book } = paying.fake;
  const create = book.createSubscription.bind(book);
  book.createSubscription = (form) => {
    book.createSubscription = create;
    const made = create(form);
    latest().status = 'open';
    return made;
  };
};

for (const [status, type, paidCents] of [
  ['paid', 'invoice.paid', 900],
  ['void', 'invoice.voided', 0],
] as const) {
  test(`an invoice that is ${status} between a charge and its application is so with it`, async () => {
    await paying.enterCard();
    paySlowly();
    // The charge is made, its answer says that the invoice is open, and has not come yet.
    paying.fake.hold = async ({ call }) => {
      if (!isSubscribing(call)) return;
      become(status, type);
      await paying.deliverNew();
    };
    expect((await paying.upgrade('starter')).status).toBe(200);
    expect(await booked()).toEqual([{ plan_id: 'starter', amount_cents: 900, state: status }]);
    expect(await paying.row()).toMatchObject({ plan_id: 'starter', paid_cents: paidCents });
    expect((await paying.upgrade('growth')).body).toMatchObject({ creditApplied: paidCents / 100 });
  });
}

test('an invoice paid while a change with a lost response is recovered stays booked as paid', async () => {
  await paying.enterCard();
  paySlowly();
  paying.fake.decide = ({ call }) => (isSubscribing(call) ? 'lost' : 'fine');
  expect((await paying.upgrade('starter')).status).toBe(500);
  paying.fake.decide = () => 'fine';
  let isReported = false;
  paying.fake.hold = async ({ call }) => {
    if (isReported || call !== 'GET /v1/subscriptions/:id') return;
    isReported = true;
    become('paid', 'invoice.paid');
    await paying.deliverNew();
  };
  expect(await paying.recover()).toEqual([]);
  expect(await booked()).toEqual([{ plan_id: 'starter', amount_cents: 900, state: 'paid' }]);
  expect(await paying.row()).toMatchObject({ plan_id: 'starter', paid_cents: 900 });
});

test('a subscription whose invoices are sent is not upgraded', async () => {
  await subscribe('starter');
  Object.assign(paying.subscription(), { collection_method: 'send_invoice' });
  const { status, body } = await paying.upgrade('growth');
  expect({ status, code: body.code }).toEqual({ status: 500, code: 'PaymentUnavailable' });
  expect(paying.paid()).toEqual([900]);
  expect(await paying.row()).toMatchObject({ plan_id: 'starter' });
});

for (const parent of ['none', 'of the subscription'] as const) {
  test(`an invoice that somebody writes by hand is no renewal (parent: ${parent})`, async () => {
    await subscribe('starter');
    await turn();
    collect();
    await paying.deliverNew();
    await use(20_000_000);
    const before = await paying.row();
    const byHand: Invoice = {
      ...structuredClone(latest()),
      id: `in_by_hand_${parent.length}`,
      billing_reason: 'manual',
      total: 50_000,
      ...(parent === 'none' && { parent: null }),
    };
    paying.fake.state.pages.invoices.set(byHand.id, byHand);
    paying.fake.state.tell('invoice.paid', byHand);
    await paying.deliverNew();
    expect(await paying.row()).toMatchObject({
      used_units: 20_000_000,
      paid_cents: 900,
      period_start: before.period_start,
    });
    expect(await booked()).toHaveLength(2);
  });
}

test('one more invoice for the period that runs does not begin it again: it is credited', async () => {
  await subscribe('starter');
  await turn();
  collect();
  await paying.deliverNew();
  await use(20_000_000);
  const twice: Invoice = { ...structuredClone(latest()), id: 'in_twice' };
  paying.fake.state.pages.invoices.set(twice.id, twice);
  paying.fake.state.tell('invoice.paid', twice);
  await paying.deliverNew();
  expect(await paying.row()).toMatchObject({ used_units: 20_000_000, paid_cents: 900, credit_cents: 900 });
});

test('a renewal that is void before anybody hears of it begins its period, with nothing paid', async () => {
  await subscribe('starter');
  await use(20_000_000);
  const { period_end: end } = await paying.row();
  await turn();
  become('void', 'invoice.voided');
  await paying.deliverNew();
  expect(await paying.row()).toMatchObject({ period_start: end, used_units: 0, paid_cents: 0, plan_id: 'starter' });
  expect((await paying.upgrade('growth')).body).toMatchObject({ creditApplied: 0, chargeAmount: 49 });
});

test('an invoice that is deleted before anybody asks for it does no harm', async () => {
  await subscribe('starter');
  const before = await paying.row();
  const gone: Invoice = { ...structuredClone(latest()), id: 'in_gone' };
  paying.fake.state.tell('invoice.created', gone);
  await paying.deliverNew();
  expect(await paying.row()).toMatchObject({ period_start: before.period_start, paid_cents: 900 });
});
