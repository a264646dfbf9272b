import { LRUCache } from 'lru-cache';
import type { ReplicaPool } from '../db/replica/pool.js';
import type { Reader } from '../db/statement.js';
import type { Dialect } from '../schema/wire-names.js';
import type { Tracer } from '../trace/tracer.js';
import { Cache } from './cache.js';
import type { Freshness } from './freshness.js';
import { ReadContext, type ReadSource, type View } from './read-context.js';

/** Share of the cache's bytes for whole responses; the rest is for entities. */
const RESPONSE_CACHE_SHARE = 0.4;
/**
 * How much larger entities become after they are stored: views keep the JSON of accounts, casts and channels in them.
 * Measured over the sample accounts and their feeds: x1.2 to x1.6 an entity.
 */
export const RENDERED_SIZE = 1.5;
/** Size limit of the keys of responses that were requested once, and bytes of a key in addition to its text. */
const REQUEST_KEY_BYTES = 4 * 1024 * 1024;
const REQUEST_KEY_OVERHEAD_BYTES = 100;

/** All stored data that responses contain is read through this. */
export interface Reads {
  /** Learns of all changes that were committed before this call, so that cached data is at least as new. */
  catchUp(): Promise<void>;
  /** Calls a function after each commit of this or another process that changed something, once that is known here. */
  onChange(listener: () => void): void;
  /** @returns a context for an operation that also writes: its response is not cached, and read from the primary */
  open(): ReadContext;
  /**
   * Responds from the cache, or makes the response and caches it while it is valid.
   * @param key everything that decides the response, except the dialect
   * @param make reads everything through the given context; its result is plain data with the bytes of the response
   * @param caller whom the response is for (see `Reader.read`)
   * @throws what `make` throws; then nothing is cached
   */
  answer<R>(key: string, make: (read: ReadContext) => Promise<R>, caller?: string): Promise<R>;
  /** @returns the same reads with responses in this dialect */
  forDialect(dialect: Dialect): Reads;
}

/**
 * @param options `cacheBytes` is the size limit of the cache (0: no cache); `clock` returns Unix milliseconds; `report`
 * receives entities that cannot be rendered
 */
export const createReads = (options: {
  readonly db: Reader;
  /** Where responses are read from, in the place of `db`; undefined: there are no replicas. */
  readonly replicas?: Pick<ReplicaPool, 'open'> | undefined;
  readonly freshness: Freshness;
  readonly cacheBytes: number;
  readonly clock: () => number;
  readonly tracer?: Tracer | undefined;
  readonly dialect: Dialect;
  readonly report: View['report'];
  /** Called with whether a response came from the cache. */
  readonly counted?: (outcome: 'hit' | 'miss') => void;
}): Reads => {
  const { db, replicas, freshness, cacheBytes, clock, tracer, report, counted } = options;
  const responseBytes = Math.floor(cacheBytes * RESPONSE_CACHE_SHARE);
  const answers = new Cache(freshness.clock, freshness.isFresh, responseBytes);
  const entityBytes = Math.floor((cacheBytes - responseBytes) / RENDERED_SIZE);
  const entities = new Cache(freshness.clock, freshness.isFresh, entityBytes);
  const requestedBefore = new LRUCache<string, true>({
    maxSize: REQUEST_KEY_BYTES,
    sizeCalculation: (_, name) => name.length + REQUEST_KEY_OVERHEAD_BYTES,
  });
  const forDialect = (dialect: Dialect): Reads => {
    const source: ReadSource = { db, entities, tracer, view: { dialect, report } };
    const open = (caller?: string): ReadContext => new ReadContext(source, clock(), caller);
    const openAnswer = (caller?: string): ReadContext =>
      replicas ? new ReadContext({ ...source, fresh: replicas.open() }, clock(), caller) : open(caller);
    return {
      catchUp: freshness.catchUp,
      onChange: freshness.onChange,
      open: () => open(),
      answer: async <R>(key: string, make: (read: ReadContext) => Promise<R>, caller?: string): Promise<R> => {
        const name = `${dialect} ${key}`;
        const read = openAnswer(caller);
        const cached = answers.get(name, read.now);
        counted?.(cached === undefined ? 'miss' : 'hit');
        if (cached !== undefined) return cached.value as R;
        const answer = await make(read);
        // Most responses are requested only once, and would evict those that are requested repeatedly.
        if (requestedBefore.has(name)) answers.set(name, read.entry(answer));
        else requestedBefore.set(name, true);
        return answer;
      },
      forDialect,
    };
  };
  return forDialect(options.dialect);
};
