import type { Dialect } from '../schema/wire-names.js';
import type { Param, Reader, Statement } from '../store/database.js';
import type { Tag } from '../store/tag.js';
import { type Cache, type CacheKey, NEVER } from './cache.js';
import type { EntityKind } from './entity-kind.js';
import type { Entry, Loaded } from './entry.js';

/** What a view needs besides entities. */
export interface View {
  /** Whose names answers are written in. */
  readonly dialect: Dialect;
  /** Takes an entity that a view cannot render and leaves out: `user 3`, and why. */
  report(entity: string, error: unknown): void;
}

/** What all reads share. */
export interface ReadSource {
  readonly view: View;
  readonly db: Reader;
  /** Accounts, casts, lists of ids and all else that answers are made from. */
  readonly entities: Cache;
}

/**
 * What one answer is made from. The operation reads everything through this context, which collects the tags of all that
 * was read, so that the answer can be cached.
 */
export class ReadContext implements Reader {
  /** Unix milliseconds of the request. */
  readonly now: number;
  readonly view: View;
  readonly #source: ReadSource;
  readonly #began: number;
  readonly #entries: Entry[] = [];
  readonly #tags: Tag[] = [];
  #until = Number.POSITIVE_INFINITY;
  #isCacheable = true;

  constructor(source: ReadSource, now: number) {
    this.#source = source;
    this.now = now;
    this.view = source.view;
    // Before anything is read: what is invalidated from here on makes the answer invalid.
    this.#began = source.entities.clock.now();
  }

  /** Sends a statement. What a statement without `tags` returns may change unnoticed, so the answer is not cached. */
  async read<Row>(statement: Statement<Row>, params: readonly Param[]): Promise<Row[]> {
    const rows = await this.#source.db.read(statement, params);
    const tags = statement.tags?.(params, rows);
    if (tags === undefined) this.#isCacheable = false;
    else for (const tag of tags) this.#tags.push(tag);
    return rows;
  }

  /** @param at Unix milliseconds from which on the answer is another one; null and undefined: never by itself */
  endsAt(at: number | null | undefined): void {
    this.#until = Math.min(this.#until, at ?? this.#until);
  }

  /** @returns the entities among these ids that are stored. One load, whatever their number; none for cached ones. */
  async get<Id, V>(kind: EntityKind<Id, V>, ids: Iterable<Id>): Promise<Map<Id, V>> {
    const found = new Map<Id, V>();
    const missing = new Map<CacheKey, Id>();
    for (const id of ids instanceof Set ? (ids as ReadonlySet<Id>) : new Set(ids)) {
      const key = kind.keyOf(id);
      const entry = this.#source.entities.get(key, this.now);
      if (entry === undefined) missing.set(key, id);
      else {
        this.#use(entry);
        if (entry.value !== undefined) found.set(id, entry.value as V);
      }
    }
    if (missing.size === 0) return found;
    const entries = await this.#source.entities.load([...missing.keys()], this.now, (keys) =>
      this.#load(kind, keys, missing),
    );
    for (const [key, entry] of entries) {
      this.#use(entry);
      if (entry.value !== undefined) found.set(missing.get(key) as Id, entry.value as V);
    }
    return found;
  }

  /**
   * Reads a list of ids through the cache.
   * @param key operation and everything that decides the list
   * @param load reads the list; all that it reads must go through the context that it is given
   */
  async list<L>(key: readonly unknown[], load: (read: ReadContext) => Promise<L>): Promise<L> {
    const name = JSON.stringify(key);
    const { entities } = this.#source;
    let entry = entities.get(name, this.now);
    if (entry === undefined) {
      const entries = await entities.load([name], this.now, async () => {
        const inner = new ReadContext(this.#source, this.now);
        return new Map([[name, inner.entry(await load(inner))]]);
      });
      entry = entries.get(name) as Entry;
    }
    this.#use(entry);
    return entry.value as L;
  }

  /** @returns what was made of everything that was read, for a cache; never valid when some of it named no tags */
  entry<V>(value: V): Entry<V> {
    const count = this.#entries.reduce((sum, entry) => sum + entry.tags.length, this.#tags.length);
    const tags = new Float64Array(count);
    tags.set(this.#tags);
    let at = this.#tags.length;
    for (const entry of this.#entries) {
      tags.set(entry.tags, at);
      at += entry.tags.length;
    }
    return {
      value,
      tags,
      from: this.now,
      until: this.#isCacheable ? this.#until : NEVER,
      validAt: this.#began,
      usedAt: 0,
    };
  }

  #use(entry: Entry): void {
    this.#entries.push(entry);
    if (entry.until < this.#until) this.#until = entry.until;
  }

  async #load<Id, V>(
    kind: EntityKind<Id, V>,
    keys: readonly CacheKey[],
    ids: ReadonlyMap<CacheKey, Id>,
  ): Promise<Map<CacheKey, Entry>> {
    const began = this.#source.entities.clock.now();
    const asked = keys.map((key) => ids.get(key) as Id);
    const loaded = await kind.load(asked, new ReadContext(this.#source, this.now));
    const entryOf = (id: Id): Entry => {
      const entry = this.#entryOf(kind.tagsOf(id), loaded.get(id), began);
      return kind.mayComeUnnoticed && entry.value === undefined ? { ...entry, until: NEVER } : entry;
    };
    return new Map(asked.map((id, index) => [keys[index] as CacheKey, entryOf(id)]));
  }

  #entryOf(own: readonly Tag[], loaded: Loaded<unknown> | undefined, validAt: number): Entry {
    const tags = loaded?.tags === undefined ? own : own.concat(loaded.tags);
    const { value, from = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = loaded ?? {};
    return { value, tags, from, until, validAt, usedAt: 0 };
  }
}
