import { MessageType } from '@farcaster/core';
import { OperationResponse } from '../../schema/operation.js';
import { BlockReqBody } from '../../schema/social/block.js';
import { operation } from '../http/operation.js';
import { writeBlock } from './write-block.js';

export const deleteBlock = operation({
  id: 'delete-block',
  method: 'DELETE',
  path: '/v2/social/block/',
  tags: ['Block'],
  summary: 'Take a block back; what was never blocked is no error.',
  body: BlockReqBody,
  response: OperationResponse,
  errors: [400, 404, 409, 500, 504],
  handle: ({ body, caller }, services) => writeBlock(MessageType.LINK_REMOVE, caller.appId, body, services),
});
