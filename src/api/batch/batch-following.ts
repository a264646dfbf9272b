import { toIso } from '../../protocol/time.js';
import { BatchFollow } from '../../schema/batch.js';
import { selectBatchFollows } from '../../store/query/batch.js';
import { batchOperation } from './batch-operation.js';

export const batchFollowing = batchOperation({
  name: 'following',
  tag: 'Follows',
  title: 'Read whom many accounts follow',
  what: 'the follows',
  each: 3,
  entry: BatchFollow,
  select: selectBatchFollows,
  entryOf: ({ targetFid, ts }): BatchFollow => ({ fid: targetFid, followed_at: toIso(ts) }),
});
