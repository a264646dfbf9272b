import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { endInvoice } from '../src/billing/plan/invoice-settlement.js';
import { createLedgerProvider } from '../src/billing/plan/ledger-provider.js';
import { selectAuditEntries } from '../src/store/access/audit-log.js';
import { selectInvoices, selectOpenInvoices } from '../src/store/billing/invoice.js';
import { auditBilling } from './support/audit-billing.js';
import { BillingFixture } from './support/billing-fixture.js';
import { openTestDatabase, type TestDatabase } from './support/database.js';

const MINUTE_MS = 60_000;
const MILLION = 1_000_000;

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

test('the worked example of docs/billing.md, to the cent', async () => {
  await world.change(id, 'starter');
  world.pass(9 * 24 * 60 * MINUTE_MS);
  await world.use(id, 10_000_001);
  const preview = await world.preview(id, 'growth');
  expect(preview).toMatchObject({ kind: 'upgrade', usedUnits: 10_000_001, currentPriceCents: 900 });
  expect(preview.unitRate).toBe(0.000_000_36);
  expect(preview.cost).toEqual({
    unusedUnits: 14_999_999,
    unusedCents: 539,
    creditCents: 539,
    chargeCents: 4361,
    balanceCents: 0,
  });
  // Used between the preview and the upgrade: it counts into the new period.
  await world.use(id, 5 * MILLION);
  world.pass(10 * MINUTE_MS);
  expect(await world.change(id, 'growth')).toMatchObject({ kind: 'upgrade', creditCents: 539, chargeCents: 4361 });
  expect(await world.subscription(id)).toMatchObject({
    planId: 'growth',
    status: 'active',
    usedUnits: 5 * MILLION,
    paidCents: 4900,
    creditCents: 0,
    periodStart: world.now,
    customerId: expect.stringContaining('customer:'),
  });
  expect(await world.ledger(id)).toEqual({ receivable: 0, revenue: -(900 + 4361), credit: 0, cash: 900 + 4361 });
  expect(world.bank.taken(id)).toBe(900 + 4361);
  const invoices = await selectInvoices(database.db, { organizationId: id, state: null, limit: 10 });
  expect(invoices.map(({ planId, amountCents, state }) => [planId, amountCents, state])).toEqual([
    ['growth', 4361, 'paid'],
    ['starter', 900, 'paid'],
  ]);
});

test('a preview older than ten minutes counts no more, nor does one of before a change', async () => {
  await world.change(id, 'starter');
  await world.preview(id, 'growth');
  await world.use(id, 12_500_000);
  world.pass(10 * MINUTE_MS + 1);
  expect(await world.change(id, 'growth')).toMatchObject({ creditCents: 450, chargeCents: 4450 });
  const other = await world.organization();
  await world.preview(other, 'growth');
  await world.change(other, 'starter');
  await world.use(other, 25 * MILLION);
  expect(await world.change(other, 'growth')).toMatchObject({ creditCents: 0, chargeCents: 4900 });
  expect(await world.subscription(other)).toMatchObject({ usedUnits: 0 });
});

test('one upgrade after another: what one paid the next takes off, the part that was paid by credit included', async () => {
  await world.change(id, 'starter');
  await world.change(id, 'growth');
  await world.change(id, 'scale');
  expect(world.bank.taken(id)).toBe(24_900);
  expect(world.bank.charges(id).map(({ chargeCents }) => chargeCents)).toEqual([900, 4000, 20_000]);
});

test('a balance is taken off an upgrade, after the unused units; what is left of it stays', async () => {
  await world.credit(id, 1000);
  expect(await world.change(id, 'starter')).toMatchObject({ creditCents: 900, chargeCents: 0 });
  expect(await world.subscription(id)).toMatchObject({ creditCents: 100, paidCents: 900 });
  await world.use(id, 12_500_000);
  expect(await world.change(id, 'growth')).toMatchObject({ creditCents: 550, chargeCents: 4350 });
  expect(await world.subscription(id)).toMatchObject({ creditCents: 0, paidCents: 4900 });
  expect(world.bank.taken(id)).toBe(4350);
});

