import Type from 'typebox';
import { Fid } from '../../schema/fid.js';
import { FollowersResponse } from '../../schema/social/follow.js';
import { stringEnum } from '../../schema/string-enum.js';
import { viewFollowers } from '../../view/follower.js';
import { operation } from '../http/operation.js';
import { experimentalHeader, viewerFid } from '../http/parameter.js';
import { FOLLOW_SORTS, respondWithFollowList } from './follow-list.js';

const id = 'fetch-user-followers';

export const fetchUserFollowers = operation({
  id,
  path: '/v2/social/followers/',
  tags: ['Follows'],
  summary: 'List the followers of a user.',
  headers: experimentalHeader,
  query: Type.Object({
    fid: Fid,
    viewer_fid: viewerFid,
    sort_type: Type.Optional(
      stringEnum(FOLLOW_SORTS, {
        description: 'desc_chron when absent; algorithmic ranks the newest 1,000 by score, older ones follow by time.',
      }),
    ),
    limit: Type.Integer({ format: 'int32', minimum: 1, maximum: 100, default: 20 }),
    cursor: Type.Optional(Type.String()),
  }),
  response: FollowersResponse,
  errors: [400, 500],
  read: ({ query, caller }, read, services) => {
    const { fid, viewer_fid: viewer, sort_type: sort = 'desc_chron', limit, cursor: after } = query;
    return respondWithFollowList(
      { operationId: id, kind: 'followers', fid, viewer, appId: caller.appId, sort, limit, cursor: after },
      { read, ...services },
      viewFollowers,
    );
  },
});
