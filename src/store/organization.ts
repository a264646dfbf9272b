import type { Session } from './database.js';

export interface Organization {
  readonly id: string;
  readonly name: string;
}

/**
 * Stores an organization and the subscription row that every one has: it subscribes to nothing, and its first period
 * is the month from `createdAt`.
 * @returns the stored organization; undefined for an id that exists already, which is left as it is.
 */
export const insertOrganization = async (
  session: Session,
  organization: {
    readonly id?: string;
    readonly name: string;
    readonly billingEmail?: string;
    readonly createdAt?: Date;
  },
): Promise<Organization | undefined> => {
  const { id, name, billingEmail, createdAt = new Date() } = organization;
  const rows = await session.run<Organization>(
    `with made as (
       insert into organization (id, name, billing_email, created_at)
       values (coalesce($1::uuid, gen_random_uuid()), $2, $3, $4::timestamptz)
       on conflict (id) do nothing
       returning id, name
     ), subscribed as (
       insert into subscription (organization_id, period_start, period_end, anchor_day)
       select id, $4::timestamptz, (($4::timestamptz at time zone 'UTC') + interval '1 month') at time zone 'UTC',
              extract(day from $4::timestamptz at time zone 'UTC')
         from made
     )
     select id, name from made`,
    [id ?? null, name, billingEmail ?? null, createdAt],
  );
  return rows[0];
};
