import type { Session } from '../../db/statement.js';
import { selectQuery, writeQuery } from '../query-function.js';
import type { Camel } from '../table.js';
import type { Tables } from '../tables.js';

export type Organization = Pick<Tables['organization'], 'id' | 'name'>;

/**
 * Stores an organization and the subscription row that every one has: it subscribes to nothing, and its first period
 * is the month from `createdAt`.
 * @returns the stored organization; undefined for an id that exists already, which is left as it is.
 */
export const insertOrganization = writeQuery(
  'insert_organization',
  `with made as (
      insert into organization (id, name, billing_email, created_at)
      values (coalesce(:id?::uuid, gen_random_uuid()), :name, :billingEmail?, :createdAt::timestamptz)
      on conflict (id) do nothing
      returning id, name
    ), subscribed as (
      insert into subscription (organization_id, period_start, period_end, anchor_day)
      select id, :createdAt::timestamptz, ((:createdAt::timestamptz at time zone 'UTC') + interval '1 month') at time zone 'UTC',
             extract(day from :createdAt::timestamptz at time zone 'UTC')
        from made
    )
    select id, name from made`,
).first(
  (organization: {
    readonly id?: string;
    readonly name: string;
    readonly billingEmail?: string;
    readonly createdAt?: Date;
  }) => {
    const { id, name, billingEmail, createdAt = new Date() } = organization;
    return { id: id ?? null, name, billingEmail: billingEmail ?? null, createdAt };
  },
);

/** An organization with what it subscribes to, as its own record shows it. */
export interface BillingRecord {
  readonly name: string;
  /** `active` or `inactive`. */
  readonly organizationStatus: string;
  readonly billingEmail: string | null;
  /** null: the default plan. */
  readonly planId: string | null;
  /** As the payment provider words it; null: there is no subscription. */
  readonly status: string | null;
  readonly periodStart: Date;
  readonly periodEnd: Date;
  readonly customerId: string | null;
  readonly productId: string | null;
  readonly providerSubscriptionId: string | null;
}

const RECORD = `o.name, o.status as "organizationStatus", o.billing_email as "billingEmail", s.plan_id as "planId",
          s.status, s.period_start as "periodStart", s.period_end as "periodEnd", s.customer_id as "customerId",
          s.product_id as "productId", s.provider_subscription_id as "providerSubscriptionId"`;

const billingOf = selectQuery(
  'organization_billing',
  `select ${RECORD} from organization o join subscription s on s.organization_id = o.id where o.id = :organizationId`,
).first();

/** @throws Error for an unknown organization, which would be a fault: callers pass the one of their API key. */
export const selectBilling = async (session: Session, organizationId: string): Promise<BillingRecord> => {
  const row = await billingOf(session, { organizationId });
  if (!row) throw new Error(`There is no organization ${organizationId}.`);
  return row;
};

/** An organization as an operator sees it. */
export interface ListedOrganization extends BillingRecord {
  readonly id: string;
  /** Compute units used in the running period. */
  readonly usedUnits: number;
  /** What it changes to when the period ends; null: nothing else. */
  readonly nextPlanId: string | null;
  readonly createdAt: Date;
}

/**
 * @param page `afterId` is the last organization of the page before; absent: the first page, or all without a limit
 * @returns organizations, oldest first
 */
export const selectOrganizations = selectQuery(
  'organization_list',
  `select o.id, ${RECORD}, s.used_units as "usedUnits", s.next_plan_id as "nextPlanId", o.created_at as "createdAt"
     from organization o join subscription s on s.organization_id = o.id
    where (:id?::uuid is null or o.id = :id?)
      and (:afterId?::uuid is null or (o.created_at, o.id) > (select b.created_at, b.id from organization b where b.id = :afterId?))
    order by o.created_at, o.id
    limit :limit?::integer`,
).rows((page: { readonly id?: string; readonly afterId?: string | undefined; readonly limit?: number } = {}) => ({
  id: page.id ?? null,
  afterId: page.afterId ?? null,
  limit: page.limit ?? null,
}));

/** What of an organization an operator can change; a `billingEmail` of null takes it away. */
export type OrganizationChange = Partial<Camel<Pick<Tables['organization'], 'name' | 'status' | 'billing_email'>>>;

/**
 * @param change what is absent stays as it is
 * @returns the organization as it stands then; undefined when there is none
 */
export const updateOrganization = writeQuery(
  'update_organization',
  `update organization
      set name = coalesce(:name?, name), status = coalesce(:status?, status),
          billing_email = case when :setsBillingEmail::boolean then :billingEmail? else billing_email end
    where id = :id returning id, name`,
).first((id: string, change: OrganizationChange) => ({
  id,
  name: change.name ?? null,
  status: change.status ?? null,
  setsBillingEmail: change.billingEmail !== undefined,
  billingEmail: change.billingEmail ?? null,
}));

/** @returns the organization of that id; undefined when there is none. */
export const selectOrganization = selectQuery(
  'organization_by_id',
  'select id, name from organization where id = :id',
).first((id: string) => ({ id }));
