import { LRUCache } from 'lru-cache';
import type { Entry } from './entry.js';
import { memoryOf } from './memory.js';
import type { TagClock } from './tag-clock.js';

export type CacheKey = number | string;

/** Bytes of an entry in addition to its key, its value and its tags. */
const OVERHEAD = 300;
const PER_TAG = 8;
/** A use moves an entry to the front only if this share of the entries was stored since its last move. */
const REORDERING = 1 / 8;

export const ALREADY_EXPIRED = Number.NEGATIVE_INFINITY;

type Entries = ReadonlyMap<CacheKey, Entry>;

/**
 * An LRU cache with a size limit in bytes.
 *
 * Invalidations remove no entries: each use asks the tag clock whether a tag of the entry was invalidated since the
 * entry's load began. So an entry whose tags were invalidated during its load is never valid.
 */
export class Cache {
  readonly clock: TagClock;
  readonly #isFresh: () => boolean;
  readonly #entries: LRUCache<CacheKey, Entry> | undefined;
  readonly #loads = new Map<CacheKey, Promise<Entries>>();
  /** How many entries were stored since the start. */
  #stored = 0;

  /**
   * @param isFresh false while changes may have been missed: then nothing is read from the cache, stored or shared
   * @param bytes limit of all entries together; with 0 nothing is stored, but concurrent loads of one key are still
   *   merged
   */
  constructor(clock: TagClock, isFresh: () => boolean, bytes: number) {
    this.clock = clock;
    this.#isFresh = isFresh;
    if (bytes > 0) this.#entries = new LRUCache({ maxSize: bytes, maxEntrySize: bytes });
  }

  /** @param now Unix milliseconds of the request. @returns the entry under the key if it is valid */
  get(key: CacheKey, now: number): Entry | undefined {
    const entry = this.#entries?.peek(key);
    if (entry === undefined || !this.#isFresh() || !this.#isValid(entry, now)) return undefined;
    this.#use(key, entry);
    return entry;
  }

  /** Stores an entry, unless it has already expired or is larger than the whole cache. */
  set(key: CacheKey, entry: Entry): void {
    if (this.#entries === undefined || entry.until <= entry.from || !this.#isFresh()) return;
    const size = OVERHEAD + memoryOf(key) + memoryOf(entry.value) + PER_TAG * entry.tags.length;
    entry.usedAt = ++this.#stored;
    this.#entries.set(key, entry, { size });
  }

  /** Moves an entry to the front now and then: reordering at each use would cost more than the lookup. */
  #use(key: CacheKey, entry: Entry): void {
    const size = this.#entries?.size ?? 0;
    if (this.#stored - entry.usedAt <= size * REORDERING) return;
    entry.usedAt = this.#stored;
    this.#entries?.get(key);
  }

  /**
   * Loads keys that `get` did not find. A load in progress by another caller is shared, unless one of its tags was
   * invalidated since.
   * @param load loads all given keys and returns a result for each
   * @throws what `load` throws; then nothing is stored
   */
  async load(
    keys: readonly CacheKey[],
    now: number,
    load: (keys: readonly CacheKey[]) => Promise<Entries>,
  ): Promise<Entries> {
    if (!this.#isFresh()) return load(keys);
    const joined = keys.flatMap((key) => {
      const entries = this.#loads.get(key);
      return entries === undefined ? [] : [{ key, entries }];
    });
    const own = keys.filter((key) => !this.#loads.has(key));
    // Starts before the first `await`, so that own and shared loads run in parallel.
    const loading = own.length === 0 ? undefined : this.#loadAndStore(own, load);
    const found = new Map<CacheKey, Entry>();
    const again: CacheKey[] = [];
    for (const { key, entries } of joined) {
      const entry = (await entries).get(key);
      if (entry !== undefined && this.#isValid(entry, now)) found.set(key, entry);
      else again.push(key);
    }
    if (again.length > 0) for (const [key, entry] of await load(again)) found.set(key, entry);
    if (loading !== undefined) for (const [key, entry] of await loading) found.set(key, entry);
    return found;
  }

  #isValid(entry: Entry, now: number): boolean {
    if (now < entry.from || now >= entry.until) return false;
    const moment = this.clock.now();
    if (entry.validAt === moment) return true;
    if (this.clock.isInvalidatedSince(entry.validAt, entry.tags)) return false;
    entry.validAt = moment;
    return true;
  }

  #loadAndStore(keys: readonly CacheKey[], load: (keys: readonly CacheKey[]) => Promise<Entries>): Promise<Entries> {
    const loading = load(keys);
    for (const key of keys) this.#loads.set(key, loading);
    const finish = (): void => {
      for (const key of keys) if (this.#loads.get(key) === loading) this.#loads.delete(key);
    };
    loading.then((entries) => {
      finish();
      for (const [key, entry] of entries) this.set(key, entry);
    }, finish);
    return loading;
  }
}
