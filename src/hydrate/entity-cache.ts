import { LRUCache } from 'lru-cache';
import type { ListSource } from '../store/list-source.js';
import type { Basis } from './basis.js';

/** One kind of entity: how to read it and what it weighs. */
export interface EntitySource<K, V> {
  /** Reads what is stored under the keys, in one query; keys of absent entities are left out of the answer. */
  load(keys: readonly K[]): Promise<Map<K, V>>;
  /** @returns bytes that the entity takes in memory, its rendered fragments included. */
  weigh(value: V): number;
  /** @returns the entity to keep after a reload: what `fresh` says, with what of `old` still holds, or `old` itself. */
  renew?(old: V, fresh: V): V;
  /** @returns what changes when this entity does; absent where it changes only together with everything. */
  touchedBy?(key: K): ListSource;
}

/**
 * How often anything kept became void, in all caches that share it. While it stands still, what was found to hold holds.
 */
export interface Revision {
  count: number;
}

const DROPPED = -1;
/**
 * A use makes an entry the most recent one only after so many others came in, as a share of all: what is in use does
 * not fall out, and the many uses between cost no more than finding it.
 */
const PATIENCE = 1 / 8;
/** Bytes of an entry beside its key's text and its value, about. */
const OVERHEAD = 200;

/** What an entry must know of its cache. */
interface EntryCache {
  readonly epoch: number;
  readonly touchedBy?: ((key: never) => ListSource) | undefined;
}

/**
 * A place in a cache. What was made from the entity may hold on to it, and sees here whether the entity is still what
 * is stored: an entry stays the same one as long as reloading finds the same.
 */
export class Entry<K, V> {
  readonly key: K;
  /** Undefined: known to be absent. */
  value: V | undefined;
  /** The cache's epoch when it was stored; another number: something touched it since, or it made room for others. */
  epoch: number;
  /** How many entries had come into the cache when this one was last made the most recent. */
  usedAt = 0;
  readonly cache: EntryCache;

  constructor(key: K, value: V | undefined, cache: EntryCache) {
    this.key = key;
    this.value = value;
    this.cache = cache;
    this.epoch = cache.epoch;
  }

  isCurrent(): boolean {
    return this.epoch === this.cache.epoch;
  }
}

interface Load<K, V> {
  readonly found: Promise<ReadonlyMap<K, V>>;
}

/**
 * Entities of one kind by key, the most recently used of them, bounded in bytes.
 *
 * A load that began before a drop of its key is never stored, and no read that begins after the drop joins it:
 * the drop takes the key from the list of loads under way, and a load stores only what it still finds there.
 */
export class EntityCache<K extends NonNullable<unknown>, V extends NonNullable<unknown>> {
  readonly #source: EntitySource<K, V>;
  readonly #trusted: () => boolean;
  readonly #revision: Revision;
  readonly #entries: LRUCache<K, Entry<K, V>> | undefined;
  #moving: Entry<K, V> | undefined;
  readonly #loads = new Map<K, Load<K, V>>();
  /** How many entries came in so far. */
  #stored = 0;
  /** Entries of another epoch are void. */
  epoch = 0;
  readonly touchedBy: ((key: K) => ListSource) | undefined;

  /**
   * @param bytes bound of all entries; 0 keeps nothing, concurrent identical reads are merged all the same
   * @param trusted false while changes may have been missed: then nothing kept is used, nor any load of others
   * @param revision counted up whenever an entry becomes void
   */
  constructor(source: EntitySource<K, V>, bytes: number, trusted: () => boolean, revision: Revision = { count: 0 }) {
    this.#source = source;
    this.touchedBy = source.touchedBy;
    this.#trusted = trusted;
    this.#revision = revision;
    if (bytes === 0) return;
    const dispose = (entry: Entry<K, V>): void => {
      if (entry !== this.#moving) this.#void(entry);
    };
    this.#entries = new LRUCache<K, Entry<K, V>>({ maxSize: bytes, maxEntrySize: bytes, dispose });
  }

  /** Others may still hold on to an entry that went; what was in it would be memory that nobody counts. */
  #void(entry: Entry<K, V>): void {
    this.#revision.count++;
    entry.epoch = DROPPED;
    entry.value = undefined;
  }

