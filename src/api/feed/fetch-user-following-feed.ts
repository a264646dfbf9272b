import Type from 'typebox';
import { Fid } from '../../schema/fid.js';
import { FeedResponse } from '../../schema/social/feed.js';
import { operation } from '../http/operation.js';
import { experimentalHeader } from '../http/parameter.js';
import { feedQuery, respondWithFeed, withRecasts } from './feed-page.js';
import { followingFeed } from './following-feed.js';

const ID = 'fetch-user-following-feed';

export const fetchUserFollowingFeed = operation({
  id: ID,
  path: '/v2/social/feed/following/',
  tags: ['Feed'],
  summary: 'Read what the accounts a user follows wrote and recast, latest first.',
  headers: experimentalHeader,
  query: Type.Object({ fid: Fid, ...feedQuery(), with_recasts: withRecasts }),
  response: FeedResponse,
  read: (request, read, services) => {
    const { fid, with_recasts } = request.query;
    return respondWithFeed(ID, request, { read, ...services }, { fid, with_recasts }, followingFeed(fid, with_recasts));
  },
});
