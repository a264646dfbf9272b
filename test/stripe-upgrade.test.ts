import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { auditBilling } from './support/audit-billing.js';
import { type BillingNetwork, startBillingNetwork } from './support/billing-network.js';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

let paying: BillingNetwork;
beforeAll(async () => {
  paying = await startBillingNetwork();
});
beforeEach(() => paying.newOrganization());
afterAll(async () => {
  expect(await auditBilling(paying.network.app.core.db)).toEqual([]);
  const secrets = [paying.fake.secretKey, paying.fake.webhookSecret];
  for (const secret of secrets) expect(paying.lines.join('\n')).not.toContain(secret);
  await paying.stop();
});

const CHARGES = ['POST /v1/subscriptions', 'POST /v1/subscriptions/:id'];

test('without a payment method an upgrade is refused and tells where to enter one; with it, it is charged', async () => {
  const refused = await paying.upgrade('growth');
  expect(refused.status).toBe(402);
  expect(refused.body).toMatchObject({
    code: 'PaymentRequired',
    message: expect.stringContaining('Enter a card at https://'),
  });
  expect(refused.body).not.toHaveProperty('paymentMethod');
  expect(paying.fake.calls.some(({ call }) => CHARGES.includes(call))).toBe(false);
  await paying.enterCard();
  const upgraded = await paying.upgrade('growth');
  expect(upgraded.body).toEqual({
    success: true,
    newPlan: 'Growth',
    creditApplied: 0,
    chargeAmount: 49,
    effectiveImmediately: true,
  });
  expect(paying.paid()).toEqual([4900]);
  const row = await paying.row();
  expect(row).toMatchObject({
    plan_id: 'growth',
    status: 'active',
    provider: 'stripe',
    product_id: 'prod_growth',
    payment_brand: 'visa',
    payment_last4: '4242',
    paid_cents: 4900,
    period_start: new Date(paying.now()),
    period_end: new Date('2026-02-15T12:00:00Z'),
  });
  expect(await paying.billing()).toMatchObject({
    effective_plan: 'growth',
    has_active_subscription: true,
    is_trialing: false,
    payment_customer_id: row.customer_id,
    payment_subscription_id: row.provider_subscription_id,
    payment_product_id: 'prod_growth',
    subscription_status: 'active',
  });
  // What the provider tells of our own change changes nothing.
  await paying.deliverNew();
  const told = { provider_event_at: expect.any(Date), provider_version: expect.any(Number) };
  expect(await paying.row()).toEqual({ ...row, ...told });
});

test('the credit for unused units is an item of the invoice, and the period begins anew', async () => {
  await paying.enterCard();
  await paying.upgrade('starter');
  const { organization_id: id } = await paying.row();
  await paying.network.sql('update subscription set used_units = 10000001 where organization_id = $1', [id]);
  paying.pass(9 * DAY_MS);
  const { body } = await paying.upgrade('growth');
  expect(body).toMatchObject({ creditApplied: 5.39, chargeAmount: 43.61 });
  expect(paying.paid()).toEqual([900, 4361]);
  expect(paying.subscription().metadata.plan_id).toBe('growth');
  expect(
    paying
      .invoices()
      .at(-1)
      ?.lines.data.map(({ amount }) => amount),
  ).toEqual([4900, -539]);
  expect(await paying.row()).toMatchObject({ period_start: new Date(paying.now()), used_units: 0 });
  expect(paying.invoices().map(({ ending_balance: balance }) => balance)).toEqual([0, 0]);
});

test('a credit that is larger than the price stays ours: the provider is told of no more than the price', async () => {
  await paying.enterCard();
  await paying.upgrade('starter');
  const { organization_id: id } = await paying.row();
  await paying.network.sql('update subscription set credit_cents = 10000 where organization_id = $1', [id]);
  await paying.network.sql(
    `insert into ledger_entry (organization_id, transaction_id, account, amount_cents, created_at)
     select $1, '00000000-0000-4000-8000-000000000001', account, cents, now()
       from (values ('credit', -10000), ('cash', 10000)) as entry (account, cents)`,
    [id],
  );
  expect((await paying.upgrade('growth')).body).toMatchObject({ creditApplied: 49, chargeAmount: 0 });
  expect(paying.paid()).toEqual([900]);
  expect(paying.invoices().map(({ total, ending_balance: balance }) => [total, balance])).toEqual([
    [900, 0],
    [0, 0],
  ]);
  expect(await paying.row()).toMatchObject({ credit_cents: 10_000 + 900 - 4900, paid_cents: 4900 });
});

