import { MessageType } from '@farcaster/core';
import { EXAMPLE_SIGNER_UUID } from '../../schema/example.js';
import { BulkFollowResponse, FollowReqBody } from '../../schema/social/follow.js';
import { operation } from '../http/operation.js';
import { writeFollows } from './write-follow.js';

export const unfollowUser = operation({
  id: 'unfollow-user',
  method: 'DELETE',
  path: '/v2/social/user/follow/',
  tags: ['User'],
  title: 'Unfollow users',
  summary: 'Stop following 1 to 100 users; each is answered for itself.',
  cost: { each: 10, of: 'target_fids', in: 'body' },
  body: FollowReqBody,
  bodyExample: { signer_uuid: EXAMPLE_SIGNER_UUID, target_fids: [2, 3] },
  response: BulkFollowResponse,
  errors: [400, 403, 404, 409, 500, 504],
  handle: ({ body, caller }, services) =>
    writeFollows({ type: MessageType.LINK_REMOVE, permission: 'UNFOLLOW_USER', appId: caller.appId, body }, services),
});
