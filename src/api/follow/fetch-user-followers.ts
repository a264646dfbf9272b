import { FollowersResponse } from '../../schema/social/follow.js';
import { viewFollowers } from '../../view/follower.js';
import { byTimeOrScore, followLimit, followListOperation } from './follow-list-operation.js';

export const fetchUserFollowers = followListOperation({
  id: 'fetch-user-followers',
  path: '/v2/social/followers/',
  kind: 'followers',
  title: 'List followers',
  summary: 'List the followers of a user.',
  parameters: { fid: { description: 'The account whose followers are listed.', example: 1 } },
  limit: followLimit(20),
  sort: byTimeOrScore,
  response: FollowersResponse,
  view: viewFollowers,
});
