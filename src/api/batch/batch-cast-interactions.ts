import { BatchCastInteraction } from '../../schema/batch.js';
import { selectBatchCastReferences } from '../../store/query/batch.js';
import { type BatchEntry, batchOperation } from './batch-operation.js';

export const batchCastInteractions = batchOperation({
  name: 'cast-interactions',
  tag: 'Cast',
  title: 'Read replies and mentions of many accounts',
  what: 'the casts that reply to a cast or mention somebody, without their texts,',
  each: 4,
  entry: BatchCastInteraction,
  select: selectBatchCastReferences,
  entryOf: ({ parentFid, mentions, ts }): BatchEntry<BatchCastInteraction> =>
    parentFid === null && mentions.length === 0
      ? undefined
      : { parent_fid: parentFid, mentions: [...mentions], timestamp: ts },
});
