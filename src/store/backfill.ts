import type { Session } from './database.js';

/** Stands in place of a shard for accounts that were named one by one. */
export const NAMED_FIDS = -1;
/** Stands in place of all shards in partial mode: the chosen accounts are few, and compared together. */
export const CHOSEN_FIDS = -2;

/** Why the accounts of a shard are compared with the hub: nothing was stored yet, or events were missed. */
type SyncReason = 'first' | 'gap';

/** A shard whose accounts are still to be compared. */
export interface OpenSync {
  readonly shard: number;
  readonly reason: SyncReason;
  /** When it was requested, to the microsecond: says which request this is. */
  readonly requestedAt: string;
}

/**
 * Asks that every account of a shard be compared with the hub from now on; accounts that were compared before count
 * no more. A first comparison that is still open stays one.
 */
export const requestSync = async (session: Session, hub: string, shard: number, reason: SyncReason): Promise<void> => {
  await session.run(
    `insert into hub_sync (hub, shard, reason, requested_at) values ($1, $2, $3, clock_timestamp())
       on conflict (hub, shard) do update set requested_at = clock_timestamp(), finished_at = null,
         reason = case when hub_sync.finished_at is null then hub_sync.reason else excluded.reason end`,
    [hub, shard, reason],
  );
};

/**
 * Asks that the accounts of all these shards be compared, or goes on with the request before if that did not come to
 * its end: what belongs to it, finished or not, stays as it is.
 */
export const requestSyncs = async (session: Session, hub: string, shards: readonly number[]): Promise<void> => {
  await session.run(
    `with open as (
       select max(requested_at) as newest from hub_sync where hub = $1 and shard = any($2) and finished_at is null)
     insert into hub_sync (hub, shard, reason, requested_at)
       select $1, wanted.shard, 'first', now() from unnest($2::integer[]) wanted (shard)
        where not exists (
          select from hub_sync h, open where h.hub = $1 and h.shard = wanted.shard
             and (h.finished_at is null or h.requested_at >= open.newest))
       on conflict (hub, shard) do update
         set reason = excluded.reason, requested_at = excluded.requested_at, finished_at = null`,
    [hub, shards],
  );
};

/**
 * Opens the finished requests of these shards again, and makes missing ones: accounts that were never compared are then
 * found, be it that they were chosen since (partial mode) or that all of them are indexed since. Those that were
 * compared are not compared again.
 */
export const reopenSyncs = async (session: Session, hub: string, shards: readonly number[]): Promise<void> => {
  await session.run(
    `insert into hub_sync (hub, shard, reason, requested_at)
       select $1, wanted.shard, 'first', now() from unnest($2::integer[]) wanted (shard)
       on conflict (hub, shard) do update set finished_at = null, reason = excluded.reason
         where hub_sync.finished_at is not null`,
    [hub, shards],
  );
};

/** @returns those of the shards that are not compared to their end, oldest request first. */
export const selectOpenSyncs = async (session: Session, hub: string, shards: readonly number[]): Promise<OpenSync[]> =>
  session.select<OpenSync>(
    `select shard, reason, requested_at::text as "requestedAt" from hub_sync
      where hub = $1 and shard = any($2) and finished_at is null order by requested_at, shard`,
    [hub, shards],
  );

/** Closes a request, unless the shard was requested anew meanwhile. */
export const finishSync = async (session: Session, hub: string, sync: OpenSync): Promise<void> => {
  await session.run(
    `update hub_sync set finished_at = clock_timestamp()
      where hub = $1 and shard = $2 and requested_at = $3::timestamptz`,
    [hub, sync.shard, sync.requestedAt],
  );
};

/** @returns those of the fids that were not compared for this request or a later one, in the order given. */
export const selectUnsynced = async (
  session: Session,
  hub: string,
  sync: OpenSync,
  fids: readonly number[],
): Promise<number[]> => {
  const rows = await session.select<{ fid: number }>(
    `select f.fid from unnest($1::bigint[]) with ordinality f(fid, place)
       left join hub_fid h on h.fid = f.fid and h.hub = $2
      where h.synced_at is null or h.synced_at < $3::timestamptz
      order by f.place`,
    [fids, hub, sync.requestedAt],
  );
  return rows.map((row) => row.fid);
};

/** Notes that these accounts were compared for a request. */
export const upsertSynced = async (
  session: Session,
  hub: string,
  sync: OpenSync,
  fids: readonly number[],
): Promise<void> => {
  await session.run(
    `insert into hub_fid (fid, hub, synced_at) select f.fid, $2, $3::timestamptz from unnest($1::bigint[]) f(fid)
       on conflict (fid, hub) do update set synced_at = greatest(hub_fid.synced_at, excluded.synced_at)`,
    [fids, hub, sync.requestedAt],
  );
};
