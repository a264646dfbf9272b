import { CHOSEN_FIDS, finishSync, NAMED_FIDS, type OpenSync, selectUnsynced, upsertSynced } from '../store/backfill.js';
import { selectHubPosition } from '../store/hub-position.js';
import type { SyncParts } from './hub-absent.js';
import { syncAddressed } from './hub-addressed.js';
import { listFids } from './hub/listing.js';
import { inParallel, untilDatabaseAnswers, untilHubAnswers } from './hub/retry.js';
import { blockOf } from './hub/sequence.js';
import { type SyncOptions, syncFid } from './hub-sync.js';

/** Accounts that are compared at once; each waits for one call most of the time. */
const CONCURRENCY = 8;
/** Accounts whose state is asked of the database at once. */
const CHUNK = 20_000;
/** Accounts that are noted as done at once; a process that is killed compares at most so many again. */
const NOTED_TOGETHER = 50;

/** How many of the accounts are done. */
export type OnProgress = (done: number, total: number) => void;

/**
 * Compares all accounts of a request with the hub, registration first. Accounts that were done before the service was
 * stopped are passed over, so a run that was killed goes on where it stopped.
 * @param named the accounts of a request for named ones
 * @returns how many accounts the hub refused to tell of; the request stays open then
 * @throws SubmitStopped or the hub's failure when the service stops
 */
export const runSync = async (
  parts: SyncParts,
  sync: OpenSync,
  onProgress: OnProgress,
  named: readonly number[] = [],
): Promise<number> => {
  const { db, client, filter, log, signal } = parts;
  const fids = await accountsOf(parts, sync, named);
  const due: number[] = [];
  for (let start = 0; start < fids.length; start += CHUNK) {
    const part = fids.slice(start, start + CHUNK);
    due.push(...(await untilDatabaseAnswers(() => selectUnsynced(db, client.hub, sync, part), parts)));
  }
  const options: SyncOptions = { announce: sync.reason === 'gap', remove: await isHubAhead(parts) };
  const finished: number[] = [];
  const note = async (): Promise<void> => {
    const part = finished.splice(0);
    const write = () => db.transaction((session) => upsertSynced(session, client.hub, sync, part));
    if (part.length > 0) await (signal.aborted ? write() : untilDatabaseAnswers(write, parts));
  };
  let done = fids.length - due.length;
  let refused = 0;
  onProgress(done, fids.length);
  try {
    await inParallel(due, CONCURRENCY, async (fid) => {
      try {
        const casts = await syncFid(parts, fid, options);
        if (filter?.fids.has(fid)) await syncAddressed(parts, fid, casts, options);
        if (finished.push(fid) >= NOTED_TOGETHER) await note();
      } catch (error) {
        if (signal.aborted) throw error;
        refused++;
        log.error({ err: error, fid }, 'an account cannot be compared with the hub; it stays due');
      }
      onProgress(++done, fids.length);
    });
  } finally {
    await note();
  }
  if (refused === 0) await untilDatabaseAnswers(() => finishSync(db, client.hub, sync), parts);
  return refused;
};

const accountsOf = async (parts: SyncParts, { shard }: OpenSync, named: readonly number[]): Promise<number[]> => {
  if (shard === NAMED_FIDS) return [...new Set(named)];
  if (shard === CHOSEN_FIDS) return [...(parts.filter?.fids ?? [])];
  return listFids(parts.client, shard, parts);
};

/**
 * A hub that was set back, or is still catching up, lacks messages that it will have again: only one that has reached
 * the blocks which are stored here may say that a message is gone.
 */
const isHubAhead = async (parts: SyncParts): Promise<boolean> => {
  const { db, client, log } = parts;
  const { shardInfos } = await untilHubAnswers(() => client.getInfo(), parts);
  for (const { shardId, maxHeight } of shardInfos) {
    const position = await untilDatabaseAnswers(() => selectHubPosition(db, client.hub, shardId), parts);
    if (position === undefined || maxHeight === 0 || maxHeight >= blockOf(position)) continue;
    log.warn(
      { shard: shardId, maxHeight, stored: blockOf(position) },
      'the hub is behind this store; nothing is removed',
    );
    return false;
  }
  return true;
};
