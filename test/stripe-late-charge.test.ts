import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { auditBilling } from './support/audit-billing.js';
import { type BillingNetwork, startBillingNetwork } from './support/billing-network.js';

let paying: BillingNetwork;
beforeAll(async () => {
  paying = await startBillingNetwork();
});
beforeEach(() => paying.newOrganization());
afterAll(async () => {
  expect(await auditBilling(paying.network.app.core.db)).toEqual([]);
  await paying.stop();
});

const CHARGES = ['POST /v1/subscriptions', 'POST /v1/subscriptions/:id'];

/** How the first and the second sending of a charge are answered. */
const respondToCharge = (...behaviors: readonly ReturnType<BillingNetwork['fake']['decide']>[]) => {
  let sent = 0;
  paying.fake.decide = ({ call }) => (CHARGES.includes(call) ? (behaviors[sent++] ?? 'fine') : 'fine');
};

test('an error after the charge that the library hears at its second try is resolved, not given up', async () => {
  await paying.enterCard();
  respondToCharge('fault_lost');
  expect((await paying.upgrade('starter')).body).toMatchObject({ code: 'PaymentUnresolved' });
  expect(paying.paid()).toEqual([900]);
  expect(await paying.recover()).toEqual([]);
  await paying.deliverNew();
  expect(await paying.row()).toMatchObject({ plan_id: 'starter', paid_cents: 900 });
  expect(paying.paid()).toEqual([900]);
});

test('a second try while the first is still at work tells nothing, and the change is resolved', async () => {
  await paying.enterCard();
  respondToCharge('lost', 'in_use');
  expect((await paying.upgrade('starter')).body).toMatchObject({ code: 'PaymentUnresolved' });
  respondToCharge();
  expect(await paying.recover()).toEqual([]);
  expect(await paying.row()).toMatchObject({ plan_id: 'starter', paid_cents: 900 });
  expect(paying.paid()).toEqual([900]);
});

test('what cannot be read after a charge leaves it to be resolved', async () => {
  await paying.enterCard();
  const { state: book } = paying.fake;
  const create = book.createSubscription.bind(book);
  // The answer does not bring the invoice along, and the key may not read it.
  book.createSubscription = (form) => ({ ...create(form), latest_invoice: null });
  paying.fake.decide = ({ call }) => (call === 'GET /v1/invoices' ? 'refused' : 'fine');
  const { body } = await paying.upgrade('starter');
  book.createSubscription = create;
  expect(body).toMatchObject({ code: 'PaymentUnresolved' });
  paying.fake.decide = () => 'fine';
  expect(await paying.recover()).toEqual([]);
  expect(await paying.row()).toMatchObject({ plan_id: 'starter', paid_cents: 900 });
  expect(paying.paid()).toEqual([900]);
});

/** A charge that was made, and whose change was given up nevertheless. */
const giveUp = async (plan: string) => {
  respondToCharge('lost', 'lost');
  expect((await paying.upgrade(plan)).status).toBe(500);
  respondToCharge();
  const { organization_id: id } = await paying.row();
  await paying.network.sql(
    `update plan_change set state = 'failed', failure = 'given up' where organization_id = $1 and state = 'pending'`,
    [id],
  );
  return id;
};

test('a charge of a change that was given up makes the change after all', async () => {
  await paying.enterCard();
  const id = await giveUp('starter');
  await paying.deliverNew();
  expect(await paying.row()).toMatchObject({ plan_id: 'starter', paid_cents: 900, status: 'active' });
  const changes = await paying.network.sql('select state from plan_change where organization_id = $1', [id]);
  expect(changes).toContainEqual({ state: 'applied' });
  expect(paying.lines.some((line) => line.includes('given up was charged; it is made now'))).toBe(true);
  expect((await paying.upgrade('starter')).status).toBe(400);
  expect(paying.paid()).toEqual([900]);
});

test('a charge found after the subscription moved to another period is credited', async () => {
  await paying.enterCard();
  const id = await giveUp('starter');
  // The period that the change was reckoned in is over.
  await paying.network.sql(
    `update subscription set period_start = period_start + interval '1 day', period_end = period_end + interval '1 day'
      where organization_id = $1`,
    [id],
  );
  await paying.deliverNew();
  const row = await paying.row();
  expect(row).toMatchObject({ plan_id: 'starter', paid_cents: 0, credit_cents: 900 });
  expect(row.provider_subscription_id).toBe(paying.subscription().id);
  expect(paying.lines.some((line) => line.includes('what was paid is credited'))).toBe(true);
  const { body } = await paying.upgrade('growth');
  expect(body).toMatchObject({ creditApplied: 9, chargeAmount: 40 });
  expect((await paying.row()).plan_id).toBe('growth');
});

test('a change whose subscription has ended before the charge was known leaves the default plan', async () => {
  await paying.enterCard();
  respondToCharge('lost', 'lost');
  expect((await paying.upgrade('starter')).status).toBe(500);
  respondToCharge();
  const { id } = paying.fake.state.end(paying.subscription().id);
  await paying.deliverNew();
  expect(await paying.recover()).toEqual([]);
  const ended = { plan_id: null, status: 'canceled', paid_cents: 0, provider_subscription_id: null };
  expect(await paying.row()).toMatchObject(ended);
  expect(await paying.billing()).toMatchObject({ effective_plan: 'free', payment_subscription_id: null });
  expect((await paying.upgrade('starter')).status).toBe(200);
  expect((await paying.row()).provider_subscription_id).not.toBe(id);
  expect(paying.paid()).toEqual([900, 900]);
});
