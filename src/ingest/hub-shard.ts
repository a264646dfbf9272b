import { CHOSEN_FIDS, requestSync } from '../store/backfill.js';
import { selectHubPosition, upsertHubPosition } from '../store/hub-position.js';
import { selectRegisteredFids } from '../store/reconcile.js';
import type { HubParts } from './hub-introduction.js';
import { untilDatabaseAnswers, untilHubAnswers } from './hub/retry.js';
import { blockStart, HubSequence } from './hub/sequence.js';

/** Snapchain's block shard: it has no accounts of its own. */
const BLOCK_SHARD = 0;

/** One event stream of a hub. */
export interface Shard {
  /** The hub's number; undefined for a hub that has no shards. */
  readonly index: number | undefined;
  /** Id of the first event of the newest block; 0 for a hub that does not say, so that its whole log is read. */
  readonly headId: number;
}

/** @returns the shards of which the hub has the events; those with accounts have a number above 0, or none. */
export const discoverShards = async (parts: HubParts): Promise<Shard[]> => {
  const info = await untilHubAnswers(() => parts.client.getInfo(), parts);
  if (info.shardInfos.length === 0) return [{ index: undefined, headId: 0 }];
  const shards = info.shardInfos.map(({ shardId, maxHeight }) => ({ index: shardId, headId: blockStart(maxHeight) }));
  const hosted = shards.filter(hasAccounts).length;
  if (hosted < info.numShards) {
    parts.log.warn(
      { hosted, shards: info.numShards },
      'the hub has not all shards; accounts of the others stay unread',
    );
  }
  return shards;
};

const hasAccounts = ({ index }: Shard): boolean => index !== BLOCK_SHARD;

/** @returns under which number the accounts of a shard are compared. */
export const syncShardOf = ({ filter }: Pick<HubParts, 'filter'>, { index }: Pick<Shard, 'index'>): number =>
  filter ? CHOSEN_FIDS : (index ?? 0);

/** @returns the numbers under which all accounts of these shards are compared. */
export const syncShardsOf = (parts: Pick<HubParts, 'filter'>, shards: readonly Shard[]): number[] => [
  ...new Set(shards.filter(hasAccounts).map((shard) => syncShardOf(parts, shard))),
];

/**
 * Says where to go on with a shard. One that was never read begins at the hub's newest block, and all of its accounts
 * are requested: what was said before comes from there.
 */
export const openSequence = async (parts: HubParts, shard: Shard): Promise<HubSequence> => {
  const { db, client } = parts;
  const number = shard.index ?? 0;
  const stored = await untilDatabaseAnswers(() => selectHubPosition(db, client.hub, number), parts);
  if (stored !== undefined) return new HubSequence(stored, true);
  if (hasAccounts(shard)) {
    const begin = () =>
      db.transaction(async (session) => {
        await requestSync(session, client.hub, syncShardOf(parts, shard), 'first');
        await upsertHubPosition(session, { hub: client.hub, shard: number, eventId: shard.headId });
      });
    await untilDatabaseAnswers(begin, parts);
  }
  return new HubSequence(shard.headId, false);
};

/** Partial mode: lets in the strangers that are stored already. */
export const admitStrangers = async (parts: HubParts): Promise<void> => {
  const { db, filter } = parts;
  if (!filter) return;
  for (const fid of await untilDatabaseAnswers(() => selectRegisteredFids(db), parts)) filter.admit(fid);
};
