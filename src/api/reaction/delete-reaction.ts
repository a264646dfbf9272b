import { MessageType } from '@farcaster/core';
import { EXAMPLE_HASH, EXAMPLE_SIGNER_UUID } from '../../schema/example.js';
import { OperationResponse } from '../../schema/operation.js';
import { ReactionReqBody } from '../../schema/social/reaction.js';
import { operation } from '../http/operation.js';
import { writeReaction } from './write-reaction.js';

const ID = 'delete-reaction';

export const deleteReaction = operation({
  id: ID,
  method: 'DELETE',
  path: '/v2/social/reaction/',
  tags: ['Reaction'],
  title: 'Remove a like or recast',
  summary: 'Take back a like or a recast; what was never liked is no error.',
  cost: { fixed: 10 },
  body: ReactionReqBody,
  bodyExample: {
    signer_uuid: EXAMPLE_SIGNER_UUID,
    reaction_type: 'like',
    target: EXAMPLE_HASH.reply,
    target_author_fid: 2,
  },
  response: OperationResponse,
  errors: [400, 403, 404, 409, 500, 504],
  handle: ({ body, caller }, services) =>
    writeReaction(
      { operation: ID, type: MessageType.REACTION_REMOVE, permission: 'DELETE_REACTION', appId: caller.appId, body },
      services,
    ),
});
