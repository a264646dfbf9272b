import { Fid } from '../../schema/fid.js';
import { FeedResponse } from '../../schema/social/feed.js';
import { stringEnum } from '../../schema/string-enum.js';
import { selectAccountFeed } from '../../store/query/feed-account.js';
import { feedOperation } from './feed-operation.js';

export const fetchRepliesAndRecastsForUser = feedOperation({
  id: 'fetch-replies-and-recasts-for-user',
  path: '/v2/social/feed/user/replies_and_recasts/',
  tags: ['Feed'],
  title: "List a user's replies and recasts",
  summary: 'List recent replies and recasts of a user, latest first.',
  cost: { each: 4, of: 'limit' },
  query: { fid: Fid, filter: stringEnum(['replies', 'recasts', 'all'], { default: 'all' }) },
  maximum: 50,
  parameters: {
    fid: { description: 'The account whose replies and recasts are listed.', example: 1 },
    filter: { description: 'Keeps `replies` or `recasts` alone.' },
  },
  response: FeedResponse,
  filters: ({ query: { fid, filter } }) => ({ fid, filter }),
  select: (read, { fid, filter }, place) => {
    const feed = { casts: filter === 'recasts' ? 'none' : 'replies', recasts: filter !== 'replies' } as const;
    return selectAccountFeed(read, [fid], feed, place, place.horizon);
  },
});
