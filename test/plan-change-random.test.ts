import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PREVIEW_MS } from '../src/billing/plan/change-quote.js';
import { RECOVERY_AGE_MS } from '../src/billing/plan/provider.js';
import { renewIfDue } from '../src/billing/plan/renewal.js';
import { AppError } from '../src/error.js';
import type { Subscription } from '../src/store/billing/subscription.js';
import { auditBilling } from './support/audit-billing.js';
import { BillingFixture, type FakeBankBehavior, type PlanId, plans } from './support/billing-fixture.js';
import { openTestDatabase, type TestDatabase } from './support/database.js';
import { rounds } from './support/rounds.js';

const DAY_MS = 86_400_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.drop());

type Step =
  | { readonly kind: 'use'; readonly units: number }
  | { readonly kind: 'preview'; readonly plan: PlanId }
  | { readonly kind: 'change'; readonly plan: PlanId; readonly behavior: FakeBankBehavior }
  | { readonly kind: 'pass'; readonly milliseconds: number }
  | { readonly kind: 'credit'; readonly cents: number }
  | { readonly kind: 'recover' }
  | { readonly kind: 'renew' };

const planId = fc.constantFrom<PlanId>('free', 'starter', 'growth', 'scale', 'enterprise');
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('use' as const), units: fc.integer({ min: 1, max: 40_000_000 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('preview' as const), plan: planId }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('change' as const),
      plan: planId,
      behavior: fc.oneof(
        { weight: 5, arbitrary: fc.constant<FakeBankBehavior>('well') },
        { weight: 3, arbitrary: fc.constantFrom<FakeBankBehavior>('declined', 'lost', 'away') },
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('pass' as const),
      milliseconds: fc.oneof(fc.integer({ min: 0, max: PREVIEW_MS }), fc.integer({ min: 0, max: 40 * DAY_MS })),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('credit' as const), cents: fc.integer({ min: 1, max: 30_000 }) }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'recover' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'renew' as const }) },
);

/** One organization, and what a careful customer would write down beside it. */
class Customer {
  readonly world: BillingFixture;
  readonly id: string;
  /** The last preview of each plan: what was said, when, and of which period. */
  readonly #said = new Map<PlanId, { readonly chargeCents: number; readonly at: number; readonly state: string }>();
  /** Units that were ever used. */
  used = 0;
  /** US cents of credit that came from elsewhere. */
  given = 0;

  constructor(world: BillingFixture, id: string) {
    this.world = world;
    this.id = id;
  }

  async take(one: Step): Promise<void> {
    const { world, id } = this;
    world.bank.behavior = 'well';
    if (one.kind === 'use') {
      this.used += one.units;
      await world.use(id, one.units);
    } else if (one.kind === 'pass') world.pass(one.milliseconds);
    else if (one.kind === 'renew') await renewIfDue(world.parts, id, world.now);
    else if (one.kind === 'credit') {
      this.given += one.cents;
      await world.credit(id, one.cents);
    } else if (one.kind === 'recover') expect(await world.recover()).toEqual([]);
    else {
      try {
        await (one.kind === 'preview' ? this.preview(one.plan) : this.change(one.plan, one.behavior));
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
      }
    }
  }

