import Type from 'typebox';
import { notFound } from '../../../error.js';
import { reactionTypeNames } from '../../../protocol/hub-json/enum.js';
import { HubReaction } from '../../../schema/hub/reaction.js';
import { operation } from '../../http/operation.js';
import { bytesOf, enumOf, fidQuery, hashQuery, reactionTypeQuery } from '../parameter.js';
import { HASH_TEXT, REACTION_TYPE_TEXT } from '../parameter-text.js';
import { singleMessage } from './page.js';
import { findReaction } from './single.js';

export const hubLookupReactionById = operation({
  id: 'hub-lookup-reaction-by-id',
  path: '/v1/reactionById',
  tags: ['Hub Reactions'],
  title: 'Get a reaction message',
  summary: 'Read one reaction message.',
  cost: { fixed: 2 },
  query: Type.Object({
    fid: fidQuery,
    target_fid: fidQuery,
    target_hash: hashQuery,
    reaction_type: reactionTypeQuery,
  }),
  parameters: {
    fid: { description: 'The account that reacted.', example: 2 },
    target_fid: { description: 'The author of the cast that was reacted to.', example: 1 },
    target_hash: HASH_TEXT,
    reaction_type: REACTION_TYPE_TEXT,
  },
  response: HubReaction,
  errors: [400, 404],
  read: async ({ query }, read) => {
    const envelope = await findReaction(read, query.fid, {
      type: enumOf(query.reaction_type, 'reaction_type', reactionTypeNames),
      targetCastId: { fid: query.target_fid, hash: bytesOf(query.target_hash, 'target_hash', 20) },
    });
    if (envelope === undefined) throw notFound(`Fid ${query.fid} has no such reaction to this cast.`, 'target_hash');
    return singleMessage(read, envelope);
  },
});
