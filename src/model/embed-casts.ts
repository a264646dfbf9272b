import type { Database } from '../db/database.js';
import {
  selectCastsWithoutVector,
  selectNewestCast,
  type UnreadCast,
  upsertCastVectors,
} from '../store/query/cast-meaning.js';
import { type EmbeddingModel, TEXTS_PER_CALL } from './embedding.js';
import { ModelError } from './endpoint.js';
import { compactVector } from './vector.js';

/** Stored casts that are looked at: those that were stored before the model was configured, or while it was away. */
const NEWEST = 10_000;
const EVERY_MS = 10_000;
/** Stored for a text that the model refuses, so that it is not asked for it again. */
const NONE = Buffer.alloc(0);

/** @returns a vector for each cast; one that the model refuses, such as a text that is too long for it, gets an empty one */
const vectorsOf = async (
  model: EmbeddingModel,
  casts: readonly UnreadCast[],
  signal: AbortSignal,
): Promise<Buffer[]> => {
  try {
    const texts = casts.map(({ text }) => text);
    return (await model.embed(texts, signal)).map(compactVector);
  } catch (error) {
    if (!(error instanceof ModelError && error.isRefusal)) throw error;
    if (casts.length === 1) return [NONE];
    const vectors: Buffer[] = [];
    for (const cast of casts) vectors.push(...(await vectorsOf(model, [cast], signal)));
    return vectors;
  }
};

/**
 * @returns a job that stores what casts mean, the newest first: of the newest that are stored, and of all that come while
 *   it runs often enough
 */
export const createEmbeddingJob = ({
  db,
  model,
  everyMs = EVERY_MS,
}: {
  readonly db: Database;
  readonly model: EmbeddingModel;
  readonly everyMs?: number | undefined;
}) => {
  /** The newest cast when no vector was missing; undefined: some may be. */
  let complete: string | undefined;
  return {
    name: 'embed-casts',
    everyMs,
    run: async (signal: AbortSignal): Promise<void> => {
      const newest = await selectNewestCast(db);
      if (newest === complete) return;
      for (;;) {
        signal.throwIfAborted();
        const casts = await selectCastsWithoutVector(db, model.name, NEWEST, TEXTS_PER_CALL);
        if (casts.length === 0) break;
        const vectors = await vectorsOf(model, casts, signal);
        const rows = casts.map(({ fid, hash }, index) => ({
          ...{ fid, hash, model: model.name },
          vector: vectors[index] as Buffer,
        }));
        await upsertCastVectors(db, rows);
      }
      complete = newest;
    },
  };
};
