import { fromUnixMs } from '../time.js';
import type { EventPlace } from '../wire/sent-message.js';

/** All data is in one shard. Hubs number shards from 1. */
export const ONLY_SHARD = 1;

/**
 * Hubs number events by block: its height in the high bits, the position in it in the low 14.
 * @source snapchain, `src/storage/store/account/event.rs`
 */
const IDS_PER_BLOCK = 2 ** 14;

export const blockOf = (eventId: number): number => Math.floor(eventId / IDS_PER_BLOCK);

/** @returns the lowest possible event id of this block */
export const blockStart = (height: number): number => height * IDS_PER_BLOCK;

/** @param event `id` in the log; `seconds` is its Unix time */
export const placeOf = ({ id, seconds }: { readonly id: number; readonly seconds: number }): EventPlace => ({
  id,
  // What a client of hubs computes from the id.
  blockNumber: blockOf(id),
  shardIndex: ONLY_SHARD,
  timestamp: fromUnixMs(seconds * 1000),
});
