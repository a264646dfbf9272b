import { FollowersResponse } from '../../schema/social/follow.js';
import { viewFollowers } from '../../view/follower.js';
import { byTimeOrScore, followLimit, followListOperation } from './follow-list-operation.js';

export const fetchUserFollowing = followListOperation({
  id: 'fetch-user-following',
  path: '/v2/social/following/',
  kind: 'following',
  title: 'List followed accounts',
  summary: 'List the accounts a user follows.',
  parameters: { fid: { description: 'The account whose follows are listed.', example: 1 } },
  limit: followLimit(25),
  sort: byTimeOrScore,
  response: FollowersResponse,
  view: viewFollowers,
});
