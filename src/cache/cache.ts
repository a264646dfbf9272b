import { LRUCache } from 'lru-cache';
import type { Entry } from './entry.js';
import { memoryOf } from './memory.js';
import type { TagClock } from './tag-clock.js';

export type CacheKey = number | string;

/** Bytes of an entry beside its key, its value and its tags. */
const OVERHEAD = 300;
const PER_TAG = 8;
/** Share of the entries that must have been stored anew before a use moves an entry to the front again. */
const REORDERING = 1 / 8;

/** `until` of an entry that is never valid. */
export const NEVER = Number.NEGATIVE_INFINITY;

type Entries = ReadonlyMap<CacheKey, Entry>;

/**
 * Values by key, the most recently used of them, bounded in bytes.
 *
 * Nothing is taken out when something changes: each use asks the tag clock whether a tag of the entry was invalidated
 * since the entry's load began. An entry whose tags were invalidated while it was loaded is therefore invalid from the
 * start, however the load and the change interleave.
 */
export class Cache {
  readonly clock: TagClock;
  readonly #isTrusted: () => boolean;
  readonly #entries: LRUCache<CacheKey, Entry> | undefined;
  readonly #loads = new Map<CacheKey, Promise<Entries>>();
  /** How many entries were stored so far. */
  #stored = 0;

  /**
   * @param isTrusted false while changes may have been missed: nothing is then read from the cache, stored or joined
   * @param bytes bound of all entries together; 0 stores nothing, concurrent loads of one key are merged all the same
   */
  constructor(clock: TagClock, isTrusted: () => boolean, bytes: number) {
    this.clock = clock;
    this.#isTrusted = isTrusted;
    if (bytes > 0) this.#entries = new LRUCache({ maxSize: bytes, maxEntrySize: bytes });
  }

  /** @param now Unix milliseconds of the request. @returns the entry under the key if it is valid */
  get(key: CacheKey, now: number): Entry | undefined {
    const entry = this.#entries?.peek(key);
    if (entry === undefined || !this.#isTrusted() || !this.#isValid(entry, now)) return undefined;
    this.#use(key, entry);
    return entry;
  }

  /** Stores an entry, unless it is valid at no time or larger than the whole cache. */
  set(key: CacheKey, entry: Entry): void {
    if (this.#entries === undefined || entry.until <= entry.from || !this.#isTrusted()) return;
    const size = OVERHEAD + memoryOf(key) + memoryOf(entry.value) + PER_TAG * entry.tags.length;
    entry.usedAt = ++this.#stored;
    this.#entries.set(key, entry, { size });
  }

  /** Reordering the list at each use costs more than finding the entry; now and then is enough for what is in use. */
  #use(key: CacheKey, entry: Entry): void {
    const size = this.#entries?.size ?? 0;
    if (this.#stored - entry.usedAt <= size * REORDERING) return;
    entry.usedAt = this.#stored;
    this.#entries?.get(key);
  }

  /**
   * Loads what `get` did not find. A key that another caller is loading is not loaded twice, unless a tag of what that
   * caller gets was invalidated meanwhile.
   * @param load reads all keys that it is given; it answers each of them
   * @throws what `load` throws; nothing is stored then
   */
  async load(
    keys: readonly CacheKey[],
    now: number,
    load: (keys: readonly CacheKey[]) => Promise<Entries>,
  ): Promise<Entries> {
    if (!this.#isTrusted()) return load(keys);
    const joined = keys.flatMap((key) => {
      const entries = this.#loads.get(key);
      return entries === undefined ? [] : [{ key, entries }];
    });
    const own = keys.filter((key) => !this.#loads.has(key));
    // Sent before anything is awaited, so that own statements and those of others run side by side.
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
