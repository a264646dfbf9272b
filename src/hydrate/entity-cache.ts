import { LRUCache } from 'lru-cache';

/** One kind of entity: how to read it and what it weighs. */
export interface EntitySource<K, V> {
  /** Reads what is stored under the keys, in one query; keys of absent entities are left out of the answer. */
  load(keys: readonly K[]): Promise<Map<K, V>>;
  /** @returns bytes that the entity takes in memory, its rendered fragments included. */
  weigh(value: V): number;
  /** @returns the entity to keep after a reload: what `fresh` says, with the fragments of `old` that still hold. */
  renew?(old: V, fresh: V): V;
}

interface Entry<V> {
  /** Undefined: known to be absent. */
  readonly value: V | undefined;
  /** The cache's epoch when it was stored; another number: something touched it since. */
  epoch: number;
}

interface Load<K, V> {
  readonly found: Promise<ReadonlyMap<K, V>>;
}

const DROPPED = -1;
/** Bytes of an entry beside its key's text and its value, about. */
const OVERHEAD = 200;

/**
 * Entities of one kind by key, the most recently used of them, bounded in bytes.
 *
 * A load that began before a drop of its key is never stored, and no read that begins after the drop joins it:
 * the drop takes the key from the list of loads under way, and a load stores only what it still finds there.
 */
export class EntityCache<K extends NonNullable<unknown>, V extends NonNullable<unknown>> {
  readonly #source: EntitySource<K, V>;
  readonly #trusted: () => boolean;
  readonly #entries: LRUCache<K, Entry<V>> | undefined;
  readonly #loads = new Map<K, Load<K, V>>();
  #epoch = 0;

  /**
   * @param bytes bound of all entries; 0 keeps nothing, concurrent identical reads are merged all the same
   * @param trusted false while changes may have been missed: then nothing kept is used, nor any load of others
   */
  constructor(source: EntitySource<K, V>, bytes: number, trusted: () => boolean) {
    this.#source = source;
    this.#trusted = trusted;
    this.#entries = bytes > 0 ? new LRUCache({ maxSize: bytes, maxEntrySize: bytes }) : undefined;
  }

  /**
   * Adds the entities of these keys to `into`; absent ones are left out, keys that are there already are skipped.
   * @returns undefined when all of them were at hand, else a promise that is fulfilled when they are in.
   */
  read(keys: readonly K[], into: Map<K, V>): Promise<void> | undefined {
    const trusted = this.#trusted();
    let misses: Set<K> | undefined;
    for (const key of keys) {
      if (into.has(key)) continue;
      const entry = trusted ? this.#entries?.get(key) : undefined;
      if (entry === undefined || entry.epoch !== this.#epoch) {
        misses ??= new Set();
        misses.add(key);
      } else if (entry.value !== undefined) into.set(key, entry.value);
    }
    return misses === undefined ? undefined : this.#fill(misses, into, trusted);
  }

  /** Forgets one entity, also one that is being read now. */
  drop(key: K): void {
    this.#loads.delete(key);
    const entry = this.#entries?.peek(key);
    if (entry !== undefined) entry.epoch = DROPPED;
  }

  dropAll(): void {
    this.#loads.clear();
    this.#epoch++;
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
    const old = this.#entries.peek(key)?.value;
    if (value !== undefined && old !== undefined && this.#source.renew !== undefined) {
      value = this.#source.renew(old, value);
      found.set(key, value);
    }
    const named = typeof key === 'string' ? 2 * key.length : 0;
    const size = OVERHEAD + named + (value === undefined ? 0 : Math.ceil(this.#source.weigh(value)));
    this.#entries.set(key, { value, epoch: this.#epoch }, { size });
  }
}
