import Type from 'typebox';
import { FeedResponse } from '../../schema/social/feed.js';
import { Fid } from '../../schema/fid.js';
import { selectAccountFeed } from '../../store/query/feed-account.js';
import { operation } from '../operation.js';
import { answerFeed, feedQuery } from './feed-page.js';

const ID = 'fetch-replies-and-recasts-for-user';

export const fetchRepliesAndRecastsForUser = operation({
  id: ID,
  method: 'GET',
  path: '/v2/social/feed/user/replies_and_recasts/',
  tags: ['Feed'],
  summary: 'List recent replies and recasts of a user, latest first.',
  family: 'v2',
  scope: 'read',
  query: Type.Object({
    fid: Fid,
    filter: Type.Enum(['replies', 'recasts', 'all'], { type: 'string', default: 'all' }),
    ...feedQuery(50),
  }),
  response: FeedResponse,
  errors: [400],
  read: (request, read, services) => {
    const { fid, filter } = request.query;
    const feed = {
      casts: filter === 'recasts' ? 'none' : 'replies',
      recasts: filter !== 'replies',
    } as const;
    return answerFeed(ID, request, { read, ...services }, { fid, filter }, (_, page, horizon) =>
      selectAccountFeed(read, [fid], feed, page, horizon),
    );
  },
});
