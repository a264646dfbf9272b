import Type from 'typebox';
import { notificationRecord } from '../../miniapp/notification-record.js';
import { AppHostNotificationsResponse } from '../../schema/miniapp/notification.js';
import { selectHostNotifications } from '../../store/miniapp/notification.js';
import { openPage } from '../http/cursor.js';
import { operation } from '../http/operation.js';

const ID = 'app-host-get-user-notifications';
const sortKey = Type.Object({ at: Type.Integer(), id: Type.String({ format: 'uuid' }) });
const list = { operationId: ID, sortKey };

export const appHostGetUserNotifications = operation({
  id: ID,
  path: '/v2/social/app_host/user/notifications/',
  tags: ['App Host'],
  summary: 'List what mini apps told a user of this app host in the last 30 days, newest first; own extension.',
  scope: 'host',
  query: Type.Object({
    fid: Type.Integer({ minimum: 1 }),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 25 }),
    cursor: Type.Optional(Type.String()),
  }),
  response: AppHostNotificationsResponse,
  errors: [400, 500],
  handle: async ({ query, caller: { appId } }, { db, clock, cursorKey }) => {
    const filters = { appId, fid: query.fid };
    const { after, limit, cut } = openPage(cursorKey, list, filters, query, clock());
    const found = await selectHostNotifications(db, filters, { after, limit });
    const { rows, cursor } = cut(found, ({ createdAt, id }) => ({ at: createdAt.getTime(), id }));
    return { notifications: rows.map(notificationRecord), next: { cursor } };
  },
});
