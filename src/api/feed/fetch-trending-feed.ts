import Type from 'typebox';
import { invalidField } from '../../error.js';
import { FeedResponse } from '../../schema/social/feed.js';
import { stringEnum } from '../../schema/string-enum.js';
import { withSpellings } from '../../store/channel/spelling.js';
import { experimentalHeader } from '../http/parameter.js';
import { channelUrls } from './channel-url.js';
import { feedOperation, ignoredProvider } from './feed-operation.js';
import { selectTrending, TRENDING_WINDOWS } from './trending-feed.js';

export const fetchTrendingFeed = feedOperation({
  id: 'fetch-trending-feed',
  path: '/v2/social/feed/trending/',
  tags: ['Feed'],
  title: 'Get the trending feed',
  summary:
    'Own extension: list the casts of a period that accounts like, recast and reply to most, newer ones favoured.',
  cost: { each: 4, of: 'limit' },
  headers: experimentalHeader,
  query: {
    time_window: stringEnum(TRENDING_WINDOWS, { default: '24h' }),
    channel_id: Type.Optional(Type.String()),
    parent_url: Type.Optional(Type.String()),
    provider: ignoredProvider,
  },
  standard: 10,
  parameters: {
    time_window: { description: 'How old the casts may be.', example: '24h' },
    channel_id: { description: 'Keeps the casts of this channel.', example: 'dev' },
    parent_url: { description: 'Keeps the casts under this URL; not together with `channel_id`.' },
  },
  response: FeedResponse,
  filters: ({ query: { time_window, channel_id, parent_url } }) => {
    if (channel_id !== undefined && parent_url !== undefined) {
      throw invalidField('channel_id', 'channel_id and parent_url must not both be given');
    }
    return { time_window, channel_id, parent_url };
  },
  select: async (read, { time_window: window, channel_id, parent_url }, place) => {
    if (channel_id !== undefined) {
      return selectTrending(read, { window, parentUrls: await channelUrls(read, [channel_id]) }, place);
    }
    const parentUrls = parent_url === undefined ? null : await withSpellings(read, [parent_url]);
    return selectTrending(read, { window, parentUrls }, place);
  },
});
