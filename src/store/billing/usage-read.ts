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
export const selectUsage = selectQuery(
  'usage_sums',
  `with sums as (
     select case when :day::boolean then day end as day,
            case when :operation::boolean then operation end as operation,
            case when :key::boolean then api_key_id end as api_key_id,
            sum(calls)::bigint as "calls!", sum(units)::bigint as "units!"
       from usage_day
      where organization_id = :organizationId and day between :from::date and :to::date
      group by 1, 2, 3
      order by 1, 2, 3 limit :limit
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
  }) => ({
    organizationId: of.organizationId,
    from: of.from,
    to: of.to,
    day: of.by.day,
    operation: of.by.operation,
    key: of.by.key,
    limit: of.limit,
  }),
);
