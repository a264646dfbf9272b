import Type from 'typebox';
import { NotificationsResponse } from '../../schema/social/notification.js';
import { selectChannelsById } from '../../store/query/channel.js';
import { commaSeparated } from '../http/comma-separated.js';
import { operation } from '../operation.js';
import { experimentalHeader } from '../http/parameter.js';
import { answerNotifications, notificationQuery } from './notification-list.js';

const ID = 'fetch-channel-notifications-for-user';

export const fetchChannelNotificationsForUser = operation({
  id: ID,
  method: 'GET',
  path: '/v2/social/notifications/channel/',
  tags: ['Notifications'],
  summary: 'List the notifications of a user about casts in some channels; unknown channels hold none.',
  family: 'v2',
  scope: 'read',
  headers: experimentalHeader,
  query: Type.Object({
    ...notificationQuery,
    // The contract sets no bound here; other lists of ids have this one.
    channel_ids: commaSeparated(Type.String(), { maxItems: 100 }),
  }),
  response: NotificationsResponse,
  errors: [400],
  read: async ({ query, caller }, read, services) => {
    const place = query.channel_ids;
    const channels = await selectChannelsById(read, place);
    const parentUrls = channels.map((channel) => channel.parent_url);
    return answerNotifications({ read, ...services }, { operationId: ID, query, caller, parentUrls, place });
  },
});
