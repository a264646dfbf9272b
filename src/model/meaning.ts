import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Reader } from '../db/statement.js';
import { type FoundVector, type MeaningScope, selectCastVectors } from '../store/query/cast-meaning.js';
import type { FeedItem } from '../store/query/feed.js';
import type { EmbeddingModel } from './embedding.js';
import { similarity } from './vector.js';

/** Finds casts by what they mean. */
export interface MeaningSearch {
  /**
   * @returns casts of the newest of a scope that are closer in meaning to a text than most, at most 100; the closest first
   * @throws ModelError if the model gives no usable answer
   */
  closest(read: Reader, text: string, scope: Omit<MeaningScope, 'model'>): Promise<FeedItem[]>;
}

/** Casts that are compared with a text: about 10 MB of vectors. */
const COMPARED = 10_000;
/** Casts that are read at a time: the embedded database takes 20 ms for them, in which nothing else is done. */
const READ_AT_ONCE = 1_000;
/** Casts that a search finds; further ones are less and less about the text. */
const FOUND = 100;
/** Vectors of texts that were searched for; pages of one list search for the same text. */
const CACHED_TEXTS = 1_000;

/**
 * How close vectors are to each other depends on the model, so no number shows what is about a text.
 * @returns the casts that are nearer to the closest of them than to the average, the closest first
 */
const outstanding = <Rated extends { readonly rate: number }>(casts: readonly Rated[]): Rated[] => {
  const sorted = casts.toSorted((a, b) => b.rate - a.rate);
  const average = sorted.reduce((sum, { rate }) => sum + rate, 0) / sorted.length;
  const least = ((sorted[0]?.rate ?? 0) + average) / 2;
  return sorted.filter(({ rate }) => rate >= least);
};

/** @param model is asked once for a text as long as its vector is in memory */
export const createMeaningSearch = (model: EmbeddingModel): MeaningSearch => {
  const vectors = new LRUCache<string, Promise<Float32Array>>({ max: CACHED_TEXTS });
  const vectorOf = (text: string): Promise<Float32Array> => {
    const cached = vectors.get(text);
    if (cached) return cached;
    const made = model.embed([text]).then(([vector]) => vector as Float32Array);
    vectors.set(text, made);
    made.catch(() => vectors.delete(text));
    return made;
  };
  return {
    closest: async (read, text, scope) => {
      const query = await vectorOf(text);
      const rated: (Pick<FoundVector, 'ts' | 'hash'> & { readonly rate: number })[] = [];
      let last: FoundVector | undefined;
      for (let compared = 0; compared < COMPARED; compared += READ_AT_ONCE) {
        const rows = await selectCastVectors(read, { ...scope, model: model.name }, last, READ_AT_ONCE);
        for (const { ts, hash, vector } of rows) {
          if (vector?.length === query.length) rated.push({ ts, hash, rate: similarity(query, vector) });
        }
        if (rows.length < READ_AT_ONCE) break;
        last = rows.at(-1);
        await nextTurn();
      }
      return outstanding(rated)
        .slice(0, FOUND)
        .map(({ ts, hash }) => ({ ts, hash, entry: hash }));
    },
  };
};
