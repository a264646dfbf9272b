import Type from 'typebox';
import { notificationRecord } from '../../miniapp/notification-record.js';
import { AppHostNotificationsResponse } from '../../schema/miniapp/notification.js';
import { selectHostNotifications } from '../../store/host-notification.js';
import { type CursorList, decodeCursor, encodeCursor } from '../http/cursor.js';
import { operation } from '../operation.js';

const ID = 'app-host-get-user-notifications';
const sortKey = Type.Object({ at: Type.Integer(), id: Type.String({ format: 'uuid' }) });
const list: CursorList<typeof sortKey> = { operationId: ID, sortKey };

export const appHostGetUserNotifications = operation({
  id: ID,
  method: 'GET',
  path: '/v2/social/app_host/user/notifications/',
  tags: ['App Host'],
  summary: 'List what mini apps told a user of this app host in the last 30 days, newest first; own extension.',
  family: 'v2',
  scope: 'host',
  query: Type.Object({
    fid: Type.Integer({ minimum: 1 }),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 25 }),
    cursor: Type.Optional(Type.String()),
  }),
  response: AppHostNotificationsResponse,
  errors: [400, 500],
  handle: async ({ query: { fid, limit, cursor }, caller: { appId } }, { db, clock, cursorKey }) => {
    const filters = { appId, fid };
    const before = decodeCursor(cursorKey, list, filters, cursor);
    const rows = await selectHostNotifications(db, filters, { after: before?.sortKey, limit: limit + 1 });
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    return {
      notifications: shown.map(notificationRecord),
      next: {
        cursor: last
          ? encodeCursor(cursorKey, list, filters, {
              firstPageTime: before?.firstPageTime ?? clock(),
              sortKey: { at: last.createdAt.getTime(), id: last.id },
            })
          : null,
      },
    };
  },
});
