import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { renewAll } from '../src/billing/billing-job.js';
import { endKnownInvoice } from '../src/billing/plan/invoice-settlement.js';
import { createLedgerProvider } from '../src/billing/plan/ledger-provider.js';
import { endSubscription, renewPeriod } from '../src/billing/plan/provider-renewal.js';
import { renewIfDue } from '../src/billing/plan/renewal.js';
import { selectInvoices } from '../src/store/billing/invoice.js';
import { auditBilling } from './support/audit-billing.js';
import { BillingFixture, plans } from './support/billing-fixture.js';
import { openTestDatabase, type TestDatabase } from './support/database.js';

let database: TestDatabase;
let world: BillingFixture;
let id: string;
beforeAll(async () => {
  database = await openTestDatabase();
});
beforeEach(async () => {
  world = new BillingFixture(database.db);
  id = await world.organization();
});
afterAll(async () => {
  expect(await auditBilling(database.db)).toEqual([]);
  await database.drop();
});

const at = (text: string): void => {
  world.now = new Date(text);
};
const due = (): Promise<boolean> => renewIfDue(world.parts, id, world.now);
const invoices = async () =>
  (await selectInvoices(database.db, { organizationId: id, state: null, limit: 50 }))
    .reverse()
    .map((one) => [one.planId, one.periodStart.toISOString().slice(0, 10), one.amountCents, one.state]);
const days = async (): Promise<string[]> => {
  const { periodStart, periodEnd } = await world.subscription(id);
  return [periodStart, periodEnd].map((time) => time.toISOString().slice(0, 10));
};

test('a paid plan from the 31st of January: each month an invoice, use at zero, always the last day', async () => {
  await world.change(id, 'starter');
  for (const [end, days_] of [
    ['2027-02-28T12:00:00.000Z', ['2027-02-28', '2027-03-31']],
    ['2027-03-31T12:00:00.000Z', ['2027-03-31', '2027-04-30']],
    ['2027-04-30T12:00:00.000Z', ['2027-04-30', '2027-05-31']],
  ] as const) {
    await world.use(id, 1_000_000);
    world.now = new Date(new Date(end).getTime() - 1);
    expect(await due()).toBe(false);
    at(end);
    expect(await due()).toBe(true);
    expect(await due()).toBe(false);
    expect(await world.subscription(id)).toMatchObject({
      planId: 'starter',
      status: 'active',
      usedUnits: 0,
      paidCents: 900,
    });
    expect(await days()).toEqual(days_);
  }
  expect(await invoices()).toEqual([
    ['starter', '2027-01-31', 900, 'paid'],
    ['starter', '2027-02-28', 900, 'paid'],
    ['starter', '2027-03-31', 900, 'paid'],
    ['starter', '2027-04-30', 900, 'paid'],
  ]);
  expect(await world.ledger(id)).toEqual({ receivable: 0, revenue: -3600, credit: 0, cash: 3600 });
});

test('over a leap day', async () => {
  at('2028-01-30T00:00:00.000Z');
  id = await world.organization();
  await world.change(id, 'starter');
  expect(await days()).toEqual(['2028-01-30', '2028-02-29']);
  at('2028-02-29T00:00:00.000Z');
  await due();
  expect(await days()).toEqual(['2028-02-29', '2028-03-30']);
});

test('the service was down for three months: they are not invoiced, and the anchor day stays', async () => {
  await world.change(id, 'starter');
  await world.use(id, 5);
  at('2027-05-15T00:00:00.000Z');
  expect(await due()).toBe(true);
  expect(await days()).toEqual(['2027-04-30', '2027-05-31']);
  expect(await invoices()).toEqual([
    ['starter', '2027-01-31', 900, 'paid'],
    ['starter', '2027-04-30', 900, 'paid'],
  ]);
});

test('the default plan costs nothing: periods follow each other without invoices', async () => {
  await world.use(id, 5);
  at('2027-03-01T00:00:00.000Z');
  expect(await due()).toBe(true);
  expect(await world.subscription(id)).toMatchObject({ planId: null, status: null, usedUnits: 0 });
  expect(await days()).toEqual(['2027-02-28', '2027-03-31']);
  expect(await invoices()).toEqual([]);
});

test('a downgrade takes effect when the period ends: to a cheaper plan, then to none', async () => {
  await world.change(id, 'growth');
  await world.change(id, 'starter');
  at('2027-02-28T12:00:00.000Z');
  await due();
  expect(await world.subscription(id)).toMatchObject({ planId: 'starter', nextPlanId: null, paidCents: 900 });
  await world.change(id, 'free');
  at('2027-03-31T12:00:00.000Z');
  await due();
  expect(await world.subscription(id)).toMatchObject({
    planId: null,
    status: 'canceled',
    nextPlanId: null,
    paidCents: 0,
  });
  at('2027-04-30T12:00:00.000Z');
  await due();
  expect(await invoices()).toEqual([
    ['growth', '2027-01-31', 4900, 'paid'],
    ['starter', '2027-02-28', 900, 'paid'],
  ]);
  // Who ended it begins anew, with nothing credited.
  expect(await world.change(id, 'starter')).toMatchObject({ creditCents: 0, chargeCents: 900 });
});

