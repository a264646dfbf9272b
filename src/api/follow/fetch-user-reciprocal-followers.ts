import Type from 'typebox';
import { Fid } from '../../schema/fid.js';
import { ReciprocalFollowersResponse } from '../../schema/social/follow.js';
import { stringEnum } from '../../schema/string-enum.js';
import { viewReciprocalFollowers } from '../../view/follower.js';
import { operation } from '../http/operation.js';
import { experimentalHeader, viewerFid } from '../http/parameter.js';
import { FOLLOW_SORTS, respondWithFollowList } from './follow-list.js';

const id = 'fetch-user-reciprocal-followers';

export const fetchUserReciprocalFollowers = operation({
  id,
  path: '/v2/social/followers/reciprocal/',
  tags: ['Follows'],
  summary: 'List accounts that a user follows and that follow back; timestamp is when the user followed.',
  headers: experimentalHeader,
  query: Type.Object({
    fid: Fid,
    viewer_fid: viewerFid,
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 25 }),
    cursor: Type.Optional(Type.String()),
    sort_type: stringEnum(FOLLOW_SORTS, {
      default: 'algorithmic',
      description: 'algorithmic ranks by score among the newest 1,000 that the user follows; others follow by time.',
    }),
  }),
  response: ReciprocalFollowersResponse,
  errors: [400, 500],
  read: ({ query, caller }, read, services) => {
    const { fid, viewer_fid: viewer, sort_type: sort, limit, cursor: after } = query;
    return respondWithFollowList(
      { operationId: id, kind: 'reciprocal', fid, viewer, appId: caller.appId, sort, limit, cursor: after },
      { read, ...services },
      viewReciprocalFollowers,
    );
  },
});
