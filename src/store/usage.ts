import type { Param, Session } from './database.js';

/** What one key used of one operation on one day. */
export interface UsageRow {
  readonly organizationId: string;
  /** UTC, `2026-11-20`. */
  readonly day: string;
  readonly keyId: string;
  readonly operation: string;
  readonly calls: number;
  /** Compute units. */
  readonly units: number;
}

/** What a process counted since its last batch. */
export interface UsageBatch {
  readonly processId: string;
  /** Grows by one with each batch of the process; the same batch, sent again, keeps its number. */
  readonly sequence: number;
  readonly writtenAt: Date;
  readonly rows: readonly UsageRow[];
}

/** How the subscription of an organization stands. */
export interface UsedUnits {
  readonly organizationId: string;
  /** null: the default plan. */
  readonly planId: string | null;
  /** Compute units used in the running period. */
  readonly usedUnits: number;
  readonly periodEnd: Date;
}

/** What a row of {@link UsedUnits} is made from, with `s` for the subscription. */
export const USED_UNITS = `s.organization_id as "organizationId", s.plan_id as "planId", s.used_units as "usedUnits",
  s.period_end as "periodEnd"`;

/**
 * The batch's number is the key to counting it once: where the process's row holds it already, nothing is added. A
 * second attempt waits for the first one's row, so that it sees how that ended. Rows are locked in order, that
 * processes which write at the same time do not lock each other out.
 */
const UPSERT = `
  with claim as (
    insert into usage_flush (process_id, sequence, written_at) values ($1, $2, $3)
    on conflict (process_id) do update set sequence = excluded.sequence, written_at = excluded.written_at
     where usage_flush.sequence < excluded.sequence
    returning sequence
  ), used as (
    select u.* from unnest($4::uuid[], $5::date[], $6::uuid[], $7::text[], $8::bigint[], $9::bigint[])
      as u (organization_id, day, api_key_id, operation, calls, units)
  ), counted as (
    insert into usage_day (organization_id, day, api_key_id, operation, calls, units)
    select u.* from used u join api_key k on k.id = u.api_key_id
     where exists (select from claim)
     order by u.organization_id, u.day, u.api_key_id, u.operation
    on conflict (organization_id, day, api_key_id, operation)
    do update set calls = usage_day.calls + excluded.calls, units = usage_day.units + excluded.units
  ), locked as (
    select organization_id from subscription
     where organization_id in (select organization_id from used) order by organization_id for update
  ), added as (
    select l.organization_id, case when exists (select from claim) then sum(u.units)::bigint else 0 end as units
      from locked l join used u on u.organization_id = l.organization_id group by l.organization_id
  )
  update subscription s set used_units = s.used_units + a.units
    from added a where s.organization_id = a.organization_id
  returning ${USED_UNITS}`;

const columns = (rows: readonly UsageRow[]): Param[] => [
  rows.map(({ organizationId }) => organizationId),
  rows.map(({ day }) => day),
  rows.map(({ keyId }) => keyId),
  rows.map(({ operation }) => operation),
  rows.map(({ calls }) => calls),
  rows.map(({ units }) => units),
];

/**
 * Adds what a process counted to the days and to the running periods, in one statement. Safe to repeat: a batch that is
 * stored already adds nothing.
 * @param session a transaction, because a statement outside of one may be sent twice at the same time
 * @param batch each organization, day, key and operation once
 * @returns how the organizations stand then; one without a subscription is left out
 */
export const upsertUsage = (session: Session, batch: UsageBatch): Promise<UsedUnits[]> =>
  session.run<UsedUnits>(UPSERT, [batch.processId, batch.sequence, batch.writtenAt, ...columns(batch.rows)]);

/** Forgets the last batches of processes that wrote none since a time: long enough ago that none of them is repeated. */
export const deleteOldUsageFlushes = async (session: Session, before: Date): Promise<void> => {
  await session.run('delete from usage_flush where written_at < $1', [before]);
};
