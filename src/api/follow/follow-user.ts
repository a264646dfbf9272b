import { MessageType } from '@farcaster/core';
import { BulkFollowResponse, FollowReqBody } from '../../schema/social/follow.js';
import { operation } from '../http/operation.js';
import { writeFollows } from './write-follow.js';

export const followUser = operation({
  id: 'follow-user',
  method: 'POST',
  path: '/v2/social/user/follow/',
  tags: ['User'],
  summary: 'Follow 1 to 100 users; each is answered for itself.',
  body: FollowReqBody,
  response: BulkFollowResponse,
  errors: [400, 403, 404, 409, 500, 504],
  handle: ({ body, caller }, services) =>
    writeFollows({ type: MessageType.LINK_ADD, permission: 'FOLLOW_USER', appId: caller.appId, body }, services),
});
