import type { HostNotificationRow } from '../store/miniapp/notification.js';

/** @returns a notification as host apps get it, in lists and pushes */
export const notificationRecord = (row: HostNotificationRow) => ({
  object: 'app_host_notification' as const,
  id: row.id,
  domain: row.domain,
  notification_id: row.notificationId,
  title: row.title,
  body: row.body,
  target_url: row.targetUrl,
  created_at: row.createdAt.toISOString(),
});
