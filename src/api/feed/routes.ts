import type { Operation } from '../http/operation.js';
import { fetchCastsForUser } from './fetch-casts-for-user.js';
import { fetchFeed } from './fetch-feed.js';
import { fetchFeedByChannelIds } from './fetch-feed-by-channel-ids.js';
import { fetchFeedByParentUrls } from './fetch-feed-by-parent-urls.js';
import { fetchFeedByTopic } from './fetch-feed-by-topic.js';
import { fetchPopularCastsByUser } from './fetch-popular-casts-by-user.js';
import { fetchRepliesAndRecastsForUser } from './fetch-replies-and-recasts-for-user.js';
import { fetchUserFollowingFeed } from './fetch-user-following-feed.js';

export const feedRoutes: readonly Operation[] = [
  fetchFeed,
  fetchUserFollowingFeed,
  fetchFeedByChannelIds,
  fetchFeedByParentUrls,
  fetchFeedByTopic,
  fetchCastsForUser,
  fetchPopularCastsByUser,
  fetchRepliesAndRecastsForUser,
];
