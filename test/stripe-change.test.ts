import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { auditBilling } from './support/audit-billing.js';
import { type BillingNetwork, startBillingNetwork } from './support/billing-network.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const CHARGES = ['POST /v1/subscriptions', 'POST /v1/subscriptions/:id'];

let paying: BillingNetwork;
beforeAll(async () => {
  paying = await startBillingNetwork();
});
beforeEach(() => paying.newOrganization());
afterAll(async () => {
  expect(await auditBilling(paying.network.app.core.db)).toEqual([]);
  await paying.stop();
});

const subscribe = async (plan: string): Promise<void> => {
  await paying.enterCard();
  expect((await paying.upgrade(plan)).status).toBe(200);
  await paying.deliverNew();
};

/** The provider begins the next period, and nothing is heard of it yet. */
const turn = async (): Promise<void> => {
  paying.pass((await paying.row()).period_end.getTime() - paying.now() + 1000);
  paying.fake.state.turnPeriod(paying.subscription().id);
};

const collect = async (): Promise<void> => {
  paying.pass(HOUR_MS);
  paying.fake.state.collectLatest(paying.subscription().id);
  await paying.deliverNew();
};

const changes = async (): Promise<unknown[]> =>
  paying.network.sql(
    'select kind, to_plan_id, state, failure from plan_change where organization_id = $1 order by created_at',
    [(await paying.row()).organization_id],
  );

const sent = (): number => paying.fake.calls.filter(({ call }) => CHARGES.includes(call)).length;

test('between the end of a period and the word of the provider no change is arranged', async () => {
  await subscribe('growth');
  await turn();
  const refused = await paying.upgrade('starter');
  expect({ status: refused.status, code: refused.body.code }).toEqual({ status: 400, code: 'RenewalUnderway' });
  await paying.deliverNew();
  expect((await paying.upgrade('starter')).status).toBe(200);
  await collect();
  expect(await paying.row()).toMatchObject({ plan_id: 'growth', next_plan_id: 'starter', paid_cents: 4900 });
  expect(paying.paid()).toEqual([4900, 4900]);
});

test('between the end of a period and the word of the provider what waits is not taken back', async () => {
  await subscribe('growth');
  expect((await paying.upgrade('starter')).status).toBe(200);
  await paying.deliverNew();
  await turn();
  expect((await paying.upgrade('growth')).body.code).toBe('RenewalUnderway');
  await paying.deliverNew();
  await collect();
  expect(await paying.row()).toMatchObject({ plan_id: 'starter', next_plan_id: null, paid_cents: 900 });
  expect(paying.paid()).toEqual([4900, 900]);
});

test('a downgrade that can never be arranged ends, and holds up neither renewals nor other changes', async () => {
  await subscribe('growth');
  const price = paying.fake.state.find('prices', 'price_starter');
  price.active = false;
  try {
    const { status, body } = await paying.upgrade('starter');
    expect({ status, code: body.code }).toEqual({ status: 500, code: 'PaymentUnavailable' });
  } finally {
    price.active = true;
  }
  expect((await changes()).at(-1)).toMatchObject({ kind: 'downgrade', state: 'failed' });
  await turn();
  await paying.deliverNew();
  await collect();
  expect(await paying.row()).toMatchObject({ plan_id: 'growth', next_plan_id: null, paid_cents: 4900 });
  expect((await paying.upgrade('starter')).status).toBe(200);
});

test('a downgrade whose answer is lost, and that is refused then, is ended by recovery', async () => {
  await subscribe('growth');
  const price = paying.fake.state.find('prices', 'price_starter');
  paying.fake.decide = ({ call }) => (call.startsWith('GET /v1/prices') ? 'away' : 'fine');
  expect((await paying.upgrade('starter')).body.code).toBe('PaymentUnresolved');
  paying.fake.decide = () => 'fine';
  price.active = false;
  try {
    expect(await paying.recover()).toEqual([]);
  } finally {
    price.active = true;
  }
  expect((await changes()).at(-1)).toMatchObject({ kind: 'downgrade', state: 'failed' });
});

test('a downgrade that the provider does not answer for an hour is given up, and that is told', async () => {
  await subscribe('growth');
  paying.fake.decide = ({ call }) => (call.startsWith('GET /v1/prices') ? 'away' : 'fine');
  expect((await paying.upgrade('starter')).body.code).toBe('PaymentUnresolved');
  expect(await paying.recover()).toHaveLength(1);
  expect((await changes()).at(-1)).toMatchObject({ state: 'pending' });
  paying.pass(HOUR_MS);
  expect(await paying.recover()).toEqual([expect.objectContaining({ message: expect.stringContaining('given up') })]);
  expect((await changes()).at(-1)).toMatchObject({ kind: 'downgrade', state: 'failed' });
  paying.fake.decide = () => 'fine';
  expect(await paying.recover()).toEqual([]);
  expect((await paying.upgrade('starter')).status).toBe(200);
});

