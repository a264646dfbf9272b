import Type from 'typebox';
import { Fid } from '../../schema/fid.js';
import { FeedResponse } from '../../schema/social/feed.js';
import { operation } from '../http/operation.js';
import { experimentalHeader } from '../http/parameter.js';
import { feedQuery, respondWithFeed, withRecasts } from './feed-page.js';
import { followingFeed, followingReplies } from './following-feed.js';

const ID = 'fetch-user-following-feed';

export const fetchUserFollowingFeed = operation({
  id: ID,
  path: '/v2/social/feed/following/',
  tags: ['Feed'],
  summary: 'Read what the accounts a user follows wrote and recast, latest first; replies on request.',
  headers: experimentalHeader,
  query: Type.Object({ fid: Fid, ...feedQuery(), with_recasts: withRecasts, with_replies: followingReplies }),
  response: FeedResponse,
  read: (request, read, services) => {
    const { fid, with_recasts, with_replies } = request.query;
    const filters = { fid, with_recasts, with_replies };
    const list = followingFeed(fid, with_recasts, with_replies);
    return respondWithFeed(ID, request, { read, ...services }, filters, list);
  },
});
