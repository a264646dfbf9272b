import type { FreshReader } from '../db/replica/response-reader.js';
import type { Param, Reader, Statement, Tag } from '../db/statement.js';
import type { Dialect } from '../schema/wire-names.js';
import type { Tracer } from '../trace/tracer.js';
import { ALREADY_EXPIRED, type Cache, type CacheKey } from './cache.js';
import type { Entry, Loaded } from './entry.js';

/** What a view needs in addition to entities. */
export interface View {
  /** Wire names that the response uses. */
  readonly dialect: Dialect;
  /** Reports an entity (such as `user 3`) that a view leaves out because it cannot render it. */
  report(entity: string, error: unknown): void;
}

/** Data that all reads share. */
export interface ReadSource {
  readonly view: View;
  readonly db: Reader;
  /** Reads from replicas what `db` would be asked for; undefined: everything is read from `db`. */
  readonly fresh?: FreshReader | undefined;
  /** Accounts, casts, lists of ids and the other entities of responses. */
  readonly entities: Cache;
  /** Undefined: there are no traces. */
  readonly tracer?: Tracer | undefined;
}

/** A kind of entity that responses contain, and how to read it. */
export interface EntityKind<Id, V> {
  /** @returns the key, which no other kind uses. */
  keyOf(id: Id): CacheKey;
  /** @returns the tags that invalidate the entity, whether it is stored or not. */
  tagsOf(id: Id): readonly Tag[];
  /** Set if storing an absent entity invalidates no tag: then neither the absence nor a response with it is cached. */
  readonly isAbsenceUncacheable?: true;
  /**
   * Reads the entities with these ids in a fixed number of statements; absent ones are left out.
   * @param read reads the other data that the entities need; its tags must be in `Loaded.tags`
   */
  load(ids: readonly Id[], read: ReadContext): Promise<ReadonlyMap<Id, Loaded<V>>>;
}

/** The reads of one response. The context collects their tags, so that the response can be cached. */
export class ReadContext implements Reader {
  /** Unix milliseconds of the request. */
  readonly now: number;
  readonly view: View;
  readonly #source: ReadSource;
  readonly #caller: string | undefined;
  readonly #began: number;
  readonly #entries: Entry[] = [];
  readonly #tags: Tag[] = [];
  #until = Number.POSITIVE_INFINITY;
  #isCacheable = true;

  /** @param caller whom the response is for (see `Reader.read`) */
  constructor(source: ReadSource, now: number, caller?: string) {
    this.#source = source;
    this.#caller = caller;
    this.now = now;
    this.view = source.view;
    // Set before the first read: a later invalidation makes the response invalid.
    this.#began = source.entities.clock.now();
  }

  /** Sends a statement. Rows of a statement without `tags` may change unnoticed, so the response is not cached. */
  async read<Row>(statement: Statement<Row>, params: readonly Param[]): Promise<Row[]> {
    const { db, fresh } = this.#source;
    const rows = await (fresh
      ? fresh.read(statement, params, this.#began, this.#caller)
      : db.read(statement, params, this.#caller));
    const tags = statement.tags?.(params, rows);
    if (tags === undefined) this.#isCacheable = false;
    else for (const tag of tags) this.#tags.push(tag);
    return rows;
  }

  /** Runs the work that reads everything about some entities. @param what the entities, in the name of a span: `casts` */
  hydrate<R>(what: string, work: () => Promise<R>): Promise<R> {
    const { tracer } = this.#source;
    return tracer ? tracer.child(`hydrate ${what}`, {}, work) : work();
  }

  /** @param at Unix milliseconds at which the response expires; null or undefined if it never does */
  endsAt(at: number | null | undefined): void {
    this.#until = Math.min(this.#until, at ?? this.#until);
  }

  /** @returns the stored entities among these ids. Those that are not cached are read in one load. */
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
   * @param key operation and all parameters of the list
   * @param load reads the list, only through the given context
   */
  async list<L>(key: readonly unknown[], load: (read: ReadContext) => Promise<L>): Promise<L> {
    const name = JSON.stringify(key);
    const { entities } = this.#source;
    let entry = entities.get(name, this.now);
    if (entry === undefined) {
      const entries = await entities.load([name], this.now, async () => {
        const inner = new ReadContext(this.#source, this.now, this.#caller);
        return new Map([[name, inner.entry(await load(inner))]]);
      });
      entry = entries.get(name) as Entry;
    }
    this.#use(entry);
    return entry.value as L;
  }

  /** @returns the cache entry of a value made from these reads; it has already expired if a statement had no tags */
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
      until: this.#isCacheable ? this.#until : ALREADY_EXPIRED,
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
    const requested = keys.map((key) => ids.get(key) as Id);
    const loaded = await kind.load(requested, new ReadContext(this.#source, this.now, this.#caller));
    const entryOf = (id: Id): Entry => {
      const entry = this.#entryOf(kind.tagsOf(id), loaded.get(id), began);
      return kind.isAbsenceUncacheable && entry.value === undefined ? { ...entry, until: ALREADY_EXPIRED } : entry;
    };
    return new Map(requested.map((id, index) => [keys[index] as CacheKey, entryOf(id)]));
  }

  #entryOf(own: readonly Tag[], loaded: Loaded<unknown> | undefined, validAt: number): Entry {
    const tags = loaded?.tags === undefined ? own : own.concat(loaded.tags);
    const { value, from = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = loaded ?? {};
    return { value, tags, from, until, validAt, usedAt: 0 };
  }
}
