import { MessageType } from '@farcaster/core';
import { EXAMPLE_HASH, EXAMPLE_SIGNER_UUID } from '../../schema/example.js';
import { OperationResponse } from '../../schema/operation.js';
import { ReactionReqBody } from '../../schema/social/reaction.js';
import { operation } from '../http/operation.js';
import { writeReaction } from './write-reaction.js';

const ID = 'publish-reaction';

export const publishReaction = operation({
  id: ID,
  method: 'POST',
  path: '/v2/social/reaction/',
  tags: ['Reaction'],
  title: 'Like or recast',
  summary: 'Like or recast a cast or a URL; what is liked already stays so.',
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
      { operation: ID, type: MessageType.REACTION_ADD, permission: 'PUBLISH_REACTION', appId: caller.appId, body },
      services,
    ),
});
