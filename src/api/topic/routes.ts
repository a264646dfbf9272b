import type { Operation } from '../http/operation.js';
import { listTrendingTopics } from './list-trending-topics.js';

export const topicRoutes: readonly Operation[] = [listTrendingTopics];
