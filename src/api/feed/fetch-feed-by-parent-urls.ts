import Type from 'typebox';
import { EXAMPLE_CHANNEL_URL } from '../../schema/example.js';
import { FeedResponse } from '../../schema/social/feed.js';
import { withSpellings } from '../../store/channel/spelling.js';
import { selectCastsByParentUrls } from '../../store/query/feed.js';
import { commaSeparated } from '../http/comma-separated.js';
import { experimentalHeader } from '../http/parameter.js';
import { feedOperation, withRecasts, withReplies } from './feed-operation.js';

export const fetchFeedByParentUrls = feedOperation({
  id: 'fetch-feed-by-parent-urls',
  path: '/v2/social/feed/parent_urls/',
  tags: ['Feed'],
  title: 'Get a feed by parent URL',
  summary: 'Read the casts under some parent URLs, latest first.',
  cost: { each: 4, of: 'limit' },
  headers: experimentalHeader,
  query: {
    // The contract sets no limit here; each URL is a separate list to merge.
    parent_urls: commaSeparated(Type.String({ minLength: 1 }), { maxItems: 100 }),
    with_recasts: withRecasts,
    with_replies: withReplies,
  },
  parameters: {
    parent_urls: { description: 'URLs that the casts stand under, separated by commas.', example: EXAMPLE_CHANNEL_URL },
  },
  response: FeedResponse,
  filters: ({ query: { parent_urls, with_recasts, with_replies } }) => {
    const urls = [...new Set(parent_urls)].sort();
    return { urls, with_recasts, with_replies };
  },
  select: async (read, { urls, with_replies }, place) => {
    const parentUrls = await withSpellings(read, urls);
    const places = { parentUrls, withReplies: with_replies, likedByLead: false, membersOnly: false };
    return selectCastsByParentUrls(read, places, place);
  },
});