test('an upgrade of a paused subscription makes no second one: it is refused, and told what to do', async () => {
  await subscribe('starter');
  const subscription = paying.subscription();
  subscription.status = 'paused';
  paying.fake.state.tell('customer.subscription.paused', subscription);
  paying.fake.state.tell('customer.subscription.updated', subscription);
  await paying.deliverNew();
  expect(await paying.row()).toMatchObject({ status: 'paused' });
  const { status, body } = await paying.upgrade('growth');
  expect({ status, body }).toMatchObject({ status: 402, body: { message: expect.stringContaining('paused') } });
  expect(paying.subscription().status).toBe('paused');
  expect(paying.paid()).toEqual([900]);
  // The way out that the message tells.
  expect((await paying.upgrade('free')).status).toBe(200);
  await paying.deliverNew();
  expect(await paying.row()).toMatchObject({ plan_id: null, status: 'canceled' });
});

test('that the records show nothing of a charge is believed only when none can be under way any more', async () => {
  await paying.enterCard();
  paying.fake.decide = ({ call }) => (CHARGES.includes(call) ? 'away' : 'fine');
  expect((await paying.upgrade('starter')).status).toBe(500);
  // Sent for the last time, and the provider is still at work on it a minute later.
  paying.pass(HOUR_MS - 2 * MINUTE_MS);
  expect(await paying.recover()).toHaveLength(1);
  const tries = sent();
  expect(await paying.recover()).toHaveLength(1);
  expect(await paying.recover()).toHaveLength(1);
  expect((await changes()).at(-1)).toMatchObject({ state: 'pending' });
  expect(sent()).toBe(tries);
  paying.pass(15 * MINUTE_MS);
  expect(await paying.recover()).toEqual([]);
  expect((await changes()).at(-1)).toMatchObject({ state: 'failed' });
  expect(sent()).toBe(tries);
});

for (const [what, meanwhile] of [
  ['a process that stood still before it sent the charge', async () => paying.pass(10 * MINUTE_MS)],
  [
    'a process whose change was given up before it sent the charge',
    async () => {
      const { organization_id: id } = await paying.row();
      const text = `update plan_change set state = 'failed', failure = 'given up' where organization_id = $1 and state = 'pending'`;
      await paying.network.sql(text, [id]);
    },
  ],
] as const) {
  test(`${what} does not send it`, async () => {
    await paying.enterCard();
    const before = sent();
    let stalled = false;
    paying.fake.hold = ({ call }) => {
      if (!call.startsWith('GET /v1/prices') || stalled) return undefined;
      stalled = true;
      return meanwhile();
    };
    expect((await paying.upgrade('starter')).body.code).toBe('PaymentUnresolved');
    expect(stalled).toBe(true);
    expect(sent()).toBe(before);
    expect(paying.paid()).toEqual([]);
    // Recovery decides, and nothing else.
    expect(await paying.recover()).toEqual([]);
    expect(paying.paid()).toHaveLength((await paying.row()).plan_id === null ? 0 : 1);
  });
}

/** How many units of the running period are used. */
const use = async (units: number): Promise<void> => {
  const { organization_id: id } = await paying.row();
  await paying.network.sql('update subscription set used_units = $2 where organization_id = $1', [id, units]);
};
const preview = async () => {
  const path = '/portal/subscription/upgrade/preview?newPlan=growth';
  return paying.network.get(path, paying.headers());
};
const ofInvoice = (step: string) => (asked: { readonly call: string }) =>
  asked.call === `POST /v1/invoices/:id/${step}`;
const stepsOf = (step: string): number => paying.fake.calls.filter(ofInvoice(step)).length;

