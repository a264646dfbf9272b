import {
  CHOSEN_FIDS,
  FAILED_FIDS,
  FAILED_GAP_FIDS,
  finishSync,
  isForFailedFids,
  NAMED_FIDS,
  type OpenSync,
  requestSync,
  selectFailedFids,
  selectUnsynced,
  upsertFailedFids,
  upsertSynced,
} from '../../store/hub/sync.js';
import { type SyncOptions, syncFid } from './account-sync.js';
import { HubHeight } from './hub-height.js';
import { listFids } from './listing.js';
import { syncReferences } from './reference-sync.js';
import type { SyncDependencies } from './removed-message.js';
import { inParallel, retryDatabaseCall } from './retry.js';

/** Accounts synced in parallel; each mostly waits for a call. */
const CONCURRENCY = 8;
/** Accounts in one statement. */
const CHUNK = 20_000;
/** Accounts recorded as done in one write; a killed process repeats at most this many. */
const POSITIONS_PER_WRITE = 50;

export type OnProgress = (done: number, total: number) => void;

/**
 * Syncs all accounts of a request with the hub, registration first. Accounts that are already done are skipped, so a
 * run that was killed resumes where it stopped.
 * @param named the accounts of a request for named ones
 * @returns the accounts that the hub failed to return; with any, the request stays open
 * @throws SubmitStopped or the hub's error if the service stops
 */
export const runSync = async (
  deps: SyncDependencies,
  sync: OpenSync,
  onProgress: OnProgress,
  named: readonly number[] = [],
): Promise<readonly number[]> => {
  const { db, client, filter, log, signal } = deps;
  const fids = await accountsOf(deps, sync, named);
  const due: number[] = [];
  for (let start = 0; start < fids.length; start += CHUNK) {
    const part = fids.slice(start, start + CHUNK);
    due.push(...(await retryDatabaseCall(() => selectUnsynced(db, client.hub, sync, part), deps)));
  }
  const options: SyncOptions = { announce: sync.reason === 'gap', height: new HubHeight(deps) };
  const finished: number[] = [];
  const writeFinished = async (): Promise<void> => {
    const part = finished.splice(0);
    const write = () => db.transaction((session) => upsertSynced(session, client.hub, sync, part));
    if (part.length > 0) await (signal.aborted ? write() : retryDatabaseCall(write, deps));
  };
  let done = fids.length - due.length;
  const failed: number[] = [];
  onProgress(done, fids.length);
  try {
    await inParallel(due, CONCURRENCY, async (fid) => {
      try {
        const casts = await syncFid(deps, fid, options);
        if (filter?.fids.has(fid)) await syncReferences(deps, fid, casts, options);
        if (finished.push(fid) >= POSITIONS_PER_WRITE) await writeFinished();
      } catch (error) {
        if (signal.aborted) throw error;
        failed.push(fid);
        log.error({ err: error, fid }, 'an account could not be synced with the hub; it stays due');
      }
      onProgress(++done, fids.length);
    });
  } finally {
    await writeFinished();
  }
  if (failed.length === 0) await retryDatabaseCall(() => finishSync(db, client.hub, sync), deps);
  return failed;
};

/**
 * Finishes a sync although the hub failed to return some accounts, and requests one for these alone, so that neither the
 * others nor the repair of gaps wait for them.
 */
export const postponeFailed = async (
  deps: SyncDependencies,
  sync: OpenSync,
  failed: readonly number[],
): Promise<void> => {
  const { db, client } = deps;
  const write = () =>
    db.transaction(async (session) => {
      const shard = sync.reason === 'gap' ? FAILED_GAP_FIDS : FAILED_FIDS;
      await upsertFailedFids(session, client.hub, shard, failed);
      await requestSync(session, client.hub, shard, sync.reason);
      await finishSync(session, client.hub, sync);
    });
  await retryDatabaseCall(write, deps);
};

const accountsOf = async (deps: SyncDependencies, { shard }: OpenSync, named: readonly number[]): Promise<number[]> => {
  if (shard === NAMED_FIDS) return [...new Set(named)];
  if (shard === CHOSEN_FIDS) return [...(deps.filter?.fids ?? [])];
  if (isForFailedFids(shard)) return retryDatabaseCall(() => selectFailedFids(deps.db, deps.client.hub, shard), deps);
  return listFids(deps.client, shard, deps);
};