test('a declined card is named, nothing stays behind, and the next try is another charge', async () => {
  await paying.enterCard('0002', 'declined');
  const declined = await paying.upgrade('starter');
  expect(declined.status).toBe(402);
  expect(declined.body).toMatchObject({
    code: 'PaymentRequired',
    message: expect.stringMatching(/visa ending in 0002 was declined: .*insufficient funds.* Enter a card at https:/),
    paymentMethod: { brand: 'visa', last4: '0002' },
  });
  expect(await paying.row()).toMatchObject({ plan_id: null, provider_subscription_id: null });
  expect(paying.invoices()).toEqual([]);
  paying.fake.state.cards.set('0002', 'fine');
  expect((await paying.upgrade('starter')).status).toBe(200);
  // With a credit at stake: the item goes with the call that failed.
  paying.fake.state.cards.set('0002', 'declined');
  expect((await paying.upgrade('growth')).status).toBe(402);
  expect(await paying.row()).toMatchObject({ plan_id: 'starter', paid_cents: 900, credit_cents: 0 });
  paying.fake.state.cards.set('0002', 'fine');
  expect((await paying.upgrade('growth')).body).toMatchObject({ creditApplied: 9, chargeAmount: 40 });
  expect(paying.paid()).toEqual([900, 4000]);
});

test('a bank that wants the holder to confirm is told, with a page where he can', async () => {
  await paying.enterCard('3220', 'action_needed');
  const { status, body } = await paying.upgrade('starter');
  expect(status).toBe(402);
  expect(body).toMatchObject({
    message: expect.stringMatching(/3-D Secure.* Nothing was charged\. Enter a card at https:.* confirm it there/),
    paymentMethod: { brand: 'visa', last4: '3220' },
  });
  const page = /https:\S+[^\s.,]/.exec(body.message)?.[0] ?? '';
  paying.fake.state.completeSession(page, 'mastercard', '4444');
  await paying.deliverNew();
  expect(await paying.row()).toMatchObject({ payment_brand: 'mastercard', payment_last4: '4444' });
  expect((await paying.upgrade('starter')).status).toBe(200);
  expect(paying.paid()).toEqual([900]);
});

test('an upgrade finds a card that was entered without a webhook event', async () => {
  await paying.upgrade('starter');
  const { customer_id: customer } = await paying.row();
  paying.fake.state.addCard(customer ?? '', 'amex', '0005');
  expect((await paying.upgrade('starter')).status).toBe(200);
  expect(await paying.row()).toMatchObject({ payment_brand: 'amex', payment_last4: '0005' });
});

test('a price that is not what the plan says is not charged, and the error says nothing of the inside', async () => {
  await paying.enterCard();
  const price = paying.fake.state.find('prices', 'price_starter');
  price.unit_amount = 1900;
  const { status, body } = await paying.upgrade('starter');
  expect({ status, body }).toMatchObject({
    status: 500,
    body: { code: 'PaymentUnavailable', message: expect.stringContaining('cannot be bought at the moment') },
  });
  expect(paying.paid()).toEqual([]);
  paying.fake.state.find('prices', 'price_starter').unit_amount = 900;
  // Nothing is left under way.
  expect((await paying.upgrade('growth')).status).toBe(200);
});

test('a connection that breaks after the charge is tried again under the same key: charged once', async () => {
  await paying.enterCard();
  let lost = 0;
  paying.fake.decide = ({ call }) => (CHARGES.includes(call) && lost++ === 0 ? 'lost' : 'fine');
  expect((await paying.upgrade('starter')).status).toBe(200);
  expect(lost).toBe(2);
  expect(paying.paid()).toEqual([900]);
});

for (const keys of ['kept', 'lapsed'] as const) {
  test(`an answer that never came is asked for, and the change applied once (keys ${keys})`, async () => {
    await paying.enterCard();
    const began = Math.floor(paying.now() / 1000) * 1000;
    paying.fake.decide = ({ call }) => (CHARGES.includes(call) ? 'lost' : 'fine');
    const { status, body } = await paying.upgrade('starter');
    expect({ status, code: body.code }).toEqual({ status: 500, code: 'PaymentUnresolved' });
    expect(await paying.row()).toMatchObject({ plan_id: null });
    // Nobody can change the plan meanwhile, and events of the change are answered well.
    expect((await paying.upgrade('growth')).status).toBe(400);
    await paying.deliverNew();
    paying.fake.decide = () => 'fine';
    if (keys === 'lapsed') {
      paying.fake.forgetKeys();
      paying.pass(25 * HOUR_MS);
    }
    expect(await paying.recover()).toEqual([]);
    expect(await paying.recover()).toEqual([]);
    expect(await paying.row()).toMatchObject({
      plan_id: 'starter',
      status: 'active',
      paid_cents: 900,
      period_start: new Date(began),
    });
    expect(paying.paid()).toEqual([900]);
  });
}

test('a charge that a change of plan lost is found after the renewal too', async () => {
  await paying.enterCard();
  await paying.upgrade('starter');
  const began = Math.floor(paying.now() / 1000) * 1000;
  paying.fake.decide = ({ call }) => (CHARGES.includes(call) ? 'lost' : 'fine');
  expect((await paying.upgrade('growth')).status).toBe(500);
  paying.fake.decide = () => 'fine';
  paying.fake.forgetKeys();
  paying.pass(32 * DAY_MS);
  const { id } = paying.subscription();
  paying.fake.state.turnPeriod(id);
  expect(await paying.recover()).toEqual([]);
  expect(await paying.row()).toMatchObject({ plan_id: 'growth', period_start: new Date(began) });
  paying.fake.state.collectLatest(id);
  await paying.deliverNew();
  const { current_period_start: start } = paying.subscription().items.data[0] ?? { current_period_start: 0 };
  expect(await paying.row()).toMatchObject({ paid_cents: 4900, period_start: new Date(start * 1000) });
  expect(start * 1000).toBeGreaterThan(began);
  expect(paying.paid()).toEqual([900, 4000, 4900]);
});

