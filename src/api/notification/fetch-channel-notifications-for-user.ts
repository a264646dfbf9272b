import Type from 'typebox';
import { Fid } from '../../schema/fid.js';
import { channelUrls } from '../feed/channel-url.js';
import { commaSeparated } from '../http/comma-separated.js';
import { notificationOperation } from './notification-operation.js';

export const fetchChannelNotificationsForUser = notificationOperation({
  id: 'fetch-channel-notifications-for-user',
  path: '/v2/social/notifications/channel/',
  title: 'List notifications from channels',
  summary: 'List the notifications of a user about casts in some channels; unknown channels hold none.',
  // The contract sets no limit here; this is the limit of its other lists of ids.
  query: { fid: Fid, channel_ids: commaSeparated(Type.String(), { maxItems: 100 }) },
  parameters: {
    channel_ids: {
      description: 'Channels that the notifications are from, separated by commas.',
      example: 'dev,music',
    },
  },
  chosen: ({ fid, channel_ids }) => ({ fid, places: channel_ids }),
  parentUrls: channelUrls,
});
