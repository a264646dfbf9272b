import Type from 'typebox';
import { ReciprocalFollowersResponse } from '../../schema/social/follow.js';
import { viewReciprocalFollowers } from '../../view/follower.js';
import { followListOperation } from './follow-list-operation.js';

export const fetchUserReciprocalFollowers = followListOperation({
  id: 'fetch-user-reciprocal-followers',
  path: '/v2/social/followers/reciprocal/',
  kind: 'reciprocal',
  title: 'List mutual follows',
  summary: 'List accounts that a user follows and that follow back; timestamp is when the user followed.',
  parameters: { fid: { description: 'The account whose mutual follows are listed.', example: 1 } },
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 25 }),
  sort: {
    default: 'algorithmic',
    description: 'algorithmic ranks by score among the newest 1,000 that the user follows; others follow by time.',
  },
  response: ReciprocalFollowersResponse,
  view: viewReciprocalFollowers,
});
