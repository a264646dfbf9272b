import Type from 'typebox';
import { NotificationFilterType, NotificationsResponse } from '../../schema/social/notification.js';
import { commaSeparated } from '../http/comma-separated.js';
import { operation } from '../http/operation.js';
import { experimentalHeader } from '../http/parameter.js';
import { notificationQuery, respondWithNotifications } from './notification-list.js';

const ID = 'fetch-all-notifications';

export const fetchAllNotifications = operation({
  id: ID,
  path: '/v2/social/notifications/',
  tags: ['Notifications'],
  summary: 'List the notifications of a user: follows by day, likes and recasts by cast, mentions, replies, quotes.',
  headers: experimentalHeader,
  query: Type.Object({
    ...notificationQuery,
    type: Type.Optional(commaSeparated(NotificationFilterType, { repeatable: true })),
  }),
  response: NotificationsResponse,
  read: ({ query, caller }, read, services) =>
    respondWithNotifications({ read, ...services }, { operationId: ID, query, caller, kinds: query.type }),
});
