import type { Operation } from '../http/operation.js';
import { fetchAllNotifications } from './fetch-all-notifications.js';
import { fetchChannelNotificationsForUser } from './fetch-channel-notifications-for-user.js';
import { fetchNotificationsByParentUrlForUser } from './fetch-notifications-by-parent-url-for-user.js';
import { markNotificationsAsSeen } from './mark-notifications-as-seen.js';

export const notificationRoutes: readonly Operation[] = [
  fetchAllNotifications,
  fetchChannelNotificationsForUser,
  fetchNotificationsByParentUrlForUser,
  markNotificationsAsSeen,
];
