import Type from 'typebox';
import { invalidField } from '../../error.js';
import { FeedResponse } from '../../schema/social/feed.js';
import { selectCastsByText } from '../../store/query/cast-search.js';
import { selectTopicQuery } from '../../store/topic/topic.js';
import { SLUG } from '../../topic/term.js';
import { readSearchQuery } from '../cast/search-query.js';
import { operation } from '../http/operation.js';
import { experimentalHeader } from '../http/parameter.js';
import { feedQuery, respondWithFeed, withRecasts } from './feed-page.js';

const ID = 'fetch-feed-by-topic';
const END_OF_TIME = 2_147_483_647;

export const fetchFeedByTopic = operation({
  id: ID,
  path: '/v2/social/feed/topic/',
  tags: ['Feed'],
  summary: 'Read the casts that name a trending topic, latest first; topics of the last seven days can be read.',
  headers: experimentalHeader,
  query: Type.Object({
    slug: Type.String({
      description: 'As `list-trending-topics` shows it: lower-case letters, digits and underscores.',
    }),
    with_recasts: withRecasts,
    ...feedQuery(),
  }),
  response: FeedResponse,
  errors: [400, 500],
  read: (request, read, services) => {
    const { slug, with_recasts } = request.query;
    if (!SLUG.test(slug)) {
      throw invalidField('slug', 'slug may have lower-case letters, digits and underscores only');
    }
    return respondWithFeed(ID, request, { read, ...services }, { slug, with_recasts }, async (inner, page) => {
      const query = await selectTopicQuery(inner, slug);
      if (query === undefined) return [];
      const { words } = readSearchQuery(query);
      const everything = {
        order: 'desc_chron',
        authorFid: null,
        parentUrls: null,
        from: 0,
        until: END_OF_TIME,
      } as const;
      return selectCastsByText(inner, { words, ...everything }, page);
    });
  },
});