test('credit that is left is taken off the next invoices, until it is gone', async () => {
  await world.change(id, 'starter');
  await world.credit(id, 1500);
  at('2027-02-28T12:00:00.000Z');
  await due();
  expect(await world.subscription(id)).toMatchObject({ creditCents: 600, paidCents: 900 });
  at('2027-03-31T12:00:00.000Z');
  await due();
  expect(await world.subscription(id)).toMatchObject({ creditCents: 0, paidCents: 900 });
  expect(await invoices()).toEqual([
    ['starter', '2027-01-31', 900, 'paid'],
    ['starter', '2027-02-28', 0, 'paid'],
    ['starter', '2027-03-31', 300, 'paid'],
  ]);
});

test('a trial: no credit from it, an upgrade ends it, and its end is invoiced', async () => {
  const trial = `update subscription set plan_id = 'starter', status = 'trialing', trial_end = $2 where organization_id = $1`;
  await database.db.run(trial, [id, new Date('2027-02-14T12:00:00.000Z')]);
  expect(await world.preview(id, 'growth')).toMatchObject({ cost: { unusedCents: 0, chargeCents: 4900 } });
  const other = await world.organization();
  await database.db.run(trial, [other, new Date('2027-02-14T12:00:00.000Z')]);
  await world.change(other, 'growth');
  expect(await world.subscription(other)).toMatchObject({ status: 'active', trialEnd: null, paidCents: 4900 });
  at('2027-02-14T11:59:59.999Z');
  expect(await due()).toBe(false);
  at('2027-02-14T12:00:00.000Z');
  expect(await due()).toBe(true);
  expect(await world.subscription(id)).toMatchObject({
    status: 'active',
    trialEnd: null,
    anchorDay: 14,
    paidCents: 900,
  });
  expect(await days()).toEqual(['2027-02-14', '2027-03-14']);
});

test('a trial of three months: periods follow each other, and the first invoice is of its end', async () => {
  await database.db.run(
    `update subscription set plan_id = 'starter', status = 'trialing', trial_end = $2 where organization_id = $1`,
    [id, new Date('2027-04-15T12:00:00.000Z')],
  );
  at('2027-03-01T00:00:00.000Z');
  expect(await due()).toBe(true);
  expect(await world.subscription(id)).toMatchObject({ status: 'trialing', paidCents: 0 });
  expect(await invoices()).toEqual([]);
  at('2027-04-20T00:00:00.000Z');
  await due();
  await due();
  expect(await world.subscription(id)).toMatchObject({ status: 'active', trialEnd: null });
  expect(await invoices()).toEqual([['starter', '2027-04-15', 900, 'paid']]);
});

test('who does not settle an open invoice is past due from the next period on', async () => {
  world = new BillingFixture(database.db, { settlement: 'open', provider: createLedgerProvider('open') });
  await world.change(id, 'starter');
  at('2027-02-28T12:00:00.000Z');
  await due();
  expect(await world.subscription(id)).toMatchObject({ status: 'past_due', paidCents: 0 });
  expect((await invoices()).map((one) => one.at(-1))).toEqual(['open', 'open']);
});

test('eight processes at the end of a period: one begins the next', async () => {
  await world.change(id, 'starter');
  at('2027-02-28T12:00:00.000Z');
  const began = await Promise.all(Array.from({ length: 8 }, due));
  expect(began.filter(Boolean)).toHaveLength(1);
  expect(await invoices()).toHaveLength(2);
});

test('a change while the period is over: the new period counts', async () => {
  await world.change(id, 'starter');
  await world.use(id, 25_000_000);
  at('2027-02-28T12:00:00.000Z');
  expect(await world.change(id, 'growth')).toMatchObject({ creditCents: 900, chargeCents: 4000 });
  expect(await world.ledger(id)).toMatchObject({ cash: 900 + 900 + 4000 });
});

test('a preview of before the end of the period counts no more: what was paid since is credited', async () => {
  await world.change(id, 'starter');
  await world.use(id, 25_000_000);
  at('2027-02-28T11:55:00.000Z');
  expect(await world.preview(id, 'growth')).toMatchObject({ cost: { chargeCents: 4900 } });
  at('2027-02-28T12:00:00.000Z');
  expect(await world.change(id, 'growth')).toMatchObject({ creditCents: 900, chargeCents: 4000 });
});

