import type { Operation } from '../http/operation.js';
import { fetchSubscribedToForFid } from './fetch-subscribed-to-for-fid.js';
import { fetchSubscribersForFid } from './fetch-subscribers-for-fid.js';
import { fetchSubscriptionCheck } from './fetch-subscription-check.js';
import { fetchSubscriptionsForFid } from './fetch-subscriptions-for-fid.js';

export const stpRoutes: readonly Operation[] = [
  fetchSubscriptionCheck,
  fetchSubscribedToForFid,
  fetchSubscribersForFid,
  fetchSubscriptionsForFid,
];
