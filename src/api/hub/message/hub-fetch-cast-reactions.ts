import Type from 'typebox';
import { reactionTypeNames } from '../../../protocol/hub-json/enum.js';
import { HubReactionsResponse } from '../../../schema/hub/reaction.js';
import { operation } from '../../http/operation.js';
import { messagePageQuery } from '../page-query.js';
import { bytesOf, enumOf, fidQuery, hashQuery, reactionTypeQuery } from '../parameter.js';
import { HASH_TEXT, REACTION_TYPE_TEXT } from '../parameter-text.js';
import { reactionsByTarget } from './list.js';
import { renderMessagePage } from './page.js';

export const hubFetchCastReactions = operation({
  id: 'hub-fetch-cast-reactions',
  path: '/v1/reactionsByCast',
  tags: ['Hub Reactions'],
  title: 'List reaction messages on a cast',
  summary: 'List reaction messages on a cast.',
  cost: { fixed: 200 },
  query: Type.Object({
    target_fid: fidQuery,
    target_hash: hashQuery,
    reaction_type: reactionTypeQuery,
    ...messagePageQuery,
  }),
  parameters: {
    target_fid: { description: 'The author of the cast that was reacted to.', example: 1 },
    target_hash: HASH_TEXT,
    reaction_type: REACTION_TYPE_TEXT,
  },
  response: HubReactionsResponse,
  read: async ({ query }, read) => {
    const target = { fid: query.target_fid, hash: bytesOf(query.target_hash, 'target_hash', 20) };
    const types = [enumOf(query.reaction_type, 'reaction_type', reactionTypeNames)];
    return renderMessagePage(read, await reactionsByTarget(read, target, types, query));
  },
});
