import Type from 'typebox';
import { FeedResponse } from '../../schema/social/feed.js';
import { withSpellings } from '../../store/channel/spelling.js';
import { selectCastsByParentUrls } from '../../store/query/feed.js';
import { commaSeparated } from '../http/comma-separated.js';
import { operation } from '../http/operation.js';
import { experimentalHeader } from '../http/parameter.js';
import { feedQuery, respondWithFeed, withRecasts, withReplies } from './feed-page.js';

const ID = 'fetch-feed-by-parent-urls';

export const fetchFeedByParentUrls = operation({
  id: ID,
  path: '/v2/social/feed/parent_urls/',
  tags: ['Feed'],
  summary: 'Read the casts under some parent URLs, latest first.',
  headers: experimentalHeader,
  query: Type.Object({
    // The contract sets no limit here; each URL is a separate list to merge.
    parent_urls: commaSeparated(Type.String({ minLength: 1 }), { maxItems: 100 }),
    ...feedQuery(),
    with_recasts: withRecasts,
    with_replies: withReplies,
  }),
  response: FeedResponse,
  read: (request, read, services) => {
    const { with_recasts, with_replies } = request.query;
    const urls = [...new Set(request.query.parent_urls)].sort();
    return respondWithFeed(
      ID,
      request,
      { read, ...services },
      { urls, with_recasts, with_replies },
      async (_, page) => {
        const parentUrls = await withSpellings(read, urls);
        const places = { parentUrls, withReplies: with_replies, likedByLead: false, membersOnly: false };
        return selectCastsByParentUrls(read, places, page);
      },
    );
  },
});