  /**
   * Adds the entities of these keys to `into`; absent ones are left out, keys that are there already are skipped.
   * @param basis all of them are noted in it
   * @returns undefined when all of them were at hand, else a promise that is fulfilled when they are in.
   */
  read(keys: readonly K[], into: Map<K, V>, basis?: Basis): Promise<void> | undefined {
    if (basis !== undefined && this.touchedBy !== undefined) for (const key of keys) basis.note(this.touchedBy(key));
    const trusted = this.#trusted();
    const patience = (this.#entries?.size ?? 0) * PATIENCE;
    let misses: Set<K> | undefined;
    for (const key of keys) {
      if (into.has(key)) continue;
      const entry = trusted ? this.#entries?.peek(key) : undefined;
      if (entry === undefined || entry.epoch !== this.epoch) {
        misses ??= new Set();
        misses.add(key);
      } else {
        if (this.#stored - entry.usedAt > patience) this.#use(entry);
        if (entry.value !== undefined) into.set(key, entry.value);
      }
    }
    return misses === undefined ? undefined : this.#fill(misses, into, trusted);
  }

  /** @returns where this is kept, void or not; undefined when it is not kept. It does not count as a use. */
  entry(key: K): Entry<K, V> | undefined {
    return this.#entries?.peek(key);
  }

  /** Counts anew what an entity takes, after something was made of it. */
  reweigh(key: K): void {
    const entry = this.#entries?.peek(key);
    if (entry === undefined) return;
    // The list takes another size only with another value, so the entry leaves it and comes back.
    this.#moving = entry;
    this.#entries?.delete(key);
    this.#moving = undefined;
    this.#entries?.set(key, entry, { size: this.#sizeOf(entry) });
    // It has become larger than the cache.
    if (this.#entries?.peek(key) !== entry) this.#void(entry);
  }

  /** Forgets one entity, also one that is being read now. */
  drop(key: K): void {
    this.#loads.delete(key);
    const entry = this.#entries?.peek(key);
    if (entry === undefined) return;
    this.#revision.count++;
    entry.epoch = DROPPED;
  }

  dropAll(): void {
    this.#loads.clear();
    this.#revision.count++;
    this.epoch++;
  }

  #use(entry: Entry<K, V>): void {
    entry.usedAt = this.#stored;
    this.#entries?.get(entry.key);
  }

  async #fill(misses: ReadonlySet<K>, into: Map<K, V>, trusted: boolean): Promise<void> {
    const own: K[] = [];
    const joined: { key: K; load: Load<K, V> }[] = [];
    for (const key of misses) {
      const load = trusted ? this.#loads.get(key) : undefined;
      if (load === undefined) own.push(key);
      else joined.push({ key, load });
    }
    // Begun before anything is awaited, so that the own query and those of others run side by side.
    const ownFound = own.length > 0 ? this.#start(own, trusted) : undefined;
    for (const { key, load } of joined) {
      const value = (await load.found).get(key);
      if (value !== undefined) into.set(key, value);
    }
    if (ownFound === undefined) return;
    for (const [key, value] of await ownFound) into.set(key, value);
  }

  #start(keys: readonly K[], trusted: boolean): Promise<ReadonlyMap<K, V>> {
    if (!trusted) return this.#source.load(keys);
    const load: Load<K, V> = { found: this.#loadAndStore(keys, () => load) };
    for (const key of keys) this.#loads.set(key, load);
    // A joiner may never look at it (its own query failed first); the reader that started it does.
    load.found.catch(() => undefined);
    return load.found;
  }

  async #loadAndStore(keys: readonly K[], self: () => Load<K, V>): Promise<ReadonlyMap<K, V>> {
    let found: Map<K, V>;
    try {
      found = await this.#source.load(keys);
    } catch (error) {
      for (const key of keys) if (this.#loads.get(key) === self()) this.#loads.delete(key);
      throw error;
    }
    for (const key of keys) {
      if (this.#loads.get(key) !== self()) continue;
      this.#loads.delete(key);
      this.#store(key, found);
    }
    return found;
  }

  #store(key: K, found: Map<K, V>): void {
    if (this.#entries === undefined) return;
    let value = found.get(key);
    const kept = this.#entries.peek(key);
    const old = kept?.value;
    if (value !== undefined && old !== undefined && this.#source.renew !== undefined) {
      value = this.#source.renew(old, value);
      found.set(key, value);
    }
    if (kept !== undefined && value === old) {
      kept.epoch = this.epoch;
      this.#use(kept);
      return;
    }
    const entry = new Entry(key, value, this);
    this.#stored++;
    entry.usedAt = this.#stored;
    this.#entries.set(key, entry, { size: this.#sizeOf(entry) });
  }

  #sizeOf({ key, value }: Entry<K, V>): number {
    const named = typeof key === 'string' ? 2 * key.length : 0;
    return OVERHEAD + named + (value === undefined ? 0 : Math.ceil(this.#source.weigh(value)));
  }
}
