import type { Operation } from '../http/operation.js';
import { fetchNotificationTokens } from './fetch-notification-tokens.js';
import { getNotificationCampaignStats } from './get-notification-campaign-stats.js';
import { miniappEvent } from './miniapp-event.js';
import { miniappOpened } from './miniapp-opened.js';
import { publishFrameNotifications } from './publish-frame-notifications.js';

/** The server as the backend of mini apps; `app-host` has the operations of a host. */
export const campaignRoutes: readonly Operation[] = [
  publishFrameNotifications,
  getNotificationCampaignStats,
  fetchNotificationTokens,
  miniappEvent,
  miniappOpened,
];
