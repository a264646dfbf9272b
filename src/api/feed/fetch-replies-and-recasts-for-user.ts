import Type from 'typebox';
import { Fid } from '../../schema/fid.js';
import { FeedResponse } from '../../schema/social/feed.js';
import { stringEnum } from '../../schema/string-enum.js';
import { selectAccountFeed } from '../../store/query/feed-account.js';
import { operation } from '../http/operation.js';
import { feedQuery, respondWithFeed } from './feed-page.js';

const ID = 'fetch-replies-and-recasts-for-user';

export const fetchRepliesAndRecastsForUser = operation({
  id: ID,
  path: '/v2/social/feed/user/replies_and_recasts/',
  tags: ['Feed'],
  summary: 'List recent replies and recasts of a user, latest first.',
  query: Type.Object({
    fid: Fid,
    filter: stringEnum(['replies', 'recasts', 'all'], { default: 'all' }),
    ...feedQuery(50),
  }),
  response: FeedResponse,
  read: (request, read, services) => {
    const { fid, filter } = request.query;
    const feed = {
      casts: filter === 'recasts' ? 'none' : 'replies',
      recasts: filter !== 'replies',
    } as const;
    return respondWithFeed(ID, request, { read, ...services }, { fid, filter }, (_, page, horizon) =>
      selectAccountFeed(read, [fid], feed, page, horizon),
    );
  },
});
