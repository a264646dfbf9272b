import { EVERYTHING, type Invalidation } from '../store/change.js';
import { type ChangeBatch, selectChanges } from '../store/change-read.js';
import type { Database } from '../store/database.js';
import { TagClock } from './tag-clock.js';

export interface Freshness {
  /** Begins to follow the `change` table; fulfilled when the first look succeeded or failed. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** To be called by a writer of this process right after its commit and before it answers. */
  invalidate(invalidation: Invalidation): void;
  /** When what was invalidated; by other processes as soon as it is known. */
  readonly clock: TagClock;
  /** Whether caches may be used now: false before the first look and when the last good one is too long ago. */
  isTrusted(): boolean;
}

/** With one poll on its way, an answer from a cache is at most this old; the promise is 1 s. */
const TRUST_MS = 750;
/** Change rows live an hour; who was away longer than half of that cannot be sure to have seen them all. */
const GAP_SECONDS = 30 * 60;

/**
 * Keeps caches no older than one second. Writes of this process are reported through `invalidate`; those of others are
 * found by looking for new `change` rows. Rows become visible in another order than their ids were taken, so each
 * look asks for all transactions that were still open in the look before, and skips the rows it has seen.
 */
export const createFreshness = (options: { db: Database; pollMs: number }): Freshness => {
  const { db, pollMs } = options;
  /** Monotonic milliseconds at which the last good look began. */
  let asOf = Number.NEGATIVE_INFINITY;
  let last: ChangeBatch | undefined;
  /** Ids of rows applied, with their transaction, as long as the next look will find them again. */
  let seen = new Map<number, bigint>();
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let stopped = true;

  const clock = new TagClock();

  const invalidate = ({ tags, all }: Invalidation): void => {
    if (all) clock.invalidateAll();
    else clock.invalidate(tags);
  };

  const apply = (batch: ChangeBatch): void => {
    const missed = last !== undefined && (batch.now - last.now > GAP_SECONDS || BigInt(batch.xmin) < BigInt(last.xmin));
    if (missed) invalidate(EVERYTHING);
    for (const row of batch.rows) {
      invalidate({ tags: row.tags, all: row.is_all });
      seen.set(row.id, BigInt(row.xid));
    }
    const xmin = BigInt(batch.xmin);
    seen = new Map([...seen].filter(([, xid]) => xid >= xmin));
    last = batch;
  };

  const look = async (): Promise<void> => {
    const began = performance.now();
    try {
      apply(await selectChanges(db, last?.xmin ?? null, [...seen.keys()]));
      asOf = began;
    } catch {
      // The database is away: trust runs out by itself, and the next look finds what was missed.
    }
    if (stopped) return;
    timer = setTimeout(() => {
      looking = look();
    }, pollMs);
    timer.unref();
  };

  return {
    start: async () => {
      stopped = false;
      looking = look();
      await looking;
    },
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await looking;
    },
    invalidate,
    clock,
    // The embedded database has this process as its only writer (its folder is locked), and that one reports itself;
    // a long batch on its single connection must not turn the caches off.
    isTrusted: () => db.kind === 'embedded' || performance.now() - asOf < TRUST_MS,
  };
};
