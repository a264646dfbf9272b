import type { Config } from '../config/config.js';
import type { Database } from '../db/database.js';
import { createModel } from './client.js';
import { createConversationSummaries } from './conversation-summary.js';
import { createEmbeddingJob } from './embed-casts.js';
import { createEmbeddingModel } from './embedding.js';
import { createMeaningSearch } from './meaning.js';

/** The models that the operator configured, and what is made with them. @param parts `clock` in Unix milliseconds */
export const createModelServices = (
  config: Pick<Config, 'model' | 'embedding'>,
  {
    db,
    clock,
    embeddingMs,
  }: { readonly db: Database; readonly clock: () => number; readonly embeddingMs: number | undefined },
) => {
  const model = config.model && createModel(config.model);
  const embedding = config.embedding && createEmbeddingModel(config.embedding);
  return {
    model,
    /** What operations use; empty without models. */
    services: {
      ...(model && { summaries: createConversationSummaries({ db, model, clock }) }),
      ...(embedding && { meaning: createMeaningSearch(embedding) }),
    },
    jobs: embedding ? [createEmbeddingJob({ db, model: embedding, everyMs: embeddingMs })] : [],
    stop: () => {
      model?.stop();
      embedding?.stop();
    },
  };
};
