import { NAMED_FIDS, requestSyncs, selectOpenSyncs } from '../store/backfill.js';
import { type OnProgress, runSync } from './hub-backfill.js';
import { type HubSource, hubParts } from './hub-reader.js';
import { admitStrangers, discoverShards, syncShardsOf } from './hub-shard.js';

export interface LoadOptions extends HubSource {
  /** The accounts to load; absent: all of the hub, or in partial mode the chosen ones. */
  readonly fids?: readonly number[];
  readonly onProgress: OnProgress;
  /** Stops between two accounts; the next call goes on there. */
  readonly signal: AbortSignal;
}

/**
 * Loads accounts by a hub's by-fid calls, onchain events first. A load that did not come to its end goes on where it
 * stopped; one that did begins anew. It may run beside a reader that stores through the same `ingest`; beside one in
 * another process, what the hub prunes while its account is being loaded may come back until it is compared again.
 * @returns how many accounts the hub refused to tell of; the next call tries them again
 * @throws AppError kind `unavailable` when the hub cannot be reached at the beginning; it is waited for later on
 */
export const loadFromHub = async (options: LoadOptions): Promise<{ refused: number }> => {
  const { db, fids, onProgress, signal } = options;
  const parts = hubParts(options, signal);
  const { client } = parts;
  try {
    await client.getInfo();
    await admitStrangers(parts);
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
