import { selectQuery, writeQuery } from '../query-function.js';
import { type Camel, columnList, columnName } from '../table.js';
import type { Tables } from '../tables.js';

const CHANGING = [
  'plan_id',
  'status',
  'trial_end',
  'period_start',
  'period_end',
  'anchor_day',
  'used_units',
  'paid_cents',
  'credit_cents',
  'next_plan_id',
  'provider',
  'customer_id',
  'provider_subscription_id',
  'product_id',
  'payment_brand',
  'payment_last4',
  'provider_event_at',
] as const;
const COLUMNS = columnList(['organization_id', ...CHANGING]);

type Changing = Camel<Pick<Tables['subscription'], (typeof CHANGING)[number]>>;

/**
 * What an organization subscribes to, uses and has to its credit; its row is the lock of all of that. A plan of null is
 * the default plan of the configuration, which nobody pays for. The period is half-open; `paidCents` settled it, and
 * `creditCents` are taken off the next invoices (US cents).
 */
export type Subscription = Changing & { readonly organizationId: string };

/** @returns what the organization subscribes to; undefined for an unknown organization. */
export const selectSubscription = selectQuery(
  'subscription_by_organization',
  `select ${COLUMNS} from subscription where organization_id = :organizationId`,
).first((organizationId: string) => ({ organizationId }));

/** The same, locked until the transaction ends. */
export const selectSubscriptionForUpdate = writeQuery(
  'subscription_lock',
  `select ${COLUMNS} from subscription where organization_id = :organizationId for update`,
).first((organizationId: string) => ({ organizationId }));

/**
 * Has each statement of the transaction fail that waits longer for a lock (`isLockedTooLong`).
 * @param ms milliseconds
 */
export const limitLockWait = writeQuery(
  'limit_lock_wait',
  "select set_config('lock_timeout', :ms, true) as setting",
).done((ms: number) => ({ ms: `${ms}ms` }));

/** Updates the columns that `set` names; the caller holds the row's lock. */
export const updateSubscription = writeQuery(
  'subscription_update',
  `update subscription s
      set (${CHANGING.join(', ')}) = (select ${CHANGING.map((name) => `r.${name}`).join(', ')} from jsonb_populate_record(s, :set::jsonb) r)
    where organization_id = :organizationId`,
).done((organizationId: string, set: Partial<Changing>) => {
  const columns = Object.entries(set).map(([name, value]) => [columnName(name), value]);
  return { organizationId, set: JSON.stringify(Object.fromEntries(columns)) };
});

/** @returns subscriptions whose period is over, or whose trial is, in the order of the organizations' ids. */
export const selectEndedSubscriptions = selectQuery(
  'subscription_ended',
  `select ${COLUMNS} from subscription
    where (period_end <= :now or (status = 'trialing' and trial_end <= :now))
      and (:after?::uuid is null or organization_id > :after?)
    order by organization_id limit :limit`,
).rows((of: { readonly now: Date; readonly after: string | null; readonly limit: number }) => ({
  now: of.now,
  after: of.after,
  limit: of.limit,
}));

/** @returns the plans that organizations have, wait for or are changing to, and how many they are. */
export const selectSubscribedPlans = selectQuery(
  'select_subscribed_plans',
  `select p.id as "planId!", count(distinct p.organization_id)::int as "organizations!"
     from (select s.organization_id, named.id
             from subscription s cross join lateral (values (s.plan_id), (s.next_plan_id)) as named (id)
            where named.id is not null and s.status is distinct from 'canceled'
            union all
           select organization_id, to_plan_id from plan_change where state in ('pending', 'charged')) p
    group by p.id order by p.id`,
).rows();
