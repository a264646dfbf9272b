import { selectQuery, writeQuery } from '../query-function.js';

/** Value of the shard column for accounts that were named individually. */
export const NAMED_FIDS = -1;
/** Value of the shard column in partial mode, where the few chosen accounts are synced together. */
export const CHOSEN_FIDS = -2;

/** Values of the shard column for accounts that the hub failed to return: after a gap, and in any other sync. */
export const FAILED_FIDS = -3;
export const FAILED_GAP_FIDS = -4;
/** In `synced_at`, what an account waits for that the hub failed to return. */
const WAITS_FOR: Readonly<Record<number, string>> = { [FAILED_FIDS]: '-infinity', [FAILED_GAP_FIDS]: 'epoch' };

/** Why a shard's accounts are synced with the hub: for the first time, on request after that, or events were missed. */
type SyncReason = 'first' | 'again' | 'gap';

/** A sync of a shard's accounts that is not finished. */
export interface OpenSync {
  readonly shard: number;
  readonly reason: SyncReason;
  /** Time of the request in microseconds, which identifies the request. */
  readonly requestedAt: string;
}

/**
 * Requests that all accounts of a shard be synced with the hub again. An unfinished first sync keeps its reason.
 */
export const requestSync = writeQuery(
  'request_sync',
  `insert into hub_sync (hub, shard, reason, requested_at) values (:hub, :shard, :reason, clock_timestamp())
    on conflict (hub, shard) do update set requested_at = clock_timestamp(), finished_at = null,
      reason = case when hub_sync.finished_at is null and hub_sync.reason = 'first' then 'first' else excluded.reason end`,
).done((hub: string, shard: number, reason: SyncReason) => ({ hub, shard, reason }));

/**
 * Requests a sync of all accounts of these shards. If the previous request is not finished, it continues, and
 * shards that it already finished stay finished.
 */
export const requestSyncs = writeQuery(
  'request_syncs',
  `with open as (
      select max(requested_at) as newest from hub_sync where hub = :hub and shard = any(:shards) and finished_at is null)
    insert into hub_sync (hub, shard, reason, requested_at)
      select :hub, wanted.shard, 'first', now() from unnest(:shards::integer[]) wanted (shard)
       where not exists (
         select from hub_sync h, open where h.hub = :hub and h.shard = wanted.shard
            and (h.finished_at is null or h.requested_at >= open.newest))
      on conflict (hub, shard) do update
        set requested_at = excluded.requested_at, finished_at = null,
          reason = case when hub_sync.finished_at is null then hub_sync.reason else 'again' end`,
).done((hub: string, shards: readonly number[]) => ({ hub, shards }));

/** Begins a sync of named accounts: those that an unfinished one was for may be others. */
export const requestNamedSync = writeQuery(
  'request_named_sync',
  `insert into hub_sync (hub, shard, reason, requested_at) values (:hub, ${NAMED_FIDS}, 'again', clock_timestamp())
    on conflict (hub, shard) do update set requested_at = clock_timestamp(), finished_at = null, reason = 'again'`,
).done((hub: string) => ({ hub }));

/**
 * Reopens the finished requests of these shards and creates missing ones, so that accounts that were never synced are
 * found: newly chosen ones (partial mode), or all when the partial mode was switched off. Accounts already synced are not
 * synced again.
 */
export const reopenSyncs = writeQuery(
  'reopen_syncs',
  `insert into hub_sync (hub, shard, reason, requested_at)
    select :hub, wanted.shard, 'first', now() from unnest(:shards::integer[]) wanted (shard)
    on conflict (hub, shard) do update set finished_at = null, reason = 'again'
      where hub_sync.finished_at is not null`,
).done((hub: string, shards: readonly number[]) => ({ hub, shards }));

/** @returns the syncs of these shards that are not finished, oldest request first */
export const selectOpenSyncs = selectQuery(
  'select_open_syncs',
  `select shard, reason, requested_at::text as "requestedAt!" from hub_sync
    where hub = :hub and shard = any(:shards) and finished_at is null order by requested_at, shard`,
).rows((hub: string, shards: readonly number[]) => ({ hub, shards }));

/** Finishes a request, unless the shard was requested again meanwhile. */
export const finishSync = writeQuery(
  'finish_sync',
  `update hub_sync set finished_at = clock_timestamp()
    where hub = :hub and shard = :shard and requested_at = :requestedAt::text::timestamptz`,
).done((hub: string, sync: OpenSync) => ({ hub, shard: sync.shard, requestedAt: sync.requestedAt }));

/** @returns those of the fids that were not synced for this or a later request, in the given order */
export const selectUnsynced = selectQuery(
  'select_unsynced',
  `select f.fid as "fid!" from unnest(:fids::bigint[]) with ordinality f(fid, place)
     left join hub_fid h on h.fid = f.fid and h.hub = :hub
    where h.synced_at is null or h.synced_at < :requestedAt::text::timestamptz
    order by f.place`,
).column('fid', (hub: string, sync: OpenSync, fids: readonly number[]) => ({
  fids,
  hub,
  requestedAt: sync.requestedAt,
}));

/**
 * Records accounts that could not be synced, for {@link selectFailedFids}. One that waits already waits for the same as
 * before: what was never loaded is history, although a gap came later.
 * @param shard `FAILED_FIDS` or `FAILED_GAP_FIDS`
 */
export const upsertFailedFids = writeQuery(
  'upsert_failed_fids',
  `insert into hub_fid (fid, hub, synced_at)
    select f.fid, :hub, :mark::text::timestamptz from unnest(:fids::bigint[]) f(fid)
    on conflict (fid, hub) do update set synced_at = excluded.synced_at
      where hub_fid.synced_at not in ('-infinity', 'epoch')`,
).done((hub: string, shard: number, fids: readonly number[]) => ({ hub, mark: WAITS_FOR[shard] as string, fids }));

/** @returns the accounts that could not be synced, and were not since. @param shard as for {@link upsertFailedFids} */
export const selectFailedFids = selectQuery(
  'select_failed_fids',
  'select fid from hub_fid where hub = :hub and synced_at = :mark::text::timestamptz order by fid',
).column('fid', (hub: string, shard: number) => ({ hub, mark: WAITS_FOR[shard] as string }));

/** @returns whether a sync is for accounts that the hub failed to return */
export const isForFailedFids = (shard: number): boolean => shard in WAITS_FOR;

export const upsertSynced = writeQuery(
  'upsert_synced',
  `insert into hub_fid (fid, hub, synced_at) select f.fid, :hub, :requestedAt::text::timestamptz from unnest(:fids::bigint[]) f(fid)
    on conflict (fid, hub) do update set synced_at = greatest(hub_fid.synced_at, excluded.synced_at)`,
).done((hub: string, sync: OpenSync, fids: readonly number[]) => ({ fids, hub, requestedAt: sync.requestedAt }));
