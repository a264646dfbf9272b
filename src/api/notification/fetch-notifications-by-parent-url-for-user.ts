import Type from 'typebox';
import { NotificationsResponse } from '../../schema/social/notification.js';
import { commaSeparated } from '../http/comma-separated.js';
import { operation } from '../operation.js';
import { experimentalHeader } from '../http/parameter.js';
import { answerNotifications, notificationQuery } from './notification-list.js';

const ID = 'fetch-notifications-by-parent-url-for-user';

export const fetchNotificationsByParentUrlForUser = operation({
  id: ID,
  method: 'GET',
  path: '/v2/social/notifications/parent_url/',
  tags: ['Notifications'],
  summary: 'List the notifications of a user about casts below some parent URLs.',
  family: 'v2',
  scope: 'read',
  headers: experimentalHeader,
  query: Type.Object({
    ...notificationQuery,
    // The contract sets no bound here; other lists of ids have this one.
    parent_urls: commaSeparated(Type.String(), { maxItems: 100 }),
  }),
  response: NotificationsResponse,
  errors: [400],
  read: ({ query, caller }, read, services) => {
    const { parent_urls: parentUrls } = query;
    return answerNotifications(
      { read, ...services },
      { operationId: ID, query, caller, parentUrls, place: parentUrls },
    );
  },
});
