import Type from 'typebox';
import { FeedResponse } from '../../schema/social/feed.js';
import { selectPlaceCasts } from '../../store/query/feed.js';
import { commaSeparated } from '../http/comma-separated.js';
import { operation } from '../operation.js';
import { experimentalHeader } from '../http/parameter.js';
import { answerFeed, feedQuery, withRecasts, withReplies } from './feed-page.js';

const ID = 'fetch-feed-by-parent-urls';

export const fetchFeedByParentUrls = operation({
  id: ID,
  method: 'GET',
  path: '/v2/social/feed/parent_urls/',
  tags: ['Feed'],
  summary: 'Read the casts under some parent URLs, latest first.',
  family: 'v2',
  scope: 'read',
  headers: experimentalHeader,
  query: Type.Object({
    // The contract sets no bound here; each URL is a list of its own to merge.
    parent_urls: commaSeparated(Type.String({ minLength: 1 }), { maxItems: 100 }),
    ...feedQuery(),
    with_recasts: withRecasts,
    with_replies: withReplies,
  }),
  response: FeedResponse,
  errors: [400],
  read: (request, read, services) => {
    const { with_recasts, with_replies } = request.query;
    const urls = [...new Set(request.query.parent_urls)].sort();
    return answerFeed(ID, request, { read, ...services }, { urls, with_recasts, with_replies }, (_, page) =>
      selectPlaceCasts(
        read,
        { parentUrls: urls, withReplies: with_replies, likedByLead: false, membersOnly: false },
        page,
      ),
    );
  },
});
