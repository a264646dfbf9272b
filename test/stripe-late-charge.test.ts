import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { auditMoney } from './support/audit-money.js';
import { type PayingNetwork, startPaying } from './support/paying.js';

let paying: PayingNetwork;
beforeAll(async () => {
  paying = await startPaying();
});
beforeEach(() => paying.newOrganization());
afterAll(async () => {
  expect(await auditMoney(paying.network.app.core.db)).toEqual([]);
  await paying.stop();
});

const CHARGES = ['POST /v1/subscriptions', 'POST /v1/subscriptions/:id'];

/** How the first and the second sending of a charge are answered. */
const answerCharge = (...moods: readonly ReturnType<PayingNetwork['fake']['judge']>[]) => {
  let sent = 0;
  paying.fake.judge = ({ call }) => (CHARGES.includes(call) ? (moods[sent++] ?? 'fine') : 'fine');
};

test('an error after the charge that the library hears at its second try is resolved, not given up', async () => {
  await paying.enterCard();
  answerCharge('fault_lost');
  expect((await paying.upgrade('starter')).body).toMatchObject({ code: 'PaymentUnresolved' });
  expect(paying.paid()).toEqual([900]);
  expect(await paying.recover()).toEqual([]);
  await paying.deliverNew();
  expect(await paying.row()).toMatchObject({ plan_id: 'starter', paid_cents: 900 });
  expect(paying.paid()).toEqual([900]);
});

test('a second try while the first is still at work tells nothing, and the change is resolved', async () => {
  await paying.enterCard();
  answerCharge('lost', 'in_use');
  expect((await paying.upgrade('starter')).body).toMatchObject({ code: 'PaymentUnresolved' });
  answerCharge();
  expect(await paying.recover()).toEqual([]);
  expect(await paying.row()).toMatchObject({ plan_id: 'starter', paid_cents: 900 });
  expect(paying.paid()).toEqual([900]);
});

test('what cannot be read after a charge leaves it to be resolved', async () => {
  await paying.enterCard();
  const { book } = paying.fake;
  const create = book.createSubscription.bind(book);
  // The answer does not bring the invoice along, and the key may not read it.
  book.createSubscription = (form) => ({ ...create(form), latest_invoice: null });
  paying.fake.judge = ({ call }) => (call === 'GET /v1/invoices' ? 'refused' : 'fine');
  const { body } = await paying.upgrade('starter');
  book.createSubscription = create;
  expect(body).toMatchObject({ code: 'PaymentUnresolved' });
  paying.fake.judge = () => 'fine';
  expect(await paying.recover()).toEqual([]);
  expect(await paying.row()).toMatchObject({ plan_id: 'starter', paid_cents: 900 });
  expect(paying.paid()).toEqual([900]);
});
