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

/**
 * Here each event counts as a block of its own (decision 67): clients that go on at the beginning of a block read one event
 * again, and the newest block says exactly how far the log is.
 * @param logId id of a row of the log
 * @returns the id of its event, as hub clients know it
 */
export const eventIdOf = (logId: number): number => blockStart(logId);

/** @returns the first row of the log whose event has this id or a later one */
export const logIdFrom = (eventId: number): number => Math.ceil(eventId / IDS_PER_BLOCK);

/** @param event `logId` is that of its row; `seconds` is its Unix time */
export const placeOf = ({ logId, seconds }: { readonly logId: number; readonly seconds: number }): EventPlace => ({
  id: eventIdOf(logId),
  blockNumber: logId,
  shardIndex: ONLY_SHARD,
  timestamp: fromUnixMs(seconds * 1000),
});
