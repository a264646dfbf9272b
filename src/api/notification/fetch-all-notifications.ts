import Type from 'typebox';
import { NotificationFilterType, NotificationsResponse } from '../../schema/social/notification.js';
import { commaSeparated } from '../http/comma-separated.js';
import { operation } from '../operation.js';
import { experimentalHeader } from '../http/parameter.js';
import { answerNotifications, notificationQuery } from './notification-list.js';

const ID = 'fetch-all-notifications';

export const fetchAllNotifications = operation({
  id: ID,
  method: 'GET',
  path: '/v2/social/notifications/',
  tags: ['Notifications'],
  summary: 'List what a user must hear about: follows by day, likes and recasts by cast, mentions, replies, quotes.',
  family: 'v2',
  scope: 'read',
  headers: experimentalHeader,
  query: Type.Object({
    ...notificationQuery,
    type: Type.Optional(commaSeparated(NotificationFilterType, { repeatable: true })),
  }),
  response: NotificationsResponse,
  errors: [400],
  read: ({ query, caller }, read, services) =>
    answerNotifications({ read, ...services }, { operationId: ID, query, caller, kinds: query.type }),
});
