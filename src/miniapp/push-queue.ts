import { randomUUID } from 'node:crypto';
import type { Session } from '../db/statement.js';
import { RETRY_WINDOW_MS } from '../delivery/retry-delay.js';
import type { HostNotification } from '../store/miniapp/notification.js';
import { insertHostPushes } from '../store/miniapp/push.js';
import { selectAppsWithWebhook } from '../store/miniapp/webhook.js';
import { notificationRecord } from './notification-record.js';

/**
 * Writes a notification into the outbox of the host apps with a webhook, one call per user. To be used in the
 * transaction that accepts it.
 */
export const queuePushes = async (
  session: Session,
  users: readonly { readonly appId: string; readonly fid: number; readonly id: string }[],
  notification: HostNotification,
  now: Date,
): Promise<void> => {
  const apps = await selectAppsWithWebhook(session, [...new Set(users.map(({ appId }) => appId))]);
  const notified = users.filter(({ appId }) => apps.has(appId));
  if (notified.length === 0) return;
  const rows = notified.map(({ appId, fid, id }) => {
    const deliveryId = randomUUID();
    const record = notificationRecord({ ...notification, id, createdAt: now });
    const body = JSON.stringify({ delivery_id: deliveryId, fid, ...record });
    return { id: deliveryId, appId, fid, domain: notification.domain, body };
  });
  await insertHostPushes(session, rows, { now, expiresAt: new Date(now.getTime() + RETRY_WINDOW_MS) });
};
