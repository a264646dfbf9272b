import { NAMED_FIDS, requestNamedSync, requestSyncs, selectOpenSyncs } from '../../store/hub/sync.js';
import { type HubSource, hubDependencies } from './reader.js';
import { admitReferencedAccounts, discoverShards, syncShardsOf } from './shard.js';
import { type OnProgress, runSync } from './sync.js';

export interface RequestedSyncOptions extends HubSource {
  /** The accounts to sync; undefined: all accounts of the hub, or the chosen ones in partial mode. */
  readonly fids?: readonly number[];
  readonly onProgress: OnProgress;
  /** Stops between two accounts; the next call for all accounts resumes there. */
  readonly signal: AbortSignal;
}

/**
 * Syncs accounts through the hub's by-fid calls, onchain events first. An interrupted sync of all accounts resumes where
 * it stopped; a finished one, and one of named accounts, starts over. It may run while a reader stores through the same
 * `ingest`. While a reader of another process runs, a message that the hub prunes during the sync may be stored again until
 * the next sync.
 * @returns the number of accounts that the hub failed to return; the next call tries them again
 * @throws AppError kind `unavailable` if the hub is unavailable at the start; later it waits
 */
export const syncFromHub = async (options: RequestedSyncOptions): Promise<{ refused: number }> => {
  const { db, fids, onProgress, signal } = options;
  const parts = hubDependencies(options, signal);
  const { client } = parts;
  try {
    await client.getInfo();
    await admitReferencedAccounts(parts);
    const shards = fids ? [NAMED_FIDS] : syncShardsOf(parts, await discoverShards(parts));
    if (fids) await requestNamedSync(db, client.hub);
    else await requestSyncs(db, client.hub, shards);
    const open = await selectOpenSyncs(db, client.hub, shards);
    let [refused, synced, all] = [0, 0, 0];
    for (const sync of open) {
      let total = 0;
      const progress: OnProgress = (done, of) => {
        total = of;
        onProgress(synced + done, all + of);
      };
      refused += (await runSync(parts, sync, progress, fids)).length;
      synced += total;
      all += total;
    }
    return { refused };
  } finally {
    client.close();
  }
};
