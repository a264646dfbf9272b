import Type from 'typebox';
import { EXAMPLE_CHANNEL_URL } from '../../schema/example.js';
import { Fid } from '../../schema/fid.js';
import { withSpellings } from '../../store/channel/spelling.js';
import { commaSeparated } from '../http/comma-separated.js';
import { notificationOperation } from './notification-operation.js';

export const fetchNotificationsByParentUrlForUser = notificationOperation({
  id: 'fetch-notifications-by-parent-url-for-user',
  path: '/v2/social/notifications/parent_url/',
  title: 'List notifications by parent URL',
  summary: 'List the notifications of a user about casts below some parent URLs.',
  // The contract sets no limit here; this is the limit of its other lists of ids.
  query: { fid: Fid, parent_urls: commaSeparated(Type.String(), { maxItems: 100 }) },
  parameters: {
    parent_urls: { description: 'URLs that the casts stand under, separated by commas.', example: EXAMPLE_CHANNEL_URL },
  },
  chosen: ({ fid, parent_urls }) => ({ fid, places: parent_urls }),
  parentUrls: withSpellings,
});
