import { DAY_SECONDS } from '../../duration.js';
import { Fid } from '../../schema/fid.js';
import { FeedResponse } from '../../schema/social/feed.js';
import { selectFeedForYou, selectFollowsAnything } from '../../store/feed/for-you.js';
import { experimentalHeader } from '../http/parameter.js';
import { feedOperation, ignoredProvider } from './feed-operation.js';
import { selectTrending } from './trending-feed.js';

/** Seconds that casts may be old. */
const PERIOD = 7 * DAY_SECONDS;

export const fetchFeedForYou = feedOperation({
  id: 'fetch-feed-for-you',
  path: '/v2/social/feed/for_you/',
  tags: ['Feed'],
  title: 'Get the feed for a user',
  summary: 'Own extension: rank recent casts of what a user follows, and of accounts that those it follows follow.',
  cost: { each: 4, of: 'limit' },
  headers: experimentalHeader,
  query: { fid: Fid, provider: ignoredProvider },
  maximum: 50,
  parameters: {
    fid: {
      description: 'The account whose feed it is; for one that follows no account and no channel, what is trending.',
      example: 1,
    },
  },
  response: FeedResponse,
  filters: ({ query: { fid } }) => ({ fid }),
  select: async (read, { fid }, place) => {
    const period = { start: place.horizon - PERIOD, horizon: place.horizon };
    if (await selectFollowsAnything(read, fid, period)) return selectFeedForYou(read, fid, period, place);
    const audience = { ...place.audience, viewer: place.audience.viewer ?? fid };
    return selectTrending(read, { window: '24h', parentUrls: null }, { ...place, audience });
  },
});