test('the job begins what is due, of everybody, and tells of what fails', async () => {
  await world.change(id, 'starter');
  const other = await world.organization();
  const outside = await world.organization();
  await database.db.run(
    `update subscription set plan_id = 'starter', status = 'active', provider = 'stripe', provider_subscription_id = 'sub_1'
      where organization_id = $1`,
    [outside],
  );
  at('2027-03-01T00:00:00.000Z');
  const asked: string[] = [];
  const faults: unknown[] = [];
  const provider = Object.assign(world.bank, {
    catchUp: async (organizationId: string) => {
      asked.push(organizationId);
      throw new Error('away');
    },
  });
  const money = { ...world.parts, provider };
  await renewAll({ money, clock: () => world.now.getTime(), failed: (_error, of) => faults.push(of) });
  expect(asked).toEqual([outside]);
  expect(faults).toEqual([{ organizationId: outside }]);
  expect(await days()).toEqual(['2027-02-28', '2027-03-31']);
  expect((await world.subscription(other)).usedUnits).toBe(0);
  // Nobody but the provider begins a period of a subscription that it keeps.
  expect((await world.subscription(outside)).periodEnd).toEqual(new Date('2027-02-28T12:00:00.000Z'));
  await expect(world.change(outside, 'growth')).rejects.toMatchObject({ code: 'RenewalUnderway' });
});

const renewal = (reference: string, state: 'open' | 'paid', start: string, end: string) => ({
  organizationId: id,
  planId: 'starter',
  period: { start: new Date(start), end: new Date(end) },
  invoice: { reference, priceCents: 900, creditCents: 0, state },
  status: 'active',
  now: world.now,
});
const FEBRUARY = ['2027-02-28T12:00:00.000Z', '2027-03-31T12:00:00.000Z'] as const;

test('an invoice renews the period only once, however often the provider reports it as open or paid', async () => {
  await world.change(id, 'starter');
  await world.use(id, 9);
  const tell = (state: 'open' | 'paid') =>
    database.db.transaction((session) => renewPeriod(session, renewal(`in_${id}`, state, ...FEBRUARY)));
  expect(await tell('open')).toBe('renewed');
  expect(await world.subscription(id)).toMatchObject({
    usedUnits: 0,
    paidCents: 0,
    periodStart: new Date(FEBRUARY[0]),
  });
  expect(await tell('open')).toBe('known');
  expect(await tell('paid')).toBe('known');
  expect(await tell('open')).toBe('known');
  expect(await tell('paid')).toBe('known');
  expect(await world.subscription(id)).toMatchObject({ usedUnits: 0, paidCents: 900 });
  expect(await world.ledger(id)).toEqual({ receivable: 0, revenue: -1800, credit: 0, cash: 1800 });
});

test('a provider gives an invoice up: it is not owed, and upgrades are possible again', async () => {
  await world.change(id, 'starter');
  const { db } = database;
  const reference = `lost_${id}`;
  await db.transaction((session) => renewPeriod(session, renewal(reference, 'open', ...FEBRUARY)));
  await expect(world.preview(id, 'growth')).rejects.toMatchObject({ kind: 'payment_required' });
  const give = () =>
    db.transaction((session) =>
      endKnownInvoice(session, { organizationId: id, reference, as: 'void', now: world.now }),
    );
  expect(await give()).toBe(true);
  expect(await give()).toBe(false);
  expect(await world.ledger(id)).toEqual({ receivable: 0, revenue: -900, credit: 0, cash: 900 });
  expect(await world.preview(id, 'growth')).toMatchObject({ cost: { unusedCents: 0, chargeCents: 4900 } });
});

test('a renewal that an upgrade overtook is booked, and all of it credited', async () => {
  await world.change(id, 'starter');
  at('2027-03-01T00:00:00.000Z');
  await database.db.run(`update subscription set period_end = $2 where organization_id = $1`, [id, world.now]);
  at('2027-02-28T23:00:00.000Z');
  await world.change(id, 'growth');
  const tell = () =>
    database.db.transaction((session) => renewPeriod(session, renewal(`late_${id}`, 'paid', ...FEBRUARY)));
  expect(await tell()).toBe('past');
  expect(await tell()).toBe('known');
  expect(await world.subscription(id)).toMatchObject({ planId: 'growth', creditCents: 900, paidCents: 4900 });
});

test('a renewal or cancellation by the provider is deferred while a change of plan is in progress', async () => {
  await world.change(id, 'starter');
  world.bank.behavior = 'lost';
  await expect(world.change(id, 'growth')).rejects.toMatchObject({ code: 'PaymentUnresolved' });
  const { db } = database;
  expect(await db.transaction((s) => renewPeriod(s, renewal(`busy_${id}`, 'paid', ...FEBRUARY)))).toBe('later');
  const ended = { organizationId: id, now: world.now };
  expect(await db.transaction((s) => endSubscription({ plans }, s, ended))).toBe('later');
  world.pass(60_000);
  expect(await world.recover()).toEqual([]);
  expect(await db.transaction((s) => endSubscription({ plans }, s, { ...ended, now: world.now }))).toBe('ended');
  expect(await world.subscription(id)).toMatchObject({ planId: null, status: 'canceled', paidCents: 0 });
});