describe('an upgrade while the invoice of a renewal is a draft', () => {
  test('has it collected first, and costs what the preview said', async () => {
    await subscribe('starter');
    await turn();
    await paying.deliverNew();
    await use(10_000_001);
    expect((await preview()).body).toMatchObject({ credit: { creditAmount: 5.39 }, chargeAmount: 43.61 });
    // Asking takes no money.
    expect(paying.paid()).toEqual([900]);
    const { body } = await paying.upgrade('growth');
    expect(body).toMatchObject({ creditApplied: 5.39, chargeAmount: 43.61, effectiveImmediately: true });
    expect(paying.paid()).toEqual([900, 900, 4361]);
    expect(await paying.row()).toMatchObject({ plan_id: 'growth', paid_cents: 4900, credit_cents: 0 });
    await paying.deliverNew();
    expect(await paying.row()).toMatchObject({ plan_id: 'growth', paid_cents: 4900, credit_cents: 0 });
    expect(paying.paid()).toEqual([900, 900, 4361]);
  });

  test('is refused where the card is declined, and can be repeated when the invoice is paid', async () => {
    await subscribe('starter');
    await turn();
    await paying.deliverNew();
    paying.fake.state.cards.set('4242', 'declined');
    const refused = await paying.upgrade('growth');
    expect(refused).toMatchObject({ status: 402, body: { paymentMethod: { brand: 'visa', last4: '4242' } } });
    expect(await paying.row()).toMatchObject({ plan_id: 'starter', status: 'past_due', paid_cents: 0 });
    // It is not tried again here: the provider does that in its own time.
    const tries = stepsOf('pay');
    expect((await paying.upgrade('growth')).status).toBe(402);
    expect(stepsOf('pay')).toBe(tries);
    expect((await preview()).status).toBe(402);
    paying.fake.state.cards.set('4242', 'fine');
    await collect();
    expect((await paying.upgrade('growth')).body).toMatchObject({ creditApplied: 9, chargeAmount: 40 });
    expect(paying.paid()).toEqual([900, 900, 4000]);
  });

  for (const step of ['finalize', 'pay'] as const) {
    for (const behavior of ['away', 'lost', 'fault_after'] as const) {
      test(`takes the money once, whatever happens (${step}: ${behavior})`, async () => {
        await subscribe('starter');
        await turn();
        await paying.deliverNew();
        paying.fake.decide = ({ call }) => (ofInvoice(step)({ call }) ? behavior : 'fine');
        const { status } = await paying.upgrade('growth');
        paying.fake.decide = () => 'fine';
        // What the provider did not say, its records said; else the upgrade waits.
        const isPaid = step === 'pay' && behavior !== 'away';
        expect(status).toBe(isPaid ? 200 : 402);
        if (!isPaid) {
          expect(await paying.row()).toMatchObject({ plan_id: 'starter', paid_cents: 0 });
          expect((await paying.upgrade('growth')).status).toBe(200);
        }
        await paying.deliverNew();
        expect(await paying.row()).toMatchObject({ plan_id: 'growth', status: 'active', paid_cents: 4900 });
        expect(paying.paid()).toEqual([900, 900, 4000]);
      });
    }
  }

  for (const isFirstDeclined of [false, true]) {
    test(`finds that it is paid already, where nobody told (declined at first: ${isFirstDeclined})`, async () => {
      await subscribe('starter');
      await turn();
      await paying.deliverNew();
      if (isFirstDeclined) {
        paying.fake.state.cards.set('4242', 'declined');
        await collect();
        paying.fake.state.cards.set('4242', 'fine');
        expect((await preview()).status).toBe(402);
      }
      paying.fake.state.collectLatest(paying.subscription().id);
      expect((await paying.upgrade('growth')).body).toMatchObject({ creditApplied: 9, chargeAmount: 40 });
      expect(paying.paid()).toEqual([900, 900, 4000]);
      await paying.deliverNew();
    });
  }

  test('two of them at once collect it once', async () => {
    await subscribe('starter');
    await turn();
    await paying.deliverNew();
    // The second is refused, or comes when the first is done: an upgrade from there, or a downgrade, which is free.
    const answers = await Promise.all([paying.upgrade('growth'), paying.upgrade('scale')]);
    const made = answers.filter(({ status }) => status === 200).map(({ body }) => Math.round(body.chargeAmount * 100));
    expect(made).not.toEqual([]);
    expect(answers.filter(({ status }) => ![200, 400, 402].includes(status))).toEqual([]);
    await paying.deliverNew();
    expect(paying.paid().slice(0, 2)).toEqual([900, 900]);
    const charged = made.filter((cents) => cents > 0).sort((a, b) => a - b);
    expect(
      paying
        .paid()
        .slice(2)
        .sort((a, b) => a - b),
    ).toEqual(charged);
  });

  test('is needed: neither a downgrade nor an upgrade that cannot be has it collected', async () => {
    await subscribe('growth');
    await turn();
    await paying.deliverNew();
    expect((await paying.upgrade('growth')).status).toBe(400);
    expect((await paying.upgrade('starter')).status).toBe(200);
    expect(paying.paid()).toEqual([4900]);
  });
});
