import { Fid } from '../../schema/fid.js';
import { FeedResponse } from '../../schema/social/feed.js';
import { experimentalHeader } from '../http/parameter.js';
import { feedOperation, withRecasts } from './feed-operation.js';
import { followingReplies, nextFollowing, selectFollowing } from './following-feed.js';

export const fetchUserFollowingFeed = feedOperation({
  id: 'fetch-user-following-feed',
  path: '/v2/social/feed/following/',
  tags: ['Feed'],
  title: 'Get the following feed',
  summary: 'Read what the accounts a user follows wrote and recast, latest first; replies on request.',
  cost: { each: 4, of: 'limit' },
  headers: experimentalHeader,
  query: { fid: Fid, with_recasts: withRecasts, with_replies: followingReplies },
  parameters: { fid: { description: 'The account whose feed it is.', example: 1 } },
  response: FeedResponse,
  filters: ({ query: { fid, with_recasts, with_replies } }) => ({ fid, with_recasts, with_replies }),
  select: selectFollowing,
  next: nextFollowing,
});
