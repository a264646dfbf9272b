import Type from 'typebox';
import { invalidField } from '../../error.js';
import { LATEST_TIME } from '../../protocol/time.js';
import { FeedResponse } from '../../schema/social/feed.js';
import { selectCastsByText } from '../../store/query/cast-search.js';
import { selectTopicQuery } from '../../store/topic/topic.js';
import { SLUG } from '../../topic/term.js';
import { readSearchQuery } from '../cast/search-query.js';
import { experimentalHeader } from '../http/parameter.js';
import { feedOperation, withRecasts } from './feed-operation.js';

export const fetchFeedByTopic = feedOperation({
  id: 'fetch-feed-by-topic',
  path: '/v2/social/feed/topic/',
  tags: ['Feed'],
  title: 'Get a feed by topic',
  summary: 'Read the casts that name a trending topic, latest first; topics of the last seven days can be read.',
  // A search.
  cost: { each: 10, of: 'limit' },
  headers: experimentalHeader,
  query: { slug: Type.String(), with_recasts: withRecasts },
  parameters: {
    slug: {
      description: 'The topic, as `list-trending-topics` shows it: lower-case letters, digits and underscores.',
      example: 'solar_eclipse',
    },
  },
  response: FeedResponse,
  errors: [400, 500],
  filters: ({ query: { slug, with_recasts } }) => {
    if (!SLUG.test(slug)) {
      throw invalidField('slug', 'slug may have lower-case letters, digits and underscores only');
    }
    return { slug, with_recasts };
  },
  select: async (read, { slug }, place) => {
    const query = await selectTopicQuery(read, slug);
    if (query === undefined) return [];
    const { words } = readSearchQuery(query);
    const everything = {
      order: 'desc_chron',
      authorFid: null,
      parentUrls: null,
      from: 0,
      until: LATEST_TIME,
    } as const;
    return selectCastsByText(read, { words, ...everything }, place);
  },
});
