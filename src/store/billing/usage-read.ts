import { selectQuery } from '../query-function.js';

/** Usage of an organization, summed by the requested groups; members of other groups are null. */
export interface UsageSum {
  /** UTC, `2026-11-20`. */
  readonly day: string | null;
  readonly operation: string | null;
  readonly keyId: string | null;
  readonly keyName: string | null;
  readonly calls: number;
  /** Compute units. */
  readonly units: number;
}

/**
 * @param of days are UTC and inclusive; `by` has the groups
 * @returns sums, the oldest day first; at most `limit`
 */
export const selectUsage = selectQuery<UsageSum>(
  'usage_sums',
  `with sums as (
     select case when $4::boolean then day end as day,
            case when $5::boolean then operation end as operation,
            case when $6::boolean then api_key_id end as api_key_id,
            sum(calls)::bigint as calls, sum(units)::bigint as units
       from usage_day
      where organization_id = $1 and day between $2::date and $3::date
      group by 1, 2, 3
      order by 1, 2, 3 limit $7
   )
   select s.day::text as day, s.operation, s.api_key_id as "keyId", k.name as "keyName", s.calls, s.units
     from sums s left join api_key k on k.id = s.api_key_id
    order by s.day, s.operation, s.api_key_id`,
).rows(
  (of: {
    readonly organizationId: string;
    readonly from: string;
    readonly to: string;
    readonly by: { readonly day: boolean; readonly operation: boolean; readonly key: boolean };
    readonly limit: number;
  }) => [of.organizationId, of.from, of.to, of.by.day, of.by.operation, of.by.key, of.limit],
);
