import type { Database } from '../db/database.js';
import { UNANNOUNCED_WORK_MS } from '../duration.js';
import { INVALIDATE_ALL, type Invalidation } from '../store/change.js';
import { type ChangeBatch, selectChanges } from '../store/change-read.js';
import type { Siblings } from './sibling.js';
import { TagClock } from './tag-clock.js';

export interface Freshness {
  /** Starts to follow the `change` table; resolves when the first poll succeeded or failed. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /**
   * Learns of all changes that were committed before this call, also by other processes.
   * @throws if the database is unavailable
   */
  catchUp(): Promise<void>;
  /** A writer of this process calls this directly after its commit and before it responds; it tells the others, too. */
  invalidate(invalidation: Invalidation): void;
  /** Applies what a sibling process has committed. */
  applyInvalidation(invalidation: Invalidation): void;
  /** Calls a function after each commit of this or another process that changed something, once that is known here. */
  onChange(listener: () => void): void;
  /** Invalidations by this process, and those by other processes as soon as they are polled. */
  readonly clock: TagClock;
  /** Whether caches may be used now: false before the first poll and if the last successful one was too long ago. */
  isFresh(): boolean;
}

/** How often a process polls while its caches are used, or while no notices of other processes arrive. */
const POLL_MS = 250;
/** Polls after the last use of a cache before the process only waits for notices. */
const UNUSED_POLLS = 20;
/** Even with a poll in progress, cached responses are at most this old; the guarantee is 1 s. */
const MAX_STALENESS_MS = 750;
/** Change rows are deleted after an hour; after half of that without a poll, rows may have been missed. */
const GAP_SECONDS = 30 * 60;

/**
 * Keeps caches at most one second old. Writers of this process call `invalidate`, which also tells the siblings; changes
 * by other processes are found by polling the `change` table: four times a second while the caches are used, otherwise
 * after each notice of a commit, and every ten seconds in case one was lost. Rows become visible in another order than
 * that of their ids, so each poll reads the rows of all transactions that were open at the previous poll, and skips those
 * that it has already seen.
 */
export const createFreshness = (options: {
  readonly db: Database;
  readonly siblings?: Siblings;
  /** Milliseconds between two polls; 250 unless given. */
  readonly pollMs?: number | undefined;
  /** Milliseconds between two polls while no cache is used; ten seconds unless given. */
  readonly unusedPollMs?: number | undefined;
}): Freshness => {
  const { db, siblings, pollMs = POLL_MS, unusedPollMs = UNANNOUNCED_WORK_MS } = options;
  /** Monotonic milliseconds at which the last successful poll began. */
  let asOf = Number.NEGATIVE_INFINITY;
  let last: ChangeBatch | undefined;
  /** Ids of the applied rows that the next poll will return again, with their transaction. */
  let seen = new Map<number, bigint>();
  let timer: NodeJS.Timeout | undefined;
  /** The last poll; never rejects. */
  let polling = Promise.resolve();
  /** The poll that begins when that has ended; all callers until then share it. */
  let nextPoll: Promise<void> | undefined;
  let stopped = true;
  /** Polls since a cache was used. */
  let unusedPolls = 0;
  /** Whether the timer waits for the long interval. */
  let isResting = false;

  const clock = new TagClock();
  const listeners: (() => void)[] = [];

  const callListeners = (): void => {
    for (const listener of listeners) listener();
  };

  const applyInvalidation = ({ tags, all }: Invalidation): void => {
    if (all) clock.invalidateAll();
    else clock.invalidate(tags);
    callListeners();
  };

  const apply = (batch: ChangeBatch): void => {
    const missed = last !== undefined && (batch.now - last.now > GAP_SECONDS || BigInt(batch.xmin) < BigInt(last.xmin));
    if (missed) applyInvalidation(INVALIDATE_ALL);
    for (const row of batch.rows) {
      applyInvalidation({ tags: row.tags, all: row.isAll });
      seen.set(row.id, BigInt(row.xid));
    }
    const xmin = BigInt(batch.xmin);
    seen = new Map([...seen].filter(([, xid]) => xid >= xmin));
    last = batch;
  };

  const poll = async (): Promise<void> => {
    const began = performance.now();
    apply(await selectChanges(db, last?.xmin ?? null, [...seen.keys()]));
    asOf = began;
  };

  /** Runs a poll that begins after this call. */
  const pollNext = (): Promise<void> => {
    nextPoll ??= polling.then(() => {
      nextPoll = undefined;
      const current = poll();
      polling = current.catch(() => undefined);
      return current;
    });
    return nextPoll;
  };

  const keepPolling = async (): Promise<void> => {
    // The database is unavailable: caches become stale after a while, and the next poll finds the missed changes.
    await pollNext().catch(() => undefined);
    if (stopped) return;
    clearTimeout(timer);
    // An embedded database has no other writer. Without notices, only polls find what others commit.
    isResting = db.kind === 'embedded' || (unusedPolls >= UNUSED_POLLS && db.notices.isListening());
    unusedPolls += 1;
    timer = setTimeout(keepPolling, isResting ? unusedPollMs : pollMs);
    timer.unref();
  };

  const otherCommitted = (): void => {
    if (stopped) return;
    // What was committed may be an event that invalidates nothing.
    void pollNext().then(callListeners, () => undefined);
  };

  return {
    start: async () => {
      stopped = false;
      await keepPolling();
      db.notices.listen(otherCommitted);
    },
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await nextPoll?.catch(() => undefined);
      await polling;
    },
    // This process is the only writer of an embedded database, and calls `invalidate` itself.
    catchUp: async () => {
      if (db.kind !== 'embedded') await pollNext();
    },
    invalidate: (invalidation) => {
      applyInvalidation(invalidation);
      siblings?.broadcast({ invalidation });
      db.notices.send();
    },
    applyInvalidation,
    onChange: (listener) => void listeners.push(listener),
    clock,
    // This process is the only writer of an embedded database and calls `invalidate` itself, so caches stay valid while a
    // long batch on its single connection delays the polls.
    isFresh: () => {
      if (db.kind === 'embedded') return true;
      unusedPolls = 0;
      if (performance.now() - asOf < MAX_STALENESS_MS) return true;
      if (isResting && !stopped) {
        isResting = false;
        void keepPolling();
      }
      return false;
    },
  };
};
