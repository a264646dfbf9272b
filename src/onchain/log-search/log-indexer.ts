import { DAY_MS } from '../../duration.js';
import type { LogRange } from './log-range.js';

/** A searched block may still be replaced in a reorganization. */
export const REORG_BLOCKS = 32;
/** How long an endpoint that does not support searches is not asked again. */
export const REFUSED_MS = DAY_MS;

/** Blocks that are searched together. */
export interface BlockRange {
  readonly first: number;
  readonly last: number;
  /** Whether it is above what was searched, or may have been replaced; otherwise it is below. */
  readonly isNew: boolean;
}

interface LogIndex<Found> {
  /** How large ranges the endpoint accepts. */
  readonly range: LogRange;
  readonly signal: AbortSignal;
  /** The newest block of the chain. */
  readonly head: number;
  /** The first block that was not searched, or may have been replaced since (`firstUnsettled`). */
  readonly from: number;
  /** The first block that was searched. */
  readonly low: number;
  /** Whether this round may search another range. */
  readonly mayGoOn: () => boolean;
  /** Whether blocks below those that were searched are wanted; absent: no. */
  readonly wantsPast?: () => boolean;
  /** @returns undefined if the range was too large: the next one is smaller */
  readonly read: (blocks: BlockRange) => Promise<Found | undefined>;
  /** Stores what was found in the place of what is stored of these blocks, and how far the search has come. */
  readonly store: (found: Found, blocks: BlockRange) => Promise<void>;
}

/** @returns a function that is true as often as given */
export const atMost = (count: number) => (): boolean => count-- > 0;

/** @returns the first block to read again, of those that were searched from `low` to `high` */
export const firstUnsettled = (low: number, high: number): number => Math.max(low, high - REORG_BLOCKS + 1);

/**
 * One round of a search of events: new blocks upwards, and again those that may have been replaced; then past ones
 * downwards, in as large ranges as the endpoint accepts.
 * @returns whether nothing is left for another round
 * @throws what `read` and `store` throw, and the signal's reason
 */
export const indexLogs = async <Found>(index: LogIndex<Found>): Promise<boolean> => {
  const { range, signal, head, mayGoOn, wantsPast = () => false, read, store } = index;
  let { from, low } = index;
  for (;;) {
    const isNew = from <= head;
    if (!isNew && (low <= 0 || !wantsPast())) return true;
    signal.throwIfAborted();
    if (!mayGoOn()) return false;
    const { span } = range;
    const blocks = isNew
      ? { first: from, last: Math.min(head, from + span - 1), isNew }
      : { first: Math.max(0, low - span), last: low - 1, isNew };
    const found = await read(blocks);
    if (found === undefined) continue;
    if (blocks.last - blocks.first + 1 >= span) range.grow();
    signal.throwIfAborted();
    await store(found, blocks);
    if (isNew) from = blocks.last + 1;
    else low = blocks.first;
  }
};
