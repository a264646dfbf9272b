import { followListOperation } from './follow-list.js';

export const fetchUserFollowing = followListOperation({
  id: 'fetch-user-following',
  path: '/v2/social/following/',
  kind: 'following',
  summary: 'List the accounts a user follows.',
  limit: 25,
});