test('a downgrade costs nothing, waits for the end of the period, and can be taken back', async () => {
  await world.change(id, 'growth');
  await world.use(id, MILLION);
  expect(await world.preview(id, 'starter')).toMatchObject({
    kind: 'downgrade',
    cost: { chargeCents: 0, creditCents: 0 },
  });
  expect(await world.change(id, 'starter')).toMatchObject({ kind: 'downgrade', creditCents: 0, chargeCents: 0 });
  expect(await world.subscription(id)).toMatchObject({ planId: 'growth', nextPlanId: 'starter', usedUnits: MILLION });
  await expect(world.change(id, 'starter')).rejects.toMatchObject({ kind: 'invalid', property: 'newPlan' });
  expect(await world.change(id, 'growth')).toMatchObject({ kind: 'keep', chargeCents: 0 });
  expect(await world.subscription(id)).toMatchObject({ planId: 'growth', nextPlanId: null });
  expect(world.bank.taken(id)).toBe(4900);
  const log = await selectAuditEntries(database.db, id, 10);
  expect(log.map(({ action, requestId }) => [action, requestId])).toEqual([
    ['plan.downgrade_taken_back', 'request-1'],
    ['plan.downgrade_arranged', 'request-1'],
    ['plan.upgraded', 'request-1'],
  ]);
});

test('an upgrade takes a waiting downgrade back', async () => {
  await world.change(id, 'growth');
  await world.change(id, 'starter');
  await world.change(id, 'scale');
  expect(await world.subscription(id)).toMatchObject({ planId: 'scale', nextPlanId: null });
});

test('the plan that it has is refused, by preview and by change', async () => {
  const same = { kind: 'invalid', property: 'newPlan', message: expect.stringContaining('has the plan free already') };
  await expect(world.preview(id, 'free')).rejects.toMatchObject(same);
  await expect(world.change(id, 'free')).rejects.toMatchObject(same);
});

test('to and from an unlimited plan', async () => {
  await world.change(id, 'scale');
  expect(await world.change(id, 'enterprise')).toMatchObject({ creditCents: 24_900, chargeCents: 75_000 });
  const { kind, unitRate, cost } = await world.preview(id, 'starter');
  expect({ kind, unitRate, ...cost }).toMatchObject({ kind: 'downgrade', unitRate: 0, unusedUnits: 0, unusedCents: 0 });
});

test('a declined charge: 402 with the payment method, nothing changes, and the next try may go well', async () => {
  world.bank.behavior = 'declined';
  await expect(world.change(id, 'starter')).rejects.toMatchObject({
    kind: 'payment_required',
    code: 'PaymentRequired',
    message: 'The card was declined.',
    paymentMethod: { brand: 'visa', last4: '0002' },
  });
  expect(await world.subscription(id)).toMatchObject({ planId: null, paidCents: 0 });
  expect(await world.ledger(id)).toEqual({ receivable: 0, revenue: 0, credit: 0, cash: 0 });
  world.bank.behavior = 'well';
  await world.change(id, 'starter');
  expect(await world.changeStates(id)).toEqual(expect.arrayContaining(['failed', 'applied']));
  expect(world.bank.taken(id)).toBe(900);
});

test('two upgrades at once: one wins, the other is told', async () => {
  let release: () => void = () => undefined;
  const told = new Promise<void>((resolve) => {
    release = resolve;
  });
  // Whoever comes to the bank stays there until the other one has heard.
  world.bank.onCharge = () => told;
  const both = [world.change(id, 'starter'), world.change(id, 'growth')];
  const first = await Promise.race(both.map((one) => one.catch((error: unknown) => error)));
  expect(first).toMatchObject({ kind: 'conflict', code: 'ChangeUnderway' });
  release();
  const ended = await Promise.allSettled(both);
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(world.bank.charges(id)).toHaveLength(1);
});

test('twenty upgrades at once to one plan: one is charged, nineteen are refused', async () => {
  const before = world.bank.asked;
  const ended = await Promise.allSettled(Array.from({ length: 20 }, () => world.change(id, 'growth')));
  const reasons = ended.flatMap((one) => (one.status === 'rejected' ? [one.reason.code as string] : []));
  expect(reasons).toHaveLength(19);
  expect(reasons.every((code) => code === 'ChangeUnderway' || code === 'InvalidField')).toBe(true);
  expect(world.bank.asked - before).toBe(1);
  expect(world.bank.taken(id)).toBe(4900);
  expect(await world.ledger(id)).toMatchObject({ cash: 4900, revenue: -4900 });
});

