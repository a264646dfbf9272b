import { BatchReaction } from '../../schema/batch.js';
import { selectBatchReactions } from '../../store/query/batch.js';
import { type BatchEntry, batchOperation } from './batch-operation.js';

export const batchReactions = batchOperation({
  name: 'reactions',
  tag: 'Reaction',
  title: 'Read the reactions of many accounts',
  what: 'the reactions to casts',
  each: 2,
  entry: BatchReaction,
  select: selectBatchReactions,
  // The target of a reaction to a URL is account 0.
  entryOf: ({ targetFid, ts }): BatchEntry<BatchReaction> =>
    targetFid === 0 ? undefined : { target_fid: targetFid, timestamp: ts },
});
