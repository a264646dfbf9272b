import { type Applied, applyChange, type Preview, previewChange } from '../../src/billing/plan/change.js';
import { recoverChanges } from '../../src/billing/plan/change-recovery.js';
import type { BillingDependencies } from '../../src/billing/plan/dependencies.js';
import { bookCredit } from '../../src/billing/plan/ledger.js';
import { createPlans, type Plan } from '../../src/billing/plan/plan.js';
import { type Charge, type Charged, PaymentFailure, type PaymentProvider } from '../../src/billing/plan/provider.js';
import type { Database } from '../../src/db/database.js';
import { insertOrganization } from '../../src/store/access/organization.js';
import {
  type Subscription,
  selectSubscription,
  selectSubscriptionForUpdate,
  updateSubscription,
} from '../../src/store/billing/subscription.js';

const plan = (id: string, priceCents: number, units: number | null): Plan => ({
  id,
  name: id,
  category: 'API',
  tier: id,
  priceCents,
  units,
  requestsPerMinute: null,
  webhooks: null,
  apps: null,
});

export const plans = createPlans(
  [
    plan('free', 0, 10_000_000),
    plan('starter', 900, 25_000_000),
    plan('growth', 4900, 150_000_000),
    plan('scale', 24_900, 900_000_000),
    plan('enterprise', 99_900, null),
  ],
  'free',
);

export type PlanId = 'free' | 'starter' | 'growth' | 'scale' | 'enterprise';

/** declined: it rejects. lost: it charges, but the response is lost. away: the call fails without reaching it. */
export type FakeBankBehavior = 'well' | 'declined' | 'lost' | 'away';

/** A payment provider with its own books, outside the database. */
export class FakeBank implements PaymentProvider {
  readonly name = 'stripe';
  behavior: FakeBankBehavior = 'well';
  /** Called before and after each charge. */
  onCharge: (when: 'before' | 'after') => Promise<void> | void = () => undefined;
  /** Number of charge requests received. */
  asked = 0;
  readonly #charges = new Map<string, Charge>();
  readonly #refused = new Set<string>();

  /** US cents charged to an organization, or to all. */
  taken(organizationId?: string): number {
    const charges = [...this.#charges.values()].filter(
      (one) => !organizationId || one.organizationId === organizationId,
    );
    return charges.reduce((sum, { chargeCents }) => sum + chargeCents, 0);
  }

  charges(organizationId: string): readonly Charge[] {
    return [...this.#charges.values()].filter((one) => one.organizationId === organizationId);
  }

  async charge(charge: Charge): Promise<Charged> {
    await this.onCharge('before');
    this.asked += 1;
    if (this.behavior === 'away') throw new PaymentFailure('unavailable', 'It does not answer.');
    if (this.behavior === 'declined' || this.#refused.has(charge.id)) {
      this.#refused.add(charge.id);
      throw new PaymentFailure('declined', 'The card was declined.', {
        paymentMethod: { brand: 'visa', last4: '0002' },
      });
    }
    if (!this.#charges.has(charge.id)) this.#charges.set(charge.id, charge);
    await this.onCharge('after');
    if (this.behavior === 'lost') throw new Error('socket hang up');
    return this.#charged(charge.id);
  }

  async resolve({ id }: Charge) {
    if (this.behavior === 'away') throw new PaymentFailure('unavailable', 'It does not answer.');
    if (this.#charges.has(id)) return { kind: 'charged' as const, charged: this.#charged(id) };
    this.#refused.add(id);
    return { kind: 'not_charged' as const, reason: 'It never arrived.' };
  }

  async schedule(): Promise<void> {}
  async unschedule(): Promise<void> {}

  // The bank manages no subscriptions: periods are renewed here, and it only takes part in changes.
  #charged(id: string): Charged {
    return { reference: `bank:${id}`, invoice: 'paid', names: { customerId: `customer:${id}` }, status: 'active' };
  }
}

/** Organizations, plans and a bank on a database, with a clock that tests set. */
export class BillingFixture {
  readonly bank = new FakeBank();
  readonly parts: BillingDependencies;
  readonly db: Database;
  now = new Date('2027-01-31T12:00:00.000Z');

  constructor(db: Database, parts: Partial<BillingDependencies> = {}) {
    this.db = db;
    this.parts = { db, plans, provider: this.bank, settlement: 'paid', ...parts };
  }

  pass(milliseconds: number): void {
    this.now = new Date(this.now.getTime() + milliseconds);
  }

  async organization(): Promise<string> {
    const made = await insertOrganization(this.db, { name: 'one', createdAt: this.now });
    return made?.id as string;
  }

  async use(organizationId: string, units: number): Promise<void> {
    const text = 'update subscription set used_units = used_units + $2 where organization_id = $1';
    await this.db.run(text, [organizationId, units]);
  }

  /** Books credit as for a paid period that never began. */
  credit(organizationId: string, cents: number): Promise<void> {
    return this.db.transaction(async (session) => {
      const row = (await selectSubscriptionForUpdate(session, organizationId)) as Subscription;
      await bookCredit(session, { organizationId, cents, at: this.now });
      await updateSubscription(session, organizationId, { creditCents: row.creditCents + cents });
    });
  }

  preview(organizationId: string, id: PlanId): Promise<Preview> {
    return previewChange(this.parts, { organizationId, plan: plans.byId(id), now: this.now });
  }

  change(organizationId: string, id: PlanId, parts: BillingDependencies = this.parts): Promise<Applied> {
    const wanted = { organizationId, plan: plans.byId(id), now: this.now, keyId: null, requestId: 'request-1' };
    return applyChange(parts, wanted);
  }

  /** @returns errors of changes that could not be resolved */
  async recover(parts: BillingDependencies = this.parts): Promise<unknown[]> {
    const faults: unknown[] = [];
    await recoverChanges(parts, { now: this.now, failed: (error) => faults.push(error) });
    return faults;
  }

  async subscription(organizationId: string): Promise<Subscription> {
    return (await selectSubscription(this.db, organizationId)) as Subscription;
  }

  /** US cents on each account, debit positive. */
  async ledger(organizationId: string): Promise<Record<'receivable' | 'revenue' | 'credit' | 'cash', number>> {
    const rows = await this.db.run<{ account: string; cents: number }>(
      'select account, sum(amount_cents)::bigint as cents from ledger_entry where organization_id = $1 group by account',
      [organizationId],
    );
    const sums = Object.fromEntries(rows.map(({ account, cents }) => [account, cents]));
    return { receivable: 0, revenue: 0, credit: 0, cash: 0, ...sums };
  }

  async changeStates(organizationId: string): Promise<string[]> {
    const text = 'select state from plan_change where organization_id = $1 order by created_at, state';
    return (await this.db.run<{ state: string }>(text, [organizationId])).map(({ state }) => state);
  }
}
