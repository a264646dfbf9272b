import type { ModelAddress } from '../config/model.js';
import { cleanText } from './client.js';
import { ModelError, openModelEndpoint } from './endpoint.js';
import { MAX_DIMENSIONS, unitVector } from './vector.js';

/** A model that turns texts into vectors, which are close to each other where the texts mean the same. */
export interface EmbeddingModel {
  readonly name: string;
  /**
   * @param texts at most `TEXTS_PER_CALL`, none of them empty
   * @returns vectors of the length 1, in the order of the texts
   * @throws ModelError if there is no usable answer: `isRefusal` if the endpoint refused these texts
   * @throws the reason of `signal` when it is aborted
   */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>;
  /** Ends calls in progress, and refuses others, with ModelError. */
  stop(): void;
}

/** So few that the answer is parsed within a few milliseconds: a vector is 20 to 60 KB of JSON. */
export const TEXTS_PER_CALL = 16;
const MAX_BYTES = 2 * 1024 * 1024;
const MAX_VALUES = TEXTS_PER_CALL * (MAX_DIMENSIONS + 100);
/** Time limit of a call; a search waits for one. */
export const EMBEDDING_TIMEOUT_MS = 10_000;
/** Characters of a text that are sent: common models read no more than 512 tokens. */
const MAX_TEXT = 1_000;
const WHO = 'The embedding model';

interface Embeddings {
  readonly data?: readonly { readonly index?: unknown; readonly embedding?: unknown }[];
}

/** @returns `data[].embedding` by `data[].index` (OpenAI API reference, "Embeddings"). @throws ModelError */
const vectorsOf = (answer: unknown, count: number): Float32Array[] => {
  const data = (answer as Embeddings | null)?.data;
  const rows = Array.isArray(data) ? (data as NonNullable<Embeddings['data']>) : [];
  const vectors = Array.from({ length: count }, (_, index) => {
    const row = rows.find((one) => one?.index === index);
    return unitVector(row?.embedding);
  });
  const usable = vectors.filter((vector) => vector !== undefined);
  if (usable.length < count || new Set(usable.map(({ length }) => length)).size !== 1)
    throw new ModelError(`${WHO} answered without a vector for each text.`);
  return usable;
};

/** @param timeoutMs limit of one call; tests shorten it */
export const createEmbeddingModel = (address: ModelAddress, timeoutMs = EMBEDDING_TIMEOUT_MS): EmbeddingModel => {
  const endpoint = openModelEndpoint(address, { path: '/embeddings', who: WHO, timeoutMs });
  return {
    name: address.name,
    stop: endpoint.stop,
    embed: async (texts, signal) => {
      const input = texts.map((text) => cleanText(text, MAX_TEXT));
      const answer = await endpoint.call(
        { input, encoding_format: 'float' },
        { maxBytes: MAX_BYTES, maxValues: MAX_VALUES, signal },
      );
      return vectorsOf(answer, texts.length);
    },
  };
};