  /** What a preview is of: another plan, period or balance makes it another matter. */
  #stateOf({ planId, periodStart, creditCents }: Subscription): string {
    return `${planId} ${periodStart.toISOString()} ${creditCents}`;
  }

  async preview(plan: PlanId): Promise<void> {
    const { cost } = await this.world.preview(this.id, plan);
    const row = await this.world.subscription(this.id);
    const said = { chargeCents: cost.chargeCents, at: this.world.now.getTime(), state: this.#stateOf(row) };
    this.#said.set(plan, said);
  }

  async change(plan: PlanId, behavior: FakeBankBehavior): Promise<void> {
    const { world, id } = this;
    await renewIfDue(world.parts, id, world.now);
    const before = await world.subscription(id);
    world.bank.behavior = behavior;
    const applied = await world.change(id, plan);
    if (applied.kind !== 'upgrade') {
      expect(applied).toMatchObject({ creditCents: 0, chargeCents: 0 });
      return;
    }
    expect(applied.creditCents + applied.chargeCents).toBe(plans.byId(plan).priceCents);
    const said = this.#said.get(plan);
    const isFresh = said !== undefined && world.now.getTime() - said.at <= PREVIEW_MS;
    if (isFresh && said.state === this.#stateOf(before)) expect(applied.chargeCents).toBe(said.chargeCents);
  }

  /** What has to be true whatever came before. */
  async check(): Promise<void> {
    const { world, id } = this;
    const { receivable, revenue, credit, cash } = await world.ledger(id);
    const row = await world.subscription(id);
    expect(receivable + revenue + credit + cash).toBe(0);
    expect(row.creditCents + credit).toBe(0);
    expect(receivable).toBe(0);
    // Nobody is owed more than came in, and nothing was given away.
    expect(row.creditCents).toBeGreaterThanOrEqual(0);
    expect(row.creditCents).toBeLessThanOrEqual(cash + this.given);
    expect(revenue).toBeLessThanOrEqual(this.given);
    expect(row.usedUnits).toBeGreaterThanOrEqual(0);
    expect(row.usedUnits).toBeLessThanOrEqual(this.used);
    const [renewed] = await world.db.run<{ cents: number }>(
      `select coalesce(sum(amount_cents), 0)::bigint as cents from invoice where organization_id = $1 and plan_change_id is null`,
      [id],
    );
    const [applied] = await world.db.run<{ cents: number; underway: number }>(
      `select coalesce(sum(charge_cents) filter (where state = 'applied'), 0)::bigint as cents,
              count(*) filter (where state in ('pending', 'charged')) as underway
         from plan_change where organization_id = $1 and kind = 'upgrade'`,
      [id],
    );
    expect(cash).toBe((renewed?.cents ?? 0) + (applied?.cents ?? 0));
    // What the bank took and what was applied are the same, but for what is being found out.
    if (applied?.underway === 0) expect(world.bank.taken(id)).toBe(applied.cents);
  }
}

test('no sequence of previews, use, changes, renewals and failures makes or loses money', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const world = new BillingFixture(database.db);
      const customer = new Customer(world, await world.organization());
      for (const one of steps) {
        await customer.take(one);
        await customer.check();
      }
      world.bank.behavior = 'well';
      world.pass(RECOVERY_AGE_MS);
      expect(await world.recover()).toEqual([]);
      await customer.check();
      expect(await world.changeStates(customer.id)).not.toContain('pending');
      expect(world.bank.charges(customer.id)).toHaveLength(
        (
          await world.db.run(`select from invoice where organization_id = $1 and plan_change_id is not null`, [
            customer.id,
          ])
        ).length,
      );
    }),
    { numRuns: rounds(60) },
  );
  expect(await auditBilling(database.db)).toEqual([]);
}, 600_000);

test('whatever was used before and after a preview: the upgrade costs what it said, and no unit is lost', async () => {
  const units = fc.integer({ min: 0, max: 30_000_000 });
  const later = fc.integer({ min: 0, max: PREVIEW_MS });
  await fc.assert(
    fc.asyncProperty(units, units, later, async (before, between, milliseconds) => {
      const world = new BillingFixture(database.db);
      const id = await world.organization();
      await world.change(id, 'starter');
      await world.use(id, before);
      const { cost } = await world.preview(id, 'growth');
      await world.use(id, between);
      world.pass(milliseconds);
      const { creditCents, chargeCents } = await world.change(id, 'growth');
      expect({ creditCents, chargeCents }).toEqual({ creditCents: cost.creditCents, chargeCents: cost.chargeCents });
      expect((await world.subscription(id)).usedUnits).toBe(between);
    }),
    { numRuns: rounds(20) },
  );
}, 300_000);
