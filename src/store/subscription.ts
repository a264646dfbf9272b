import type { Session } from './database.js';

/** What an organization subscribes to, uses and has to its credit. Its row is the lock of all of that. */
export interface Subscription {
  readonly organizationId: string;
  /** Of the plan file; null: the default plan of the configuration, which nobody pays for. */
  readonly planId: string | null;
  /** As the payment provider words it: trialing, active, past_due, canceled, unpaid, incomplete; null: there is none. */
  readonly status: string | null;
  readonly trialEnd: Date | null;
  /** The running period: inclusive. */
  readonly periodStart: Date;
  /** Exclusive. */
  readonly periodEnd: Date;
  /** Day of the month that periods begin on, 1 to 31. */
  readonly anchorDay: number;
  /** Compute units used in the running period. */
  readonly usedUnits: number;
  /** Leased to processes and not yet used. */
  readonly reservedUnits: number;
  /** US cents that settled the running period, paid or taken from credit. */
  readonly paidCents: number;
  /** US cents that the next invoices take off. */
  readonly creditCents: number;
  /** A change that waits for the end of the period. */
  readonly nextPlanId: string | null;
  /** ledger or stripe. */
  readonly provider: string;
  readonly customerId: string | null;
  readonly providerSubscriptionId: string | null;
  readonly productId: string | null;
  readonly paymentBrand: string | null;
  readonly paymentLast4: string | null;
  readonly providerEventAt: Date | null;
}

const columns = [
  'organization_id as organizationId',
  'plan_id as planId',
  'status',
  'trial_end as trialEnd',
  'period_start as periodStart',
  'period_end as periodEnd',
  'anchor_day as anchorDay',
  'used_units as usedUnits',
  'reserved_units as reservedUnits',
  'paid_cents as paidCents',
  'credit_cents as creditCents',
  'next_plan_id as nextPlanId',
  'provider',
  'customer_id as customerId',
  'provider_subscription_id as providerSubscriptionId',
  'product_id as productId',
  'payment_brand as paymentBrand',
  'payment_last4 as paymentLast4',
  'provider_event_at as providerEventAt',
] as const;

/** Columns by the names that they have here. */
const columnOf = new Map(columns.map((column) => [column.split(' as ').at(-1), column.split(' as ')[0] as string]));

/** @returns what the organization subscribes to; undefined for an unknown organization. */
export const selectSubscription = (session: Session, organizationId: string): Promise<Subscription | undefined> =>
  session.kysely
    .selectFrom('subscription')
    .select(columns)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();

/** The same, locked until the transaction ends. */
export const selectSubscriptionForUpdate = (
  session: Session,
  organizationId: string,
): Promise<Subscription | undefined> =>
  session.kysely
    .selectFrom('subscription')
    .select(columns)
    .where('organization_id', '=', organizationId)
    .forUpdate()
    .executeTakeFirst();

/**
 * Has each statement of the transaction fail that waits longer for a lock (`isLockedTooLong`).
 * @param ms milliseconds
 */
export const limitLockWait = async (session: Session, ms: number): Promise<void> => {
  await session.run("select set_config('lock_timeout', $1, true)", [`${ms}ms`]);
};

/** Writes what changed; the caller holds the row's lock. */
export const updateSubscription = async (
  session: Session,
  organizationId: string,
  set: Partial<Omit<Subscription, 'organizationId'>>,
): Promise<void> => {
  const named = Object.entries(set).map(([name, value]) => [columnOf.get(name), value] as const);
  if (named.length === 0) return;
  await session.kysely
    .updateTable('subscription')
    .set(Object.fromEntries(named))
    .where('organization_id', '=', organizationId)
    .execute();
};

/** @returns subscriptions whose period is over, or whose trial is, in the order of the organizations' ids. */
export const selectEndedSubscriptions = (
  session: Session,
  of: { readonly now: Date; readonly after: string | null; readonly limit: number },
): Promise<Subscription[]> =>
  session.kysely
    .selectFrom('subscription')
    .select(columns)
    .where((where) =>
      where.or([
        where('period_end', '<=', of.now),
        where.and([where('status', '=', 'trialing'), where('trial_end', '<=', of.now)]),
      ]),
    )
    .$if(of.after !== null, (query) => query.where('organization_id', '>', of.after))
    .orderBy('organization_id')
    .limit(of.limit)
    .execute();

/** @returns the plans that organizations have, wait for or are changing to, and how many they are. */
export const selectSubscribedPlans = (
  session: Session,
): Promise<{ readonly planId: string; readonly organizations: number }[]> =>
  session.select(
    `select p.id as "planId", count(distinct p.organization_id)::int as organizations
       from (select s.organization_id, named.id
               from subscription s cross join lateral (values (s.plan_id), (s.next_plan_id)) as named (id)
              where named.id is not null and s.status is distinct from 'canceled'
              union all
             select organization_id, to_plan_id from plan_change where state in ('pending', 'charged')) p
      group by p.id order by p.id`,
  );
