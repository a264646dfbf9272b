import Type from 'typebox';
import { Fid } from '../../schema/fid.js';
import { NotificationFilterType } from '../../schema/social/notification.js';
import { commaSeparated } from '../http/comma-separated.js';
import { notificationOperation } from './notification-operation.js';

export const fetchAllNotifications = notificationOperation({
  id: 'fetch-all-notifications',
  path: '/v2/social/notifications/',
  title: 'List notifications',
  summary: 'List the notifications of a user: follows by day, likes and recasts by cast, mentions, replies, quotes.',
  query: { fid: Fid, type: Type.Optional(commaSeparated(NotificationFilterType, { repeatable: true })) },
  parameters: {
    type: {
      description: 'Keeps notifications of these kinds, separated by commas; all kinds when absent.',
      example: 'mentions,replies',
    },
  },
  chosen: ({ fid, type }) => ({ fid, kinds: type }),
});
