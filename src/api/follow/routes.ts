import type { Operation } from '../http/operation.js';
import { fetchFollowSuggestions } from './fetch-follow-suggestions.js';
import { fetchRelevantFollowers } from './fetch-relevant-followers.js';
import { fetchUserFollowers } from './fetch-user-followers.js';
import { fetchUserFollowing } from './fetch-user-following.js';
import { fetchUserReciprocalFollowers } from './fetch-user-reciprocal-followers.js';
import { followUser } from './follow-user.js';
import { unfollowUser } from './unfollow-user.js';

export const followRoutes: readonly Operation[] = [
  fetchUserFollowers,
  fetchUserReciprocalFollowers,
  fetchRelevantFollowers,
  fetchUserFollowing,
  fetchFollowSuggestions,
  followUser,
  unfollowUser,
];
