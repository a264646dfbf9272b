import { LRUCache } from 'lru-cache';
import type { Dialect } from '../schema/wire-names.js';
import type { Reader } from '../store/database.js';
import { Cache } from './cache.js';
import type { Freshness } from './freshness.js';
import { ReadContext, type ReadSource, type View } from './read-context.js';

/** How the cache's bytes are shared between whole answers and what they are made from. */
const ANSWER_SHARE = 0.4;
/** Bound of the remembered keys of answers that were made once, and what each takes beside its text, in bytes. */
const ASKED_BYTES = 4 * 1024 * 1024;
const ASKED_OVERHEAD = 100;

/** The reading side of the service: whatever is answered from what is stored is read through this. */
export interface Reads {
  /** @returns a context for an operation that does more than read: its answer is not cached */
  open(): ReadContext;
  /**
   * Answers a request from the cache, or makes the answer and caches it as long as it is valid.
   * @param key everything that decides the answer, except the dialect
   * @param make reads everything through the context that it is given
   * @throws whatever `make` throws; nothing is cached then
   */
  answer(key: string, make: (read: ReadContext) => Promise<Buffer>): Promise<Buffer>;
  /** @returns the same, with answers in the names of this dialect */
  forDialect(dialect: Dialect): Reads;
}

/**
 * @param options `cacheBytes` bounds what is held in memory (0: nothing is); `clock` gives Unix milliseconds; `report`
 *   takes what cannot be rendered
 */
export const createReads = (options: {
  readonly db: Reader;
  readonly freshness: Freshness;
  readonly cacheBytes: number;
  readonly clock: () => number;
  readonly dialect: Dialect;
  readonly report: View['report'];
}): Reads => {
  const { db, freshness, cacheBytes, clock, report } = options;
  const answerBytes = Math.floor(cacheBytes * ANSWER_SHARE);
  const answers = new Cache(freshness.clock, freshness.isTrusted, answerBytes);
  const entities = new Cache(freshness.clock, freshness.isTrusted, cacheBytes - answerBytes);
  const askedBefore = new LRUCache<string, true>({
    maxSize: ASKED_BYTES,
    sizeCalculation: (_, name) => name.length + ASKED_OVERHEAD,
  });
  const forDialect = (dialect: Dialect): Reads => {
    const source: ReadSource = { db, entities, view: { dialect, report } };
    const open = (): ReadContext => new ReadContext(source, clock());
    return {
      open,
      answer: async (key, make) => {
        const name = `${dialect} ${key}`;
        const read = open();
        const cached = answers.get(name, read.now);
        if (cached !== undefined) return cached.value as Buffer;
        const answer = await make(read);
        // Most answers are asked for once, and would push out those that are asked for again.
        if (askedBefore.has(name)) answers.set(name, read.entry(answer));
        else askedBefore.set(name, true);
        return answer;
      },
      forDialect,
    };
  };
  return forDialect(options.dialect);
};
