import Type from 'typebox';
import { NotificationsResponse } from '../../schema/social/notification.js';
import { withSpellings } from '../../store/channel/spelling.js';
import { commaSeparated } from '../http/comma-separated.js';
import { operation } from '../http/operation.js';
import { experimentalHeader } from '../http/parameter.js';
import { notificationQuery, respondWithNotifications } from './notification-list.js';

const ID = 'fetch-notifications-by-parent-url-for-user';

export const fetchNotificationsByParentUrlForUser = operation({
  id: ID,
  path: '/v2/social/notifications/parent_url/',
  tags: ['Notifications'],
  summary: 'List the notifications of a user about casts below some parent URLs.',
  headers: experimentalHeader,
  query: Type.Object({
    ...notificationQuery,
    // The contract sets no limit here; this is the limit of its other lists of ids.
    parent_urls: commaSeparated(Type.String(), { maxItems: 100 }),
  }),
  response: NotificationsResponse,
  read: async ({ query, caller }, read, services) => {
    const place = query.parent_urls;
    const parentUrls = await withSpellings(read, place);
    return respondWithNotifications({ read, ...services }, { operationId: ID, query, caller, parentUrls, place });
  },
});
