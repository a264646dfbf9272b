import Type from 'typebox';
import { notificationRecord } from '../../miniapp/notification-record.js';
import { AppHostNotificationsResponse } from '../../schema/miniapp/notification.js';
import { selectHostNotifications } from '../../store/miniapp/notification.js';
import { listOperation } from '../page/list-operation.js';

export const appHostGetUserNotifications = listOperation({
  id: 'app-host-get-user-notifications',
  path: '/v2/social/app_host/user/notifications/',
  tags: ['App Host'],
  title: 'List mini-app notifications',
  summary: 'List what mini apps told a user of this app host in the last 30 days, newest first; own extension.',
  cost: { each: 1, of: 'limit' },
  scope: 'host',
  query: { fid: Type.Integer({ minimum: 1 }) },
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 25 }),
  parameters: { fid: { description: 'The user of the app host.', example: 1 } },
  response: AppHostNotificationsResponse,
  errors: [400, 500],
  isUntagged: true,
  sortKey: Type.Object({ at: Type.Integer(), id: Type.String({ format: 'uuid' }) }),
  filters: ({ query, caller: { appId } }) => ({ appId, fid: query.fid }),
  select: (read, filters, { after, limit }) => selectHostNotifications(read, filters, { after, limit }),
  keyOf: ({ createdAt, id }) => ({ at: createdAt.getTime(), id }),
  view: (rows, cursor) => ({ notifications: rows.map(notificationRecord), next: { cursor } }),
});
