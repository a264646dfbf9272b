import { followListOperation } from './follow-list.js';

export const fetchUserFollowers = followListOperation({
  id: 'fetch-user-followers',
  path: '/v2/social/followers/',
  kind: 'followers',
  summary: 'List the followers of a user.',
  limit: 20,
});
