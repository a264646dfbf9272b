import { MessageType } from '@farcaster/core';
import { OperationResponse } from '../../schema/operation.js';
import { BlockReqBody } from '../../schema/social/block.js';
import { operation } from '../http/operation.js';
import { writeBlock } from './write-block.js';

export const publishBlock = operation({
  id: 'publish-block',
  method: 'POST',
  path: '/v2/social/block/',
  tags: ['Block'],
  summary: 'Block a user: a message of the protocol, which every app can see.',
  body: BlockReqBody,
  response: OperationResponse,
  errors: [400, 404, 409, 500, 504],
  handle: ({ body, caller }, services) => writeBlock(MessageType.LINK_ADD, caller.appId, body, services),
});