test('a request that never arrived is made again within the hour, and given up after it', async () => {
  await paying.enterCard();
  paying.fake.decide = ({ call }) => (CHARGES.includes(call) ? 'away' : 'fine');
  expect((await paying.upgrade('starter')).status).toBe(500);
  // Still away: nobody knows.
  expect(await paying.recover()).toHaveLength(1);
  expect(paying.paid()).toEqual([]);
  paying.fake.decide = () => 'fine';
  expect(await paying.recover()).toEqual([]);
  expect(await paying.row()).toMatchObject({ plan_id: 'starter' });
  paying.fake.decide = ({ call }) => (CHARGES.includes(call) ? 'away' : 'fine');
  expect((await paying.upgrade('growth')).status).toBe(500);
  paying.fake.decide = () => 'fine';
  paying.pass(2 * HOUR_MS);
  expect(await paying.recover()).toEqual([]);
  expect(await paying.row()).toMatchObject({ plan_id: 'starter' });
  expect(paying.paid()).toEqual([900]);
});

test('an error of the provider after the charge, which it repeats under the key, is resolved by its records', async () => {
  await paying.enterCard();
  paying.fake.decide = ({ call }) => (CHARGES.includes(call) ? 'fault_after' : 'fine');
  expect((await paying.upgrade('starter')).body).toMatchObject({ code: 'PaymentUnresolved' });
  paying.fake.decide = () => 'fine';
  expect(await paying.recover()).toEqual([]);
  expect(await paying.row()).toMatchObject({ plan_id: 'starter' });
  expect(paying.paid()).toEqual([900]);
});

test('an error of the provider before the charge, which it repeats under the key, ends the change uncharged', async () => {
  await paying.enterCard();
  paying.fake.decide = ({ call }) => (CHARGES.includes(call) ? 'fault' : 'fine');
  expect((await paying.upgrade('starter')).body).toMatchObject({ code: 'PaymentUnresolved' });
  paying.fake.decide = () => 'fine';
  expect(await paying.recover()).toEqual([]);
  expect(await paying.row()).toMatchObject({ plan_id: null });
  expect(paying.paid()).toEqual([]);
  expect((await paying.upgrade('starter')).status).toBe(200);
});

/** A process that dies before it has written something: its database refuses it. */
const CRASHES = {
  'before the charge is noted': { table: 'plan_change', when: "new.state = 'charged'" },
  'before the change is applied': { table: 'subscription', when: "new.plan_id = 'starter'" },
  'while the change is applied': { table: 'audit_log', when: "new.action = 'plan.upgraded'" },
} as const;

for (const [moment, { table, when }] of Object.entries(CRASHES)) {
  test(`a crash ${moment}: charged once, applied once`, async () => {
    await paying.enterCard();
    const { network } = paying;
    await network.app.core.db.script(`
      create function die() returns trigger language plpgsql as $$ begin raise exception 'crash'; end $$;
      create trigger die before insert or update on ${table} for each row when (${when}) execute function die();`);
    const { status, body } = await paying.upgrade('starter');
    expect({ status, code: body.code }).toEqual({ status: 500, code: 'PaymentUnresolved' });
    expect(paying.paid()).toEqual([900]);
    expect(await paying.row()).toMatchObject({ plan_id: null });
    await network.app.core.db.script(`drop trigger die on ${table}; drop function die();`);
    // What the provider tells of it comes before recovery, and changes nothing.
    await paying.deliverNew();
    expect(await paying.row()).toMatchObject({ plan_id: null });
    expect(await paying.recover()).toEqual([]);
    expect(await paying.row()).toMatchObject({ plan_id: 'starter', paid_cents: 900, status: 'active' });
    expect(paying.paid()).toEqual([900]);
  });
}

test('two upgrades at once: one is charged, the other is told', async () => {
  await paying.enterCard();
  const answers = await Promise.all([paying.upgrade('starter'), paying.upgrade('growth')]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  expect(paying.paid()).toHaveLength(1);
});

test('a key that the provider refuses charges nothing, and is shown nowhere', async () => {
  const wrong = await startBillingNetwork({ CASTELLAN_STRIPE_SECRET_KEY: 'sk_test_wrong_and_still_secret' });
  const { status, body } = await wrong.upgrade('starter');
  await wrong.stop();
  expect({ status, code: body.code }).toEqual({ status: 500, code: 'PaymentUnavailable' });
  const seen = `${JSON.stringify(body)}${wrong.lines.join('')}`;
  expect(seen).toContain('StripeAuthenticationError');
  expect(seen).not.toContain('still_secret');
});
