import Type from 'typebox';
import { NotificationsResponse } from '../../schema/social/notification.js';
import { channelUrls } from '../feed/channel-url.js';
import { commaSeparated } from '../http/comma-separated.js';
import { operation } from '../http/operation.js';
import { experimentalHeader } from '../http/parameter.js';
import { notificationQuery, respondWithNotifications } from './notification-list.js';

const ID = 'fetch-channel-notifications-for-user';

export const fetchChannelNotificationsForUser = operation({
  id: ID,
  path: '/v2/social/notifications/channel/',
  tags: ['Notifications'],
  summary: 'List the notifications of a user about casts in some channels; unknown channels hold none.',
  headers: experimentalHeader,
  query: Type.Object({
    ...notificationQuery,
    // The contract sets no limit here; this is the limit of its other lists of ids.
    channel_ids: commaSeparated(Type.String(), { maxItems: 100 }),
  }),
  response: NotificationsResponse,
  read: async ({ query, caller }, read, services) => {
    const place = query.channel_ids;
    const parentUrls = await channelUrls(read, place);
    return respondWithNotifications({ read, ...services }, { operationId: ID, query, caller, parentUrls, place });
  },
});
