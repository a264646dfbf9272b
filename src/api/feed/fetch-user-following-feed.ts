import Type from 'typebox';
import { FeedResponse } from '../../schema/social/feed.js';
import { Fid } from '../../schema/fid.js';
import { operation } from '../operation.js';
import { experimentalHeader } from '../http/parameter.js';
import { answerFeed, feedQuery, withRecasts } from './feed-page.js';
import { followingFeed } from './following-feed.js';

const ID = 'fetch-user-following-feed';

export const fetchUserFollowingFeed = operation({
  id: ID,
  method: 'GET',
  path: '/v2/social/feed/following/',
  tags: ['Feed'],
  summary: 'Read what the accounts a user follows wrote and recast, latest first.',
  family: 'v2',
  scope: 'read',
  headers: experimentalHeader,
  query: Type.Object({ fid: Fid, ...feedQuery(), with_recasts: withRecasts }),
  response: FeedResponse,
  errors: [400],
  read: (request, read, services) => {
    const { fid, with_recasts } = request.query;
    return answerFeed(ID, request, { read, ...services }, { fid, with_recasts }, followingFeed(fid, with_recasts));
  },
});
