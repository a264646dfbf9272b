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

/**
 * What a row of {@link UsedUnits} is made from, with `s` for the subscription.
 * @param more SQL: units that are to be told on top of those of the row
 */
export const usedUnits = (more = '0'): string => `s.organization_id as "organizationId", s.plan_id as "planId",
  s.used_units + ${more} as "usedUnits", s.period_end as "periodEnd"`;

const WAITING = `coalesce((select sum(w.units) from usage_waiting w where w.organization_id = s.organization_id), 0)::bigint`;

/**
 * The batch's number is the key to counting it once: where the process's row holds it already, nothing is added. A
 * second attempt waits for the first one's row, so that it sees how that ended. A subscription that somebody else has
 * locked is not waited for, as all others would wait with it: its use goes to `usage_waiting`.
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
     where organization_id in (select organization_id from used) order by organization_id for update skip locked
  ), sums as (
    select organization_id, case when exists (select from claim) then sum(units)::bigint else 0 end as units
      from used group by organization_id
  ), added as (
    update subscription s set used_units = s.used_units + u.units
      from sums u join locked l on l.organization_id = u.organization_id where s.organization_id = u.organization_id
    returning ${usedUnits()}
  ), passed as (
    select s.*, u.units from sums u join subscription s on s.organization_id = u.organization_id
     where not exists (select from locked l where l.organization_id = u.organization_id)
  ), waiting as (
    insert into usage_waiting (process_id, organization_id, units)
    select $1, organization_id, units from passed where units > 0
  ), told as (
    select *, false as "isPassed" from added
     union all
    select ${usedUnits(`s.units + ${WAITING}`)}, true
      from passed s
  )
  select *, exists (select from usage_waiting) as "isAnyWaiting" from told`;

/**
 * Where the process that it comes from has a lease on the organization, the lease still covers it: the process adds it
 * itself, when it tells what it holds then.
 */
const ADD_WAITING = `
  with locked as (
    select organization_id from subscription
     where organization_id in (select organization_id from usage_waiting) order by organization_id for update skip locked
  ), gone as (
    delete from usage_waiting w using locked k
     where w.organization_id = k.organization_id
       and not exists (select from unit_lease l where l.process_id = w.process_id
                          and l.organization_id = w.organization_id and l.expires_at >= $1)
    returning w.organization_id, w.units
  )
  update subscription s set used_units = s.used_units + g.units
    from (select organization_id, sum(units)::bigint as units from gone group by organization_id) g
   where s.organization_id = g.organization_id`;

/** Adds use that waited for a lock to the running periods, wherever that is free now. */
export const addWaitingUsage = async (session: Session, now: Date): Promise<void> => {
  await session.run(ADD_WAITING, [now]);
};

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
 * stored already adds nothing. Use of a subscription that somebody has locked is added later ({@link addWaitingUsage}).
 * @param session a transaction, because a statement outside of one may be sent twice at the same time
 * @param batch each organization, day, key and operation once
 * @returns how the organizations stand then, with what waits; one without a subscription is left out. `locked`: those
 * whose use waits now
 */
export const upsertUsage = async (
  session: Session,
  batch: UsageBatch,
): Promise<{ readonly written: readonly UsedUnits[]; readonly locked: readonly string[] }> => {
  const params = [batch.processId, batch.sequence, batch.writtenAt, ...columns(batch.rows)];
  const rows = await session.run<UsedUnits & { readonly isPassed: boolean; readonly isAnyWaiting: boolean }>(
    UPSERT,
    params,
  );
  if (rows.some(({ isAnyWaiting }) => isAnyWaiting)) await addWaitingUsage(session, batch.writtenAt);
  return {
    written: rows.map(({ isPassed: _, isAnyWaiting: __, ...used }) => used),
    locked: rows.filter(({ isPassed }) => isPassed).map(({ organizationId }) => organizationId),
  };
};

/** Forgets the last batches of processes that wrote none since a time: long enough ago that none of them is repeated. */
export const deleteOldUsageFlushes = async (session: Session, before: Date): Promise<void> => {
  await session.run('delete from usage_flush where written_at < $1', [before]);
};
