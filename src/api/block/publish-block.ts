import { MessageType } from '@farcaster/core';
import { EXAMPLE_SIGNER_UUID } from '../../schema/example.js';
import { OperationResponse } from '../../schema/operation.js';
import { BlockReqBody } from '../../schema/social/block.js';
import { operation } from '../http/operation.js';
import { writeBlock } from './write-block.js';

export const publishBlock = operation({
  id: 'publish-block',
  method: 'POST',
  path: '/v2/social/block/',
  tags: ['Block'],
  title: 'Block a user',
  summary: 'Block a user: a message of the protocol, which every app can see.',
  cost: { fixed: 10 },
  body: BlockReqBody,
  bodyExample: { signer_uuid: EXAMPLE_SIGNER_UUID, blocked_fid: 299 },
  response: OperationResponse,
  errors: [400, 404, 409, 500, 504],
  handle: ({ body, caller }, services) => writeBlock(MessageType.LINK_ADD, caller.appId, body, services),
});
