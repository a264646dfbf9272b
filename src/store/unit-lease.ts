import type { Database, Session } from './database.js';
import { limitLockWait } from './subscription.js';
import { addWaitingUsage, type UsedUnits, usedUnits } from './usage.js';

/** An organization's units as they stand for one process, before it takes or gives back any. */
export interface LeaseStanding extends UsedUnits {
  /** Compute units that other processes hold. */
  readonly heldByOthers: number;
}

/** What a process holds from now on. */
export interface HeldUnits {
  readonly organizationId: string;
  /** 0 ends the lease. */
  readonly units: number;
  readonly heldByOthers: number;
}

/**
 * Locks the subscriptions until the transaction ends, always in the same order.
 * @param waitMs for each that somebody else has locked
 * @throws the database's error `isLockedTooLong` beyond that
 */
export const lockSubscriptions = async (
  session: Session,
  organizationIds: readonly string[],
  waitMs: number,
): Promise<void> => {
  await limitLockWait(session, waitMs);
  await session.run(
    `select organization_id from subscription where organization_id = any($1::uuid[])
      order by organization_id for update`,
    [organizationIds],
  );
};

/** The same for those that nobody else has locked. @returns the others, as far as there are such subscriptions */
export const lockFreeSubscriptions = async (
  session: Session,
  organizationIds: readonly string[],
): Promise<readonly string[]> => {
  const rows = await session.run<{ organizationId: string }>(
    `with locked as (
       select organization_id from subscription where organization_id = any($1::uuid[])
        order by organization_id for update skip locked
     )
     select organization_id as "organizationId" from subscription
      where organization_id = any($1::uuid[]) and organization_id not in (select organization_id from locked)`,
    [organizationIds],
  );
  return rows.map(({ organizationId }) => organizationId);
};

/**
 * Ends the lapsed leases of other processes on these organizations, adds use that waited for the lock (but not what the
 * lease of another process covers), and reads what is left. The subscriptions must be locked, in a statement before:
 * what is read here is what the last holder of the lock left.
 * @returns a row for each organization that has a subscription
 */
export const selectLeaseStandings = (
  session: Session,
  processId: string,
  organizationIds: readonly string[],
  now: Date,
): Promise<LeaseStanding[]> =>
  session.run<LeaseStanding>(
    `with lapsed as (
       delete from unit_lease
        where organization_id = any($2::uuid[]) and process_id <> $1 and expires_at < $3
       returning organization_id, units
     ), waited as (
       delete from usage_waiting w
        where w.organization_id = any($2::uuid[])
          and (w.process_id = $1 or not exists (
                 select from unit_lease l where l.process_id = w.process_id
                    and l.organization_id = w.organization_id and l.expires_at >= $3))
       returning w.organization_id, w.units
     ), late as (select organization_id, sum(units)::bigint as units from waited group by organization_id
     ), added as (
       update subscription s set used_units = s.used_units + a.units
         from late a where s.organization_id = a.organization_id
     )
     select ${usedUnits('coalesce(a.units, 0)')},
            s.reserved_units - coalesce(l.units, 0)
              - coalesce((select sum(e.units) from lapsed e where e.organization_id = s.organization_id), 0)::bigint
              as "heldByOthers"
       from subscription s
       left join unit_lease l on l.process_id = $1 and l.organization_id = s.organization_id
       left join late a on a.organization_id = s.organization_id
      where s.organization_id = any($2::uuid[])`,
    [processId, organizationIds, now],
  );

/** Writes down what a process holds. The subscriptions must be locked, `heldByOthers` read under the same lock. */
export const upsertLeases = async (
  session: Session,
  processId: string,
  held: readonly HeldUnits[],
  expiresAt: Date,
): Promise<void> => {
  await session.run(
    `with held as (
       select * from unnest($2::uuid[], $3::bigint[], $4::bigint[]) as h (organization_id, units, others)
     ), ended as (
       delete from unit_lease l using held h
        where l.process_id = $1 and l.organization_id = h.organization_id and h.units = 0
     ), kept as (
       insert into unit_lease (process_id, organization_id, units, expires_at)
       select $1::uuid, organization_id, units, $5::timestamptz from held where units > 0
       on conflict (process_id, organization_id) do update set units = excluded.units, expires_at = excluded.expires_at
     )
     update subscription s set reserved_units = greatest(h.others, 0) + h.units
       from held h where s.organization_id = h.organization_id`,
    [
      processId,
      held.map(({ organizationId }) => organizationId),
      held.map(({ units }) => units),
      held.map(({ heldByOthers }) => heldByOthers),
      expiresAt,
    ],
  );
};

/**
 * Ends the leases that lapsed, of processes that crashed and of organizations that nobody calls for any more, and adds
 * use that waited for a lock. Passes over subscriptions that somebody has locked.
 */
export const deleteLapsedLeases = (db: Database, now: Date): Promise<void> =>
  db.transaction(async (session) => {
    const lapsed = await session.select<{ organizationId: string }>(
      'select distinct organization_id as "organizationId" from unit_lease where expires_at < $1',
      [now],
    );
    const ids = lapsed.map(({ organizationId }) => organizationId);
    const locked = new Set(ids.length > 0 ? await lockFreeSubscriptions(session, ids) : []);
    const free = ids.filter((id) => !locked.has(id));
    if (free.length > 0) {
      await session.run(
        `with ended as (
           delete from unit_lease where organization_id = any($1::uuid[]) and expires_at < $2
           returning organization_id, units
         ), freed as (select organization_id, sum(units)::bigint as units from ended group by organization_id)
         update subscription s set reserved_units = greatest(s.reserved_units - f.units, 0)
           from freed f where s.organization_id = f.organization_id`,
        [free, now],
      );
    }
    await addWaitingUsage(session, now);
  });
