import { blockStart } from '../../protocol/event/place.js';
import { selectHubPosition, upsertHubPosition } from '../../store/hub/position.js';
import { CHOSEN_FIDS, requestSync } from '../../store/hub/sync.js';
import { selectRegisteredFids } from '../../store/protocol/stored-message-key.js';
import { retryDatabaseCall, retryHubCall } from './retry.js';
import { HubSequence } from './sequence.js';
import type { HubDependencies } from './signer-resolver.js';

/** Snapchain's block shard, which has no accounts. */
export const BLOCK_SHARD = 0;

/** One event stream of a hub. */
export interface Shard {
  /** Number of the shard in the hub; undefined for a hub without shards. */
  readonly index: number | undefined;
  /** Id of the first event of the newest block; 0 for a hub that does not report it, so that its whole log is read. */
  readonly headId: number;
}

/** @returns the shards whose events the hub has; those with accounts have a number above 0, or none */
export const discoverShards = async (deps: HubDependencies): Promise<Shard[]> => {
  const info = await retryHubCall(() => deps.client.getInfo(), deps);
  if (info.shardInfos.length === 0) return [{ index: undefined, headId: 0 }];
  const shards = info.shardInfos.map(({ shardId, maxHeight }) => ({ index: shardId, headId: blockStart(maxHeight) }));
  const hosted = shards.filter(hasAccounts).length;
  if (hosted < info.numShards) {
    deps.log.warn({ hosted, shards: info.numShards }, 'the hub has not all shards; accounts of the others stay unread');
  }
  return shards;
};

const hasAccounts = ({ index }: Shard): boolean => index !== BLOCK_SHARD;

/** @returns the number under which the accounts of a shard are synced */
export const syncShardOf = ({ filter }: Pick<HubDependencies, 'filter'>, { index }: Pick<Shard, 'index'>): number =>
  filter ? CHOSEN_FIDS : (index ?? 0);

/** @returns the numbers under which all accounts of these shards are synced */
export const syncShardsOf = (deps: Pick<HubDependencies, 'filter'>, shards: readonly Shard[]): number[] => [
  ...new Set(shards.filter(hasAccounts).map((shard) => syncShardOf(deps, shard))),
];

/**
 * Opens the position of a shard. A shard that was never read starts at the hub's newest block, and a sync of all its
 * accounts is requested, which loads everything before it.
 */
export const openSequence = async (deps: HubDependencies, shard: Shard): Promise<HubSequence> => {
  const { db, client } = deps;
  const number = shard.index ?? 0;
  const stored = await retryDatabaseCall(() => selectHubPosition(db, client.hub, number), deps);
  if (stored !== undefined) return new HubSequence(stored, true);
  if (hasAccounts(shard)) {
    const begin = () =>
      db.transaction(async (session) => {
        await requestSync(session, client.hub, syncShardOf(deps, shard), 'first');
        await upsertHubPosition(session, { hub: client.hub, shard: number, eventId: shard.headId });
      });
    await retryDatabaseCall(begin, deps);
  }
  return new HubSequence(shard.headId, false);
};

/** Partial mode: marks stored accounts as referenced. */
export const admitReferencedAccounts = async (deps: HubDependencies): Promise<void> => {
  const { db, filter } = deps;
  if (!filter) return;
  for (const fid of await retryDatabaseCall(() => selectRegisteredFids(db), deps)) filter.admit(fid);
};