test('invoices that are open until they are settled: no other upgrade before, all of its worth after', async () => {
  const open = { settlement: 'open', provider: createLedgerProvider('open') } as const;
  world = new BillingFixture(database.db, open);
  expect(await world.change(id, 'starter')).toMatchObject({ chargeCents: 900 });
  expect(await world.ledger(id)).toEqual({ receivable: 900, revenue: -900, credit: 0, cash: 0 });
  expect(await world.subscription(id)).toMatchObject({ planId: 'starter', status: 'active', paidCents: 0 });
  const unpaid = { kind: 'payment_required', message: expect.stringContaining('of $9.00 is not paid yet') };
  await expect(world.preview(id, 'growth')).rejects.toMatchObject(unpaid);
  await expect(world.change(id, 'growth')).rejects.toMatchObject(unpaid);
  const [invoice] = await selectOpenInvoices(database.db, id);
  await endInvoice(database.db, { id: invoice?.id as string, as: 'paid', now: world.now });
  expect(await world.ledger(id)).toMatchObject({ receivable: 0, cash: 900 });
  await expect(
    endInvoice(database.db, { id: invoice?.id as string, as: 'paid', now: world.now }),
  ).rejects.toMatchObject({
    code: 'InvoiceEnded',
  });
  expect(await world.change(id, 'growth')).toMatchObject({ creditCents: 900, chargeCents: 4000 });
  const [second] = await selectOpenInvoices(database.db, id);
  await endInvoice(database.db, { id: second?.id as string, as: 'void', now: world.now });
  // The credit that it took is there again, and nothing of the period counts as paid.
  expect(await world.subscription(id)).toMatchObject({ planId: 'growth', paidCents: 0, creditCents: 900 });
  expect(await world.ledger(id)).toEqual({ receivable: 0, revenue: 0, credit: -900, cash: 900 });
});

test('the database refuses that somebody who canceled has a plan', async () => {
  await world.change(id, 'starter');
  const cancel = database.db.run("update subscription set status = 'canceled' where organization_id = $1", [id]);
  await expect(cancel).rejects.toThrow('subscription_canceled_plan_check');
});

test('the audit shows each kind of damage', async () => {
  const other = await openTestDatabase();
  try {
    const broken = new BillingFixture(other.db);
    const one = await broken.organization();
    await broken.change(one, 'starter');
    expect(await auditBilling(other.db)).toEqual([]);
    await expect(other.db.run('update ledger_entry set amount_cents = 1')).rejects.toThrow('append-only');
    await expect(other.db.run('delete from ledger_entry')).rejects.toThrow('append-only');
    await expect(other.db.run('truncate ledger_entry')).rejects.toThrow('append-only');
    await other.db.run(
      `insert into ledger_entry (organization_id, transaction_id, account, amount_cents, created_at)
       values ($1, gen_random_uuid(), 'credit', -5, now())`,
      [one],
    );
    await other.db.run('update invoice set price_cents = 901, amount_cents = 901');
    await other.db.run('update subscription set used_units = -1');
    const two = await broken.organization();
    await broken.change(two, 'starter');
    await other.db.run('update subscription set paid_cents = 5 where organization_id = $1', [two]);
    const columns = `organization_id, kind, to_plan_id, price_cents, unused_cents, credit_cents, charge_cents, used_units, period_start, provider, created_at`;
    const values = `$1, 'upgrade', 'growth', 4900, 0, 0, 4900, 0, now(), 'stripe', now()`;
    for (const [state, reference] of [
      ['pending', null],
      ['applied', null],
      ['failed', 'bank:1'],
    ]) {
      await other.db.run(
        `insert into plan_change (id, ${columns}, state, provider_reference, updated_at)
         values (gen_random_uuid(), ${values}, $2, $3, now() - interval '2 hours')`,
        [one, state as string, reference as string | null],
      );
    }
    expect(new Set((await auditBilling(other.db)).map(({ what }) => what))).toEqual(
      new Set([
        'ledger_entry.transaction',
        'ledger_entry.organization',
        'subscription.credit_cents',
        'subscription.used_units',
        'subscription.paid_cents',
        'invoice.amount_cents',
        'plan_change.invoice',
        'plan_change.state',
        'plan_change.provider_reference',
      ]),
    );
  } finally {
    await other.drop();
  }
});
