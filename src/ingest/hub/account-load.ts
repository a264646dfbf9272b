import { NAMED_FIDS, requestSyncs, selectOpenSyncs } from '../../store/hub/backfill.js';
import { type OnProgress, runSync } from './backfill.js';
import { type HubSource, hubDependencies } from './reader.js';
import { admitReferencedAccounts, discoverShards, syncShardsOf } from './shard.js';

export interface LoadOptions extends HubSource {
  /** The accounts to load; undefined: all accounts of the hub, or the chosen ones in partial mode. */
  readonly fids?: readonly number[];
  readonly onProgress: OnProgress;
  /** Stops between two accounts; the next call resumes there. */
  readonly signal: AbortSignal;
}

/**
 * Loads accounts through the hub's by-fid calls, onchain events first. An interrupted load resumes where it stopped; a
 * finished one starts over. It may run while a reader stores through the same `ingest`. While a reader of another
 * process runs, a message that the hub prunes during the load may be stored again until the next comparison.
 * @returns the number of accounts that the hub failed to return; the next call tries them again
 * @throws AppError kind `unavailable` if the hub is unavailable at the start; later it waits
 */
export const loadFromHub = async (options: LoadOptions): Promise<{ refused: number }> => {
  const { db, fids, onProgress, signal } = options;
  const parts = hubDependencies(options, signal);
  const { client } = parts;
  try {
    await client.getInfo();
    await admitReferencedAccounts(parts);
    const shards = fids ? [NAMED_FIDS] : syncShardsOf(parts, await discoverShards(parts));
    await requestSyncs(db, client.hub, shards);
    const open = await selectOpenSyncs(db, client.hub, shards);
    let [refused, loaded, all] = [0, 0, 0];
    for (const sync of open) {
      let total = 0;
      refused += await runSync(
        parts,
        sync,
        (done, of) => {
          total = of;
          onProgress(loaded + done, all + of);
        },
        fids,
      );
      loaded += total;
      all += total;
    }
    return { refused };
  } finally {
    client.close();
  }
};
