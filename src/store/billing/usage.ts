import { type RowOf, selectQuery, writeQuery } from '../query-function.js';

/** Usage of one operation with one key on one day. */
export interface UsageRow {
  /** UTC, `2026-11-20`. */
  readonly day: string;
  readonly keyId: string;
  readonly operation: string;
  readonly calls: number;
  /** Compute units. */
  readonly units: number;
}

/** Usage of one organization that a process has not written yet. */
export interface UsageBatch {
  readonly organizationId: string;
  /** Grows with each batch of the process; a repeated batch keeps its number. */
  readonly sequence: number;
  /** Each day, key and operation once. */
  readonly rows: readonly UsageRow[];
}

const COLUMNS = `organization_id as "organizationId", plan_id as "planId", used_units as "usedUnits", period_end as "periodEnd"`;

/** Plan (null: the default one), usage and period of an organization. */
export type UsedUnits = RowOf<'used_units_by_organization'>;

/**
 * Adds what a process counted to the days and to the running periods, and reads the sums of all processes, in one
 * statement. Safe to repeat: a batch that is already stored adds nothing.
 *
 * The batch number makes a repeated write harmless: `claim` returns no row when `usage_flush` already has the number. A
 * subscription that another transaction has locked is skipped, because waiting for it would delay the usage of all other
 * organizations. `free` returns the subscription as the last holder of its lock left it, which the statement's snapshot
 * may not show.
 * @param session a transaction, because a statement outside of one may be sent twice at the same time
 * @param batches at most one for each organization
 * @param others more organizations to read
 * @returns a row for each organization that has a subscription. `isWritten` is false where there was no batch, and where
 * another transaction has locked the subscription: then the batch must be written again
 */
export const upsertUsage = writeQuery(
  'usage_upsert',
  `with batch as (
    select * from unnest(:organizationIds::uuid[], :sequences::bigint[]) as b (organization_id, sequence)
  ), used as (
    select * from unnest(:rowOrganizationIds::uuid[], :days::date[], :keyIds::uuid[], :operations::text[], :calls::bigint[], :units::bigint[])
      as u (organization_id, day, api_key_id, operation, calls, units)
  ), free as materialized (
    select organization_id, plan_id, used_units, period_end from subscription
     where organization_id in (select organization_id from batch) order by organization_id for update skip locked
  ), claim as (
    insert into usage_flush (process_id, organization_id, sequence, written_at)
    select :processId, organization_id, b.sequence, :writtenAt from batch b join free using (organization_id)
    on conflict (process_id, organization_id)
    do update set sequence = excluded.sequence, written_at = excluded.written_at
     where usage_flush.sequence < excluded.sequence
    returning organization_id
  ), counted as (
    insert into usage_day (organization_id, day, api_key_id, operation, calls, units)
    select u.* from used u join claim using (organization_id) join api_key k on k.id = u.api_key_id
    on conflict (organization_id, day, api_key_id, operation)
    do update set calls = usage_day.calls + excluded.calls, units = usage_day.units + excluded.units
  ), added as (
    select organization_id, sum(units)::bigint as units from used join claim using (organization_id)
     group by organization_id
  ), updated as (
    update subscription s set used_units = s.used_units + a.units
      from added a where s.organization_id = a.organization_id
  )
  select organization_id as "organizationId!", plan_id as "planId",
         used_units + coalesce(a.units, 0) as "usedUnits!", period_end as "periodEnd!", true as "isWritten!"
    from free left join added a using (organization_id)
   union all
  select ${COLUMNS}, exists (select from batch b join usage_flush f using (organization_id, sequence)
                              where f.process_id = :processId and b.organization_id = s.organization_id)
    from subscription s
   where organization_id = any(:allIds::uuid[]) and organization_id not in (select organization_id from free)`,
).rows(
  (of: {
    readonly processId: string;
    readonly writtenAt: Date;
    readonly batches: readonly UsageBatch[];
    readonly others: readonly string[];
  }) => {
    const { processId, writtenAt, batches, others } = of;
    const ids = batches.map(({ organizationId }) => organizationId);
    const rows = batches.flatMap((batch) =>
      batch.rows.map((row) => ({ ...row, organizationId: batch.organizationId })),
    );
    return {
      processId,
      organizationIds: batches.map((row) => row.organizationId),
      sequences: batches.map((row) => row.sequence),
      rowOrganizationIds: rows.map((row) => row.organizationId),
      days: rows.map((row) => row.day),
      keyIds: rows.map((row) => row.keyId),
      operations: rows.map((row) => row.operation),
      calls: rows.map((row) => row.calls),
      units: rows.map((row) => row.units),
      writtenAt,
      allIds: [...ids, ...others],
    };
  },
);

/** @returns undefined for an organization without a subscription */
export const selectUsedUnits = selectQuery(
  'used_units_by_organization',
  `select ${COLUMNS} from subscription where organization_id = :organizationId`,
).first((organizationId: string) => ({ organizationId }));

/** Deletes the last batch numbers of processes that wrote none since `before`; none of those may be repeated after. */
export const deleteOldUsageFlushes = writeQuery(
  'usage_flush_delete_old',
  'delete from usage_flush where written_at < :before',
).done((before: Date) => ({ before }));
