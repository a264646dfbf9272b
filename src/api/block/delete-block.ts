import { MessageType } from '@farcaster/core';
import { EXAMPLE_SIGNER_UUID } from '../../schema/example.js';
import { OperationResponse } from '../../schema/operation.js';
import { BlockReqBody } from '../../schema/social/block.js';
import { operation } from '../http/operation.js';
import { writeBlock } from './write-block.js';

export const deleteBlock = operation({
  id: 'delete-block',
  method: 'DELETE',
  path: '/v2/social/block/',
  tags: ['Block'],
  title: 'Unblock a user',
  summary: 'Take a block back; what was never blocked is no error.',
  cost: { fixed: 10 },
  body: BlockReqBody,
  bodyExample: { signer_uuid: EXAMPLE_SIGNER_UUID, blocked_fid: 299 },
  response: OperationResponse,
  errors: [400, 404, 409, 500, 504],
  handle: ({ body, caller }, services) => writeBlock(MessageType.LINK_REMOVE, caller.appId, body, services),
});
