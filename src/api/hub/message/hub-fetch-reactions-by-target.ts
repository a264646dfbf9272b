import Type from 'typebox';
import { reactionTypeNames } from '../../../protocol/hub-json/enum.js';
import { urlDigest } from '../../../protocol/url-digest.js';
import { HubReactionsResponse } from '../../../schema/hub/reaction.js';
import { operation } from '../../http/operation.js';
import { messagePageQuery } from '../page-query.js';
import { ALL_REACTION_TYPES, enumOf, reactionTypeQuery } from '../parameter.js';
import { reactionsByTarget } from './list.js';
import { renderMessagePage } from './page.js';

export const hubFetchReactionsByTarget = operation({
  id: 'hub-fetch-reactions-by-target',
  path: '/v1/reactionsByTarget',
  tags: ['Hub Reactions'],
  title: 'List reaction messages on a URL',
  summary: 'List reaction messages on a target URL.',
  cost: { fixed: 200 },
  query: Type.Object({
    url: Type.String({ minLength: 1, description: 'Target URL starting with chain://.' }),
    reaction_type: Type.Optional(reactionTypeQuery),
    ...messagePageQuery,
  }),
  parameters: {
    url: { example: 'chain://eip155:8453/erc721:0x51b1a7d6c6e2b9a4c3d0f58e9273a46b8d105e2c' },
    reaction_type: {
      description: 'The kind of reaction: a like or a recast, by its name or by its number (1 or 2). Both when absent.',
      example: '1',
    },
  },
  response: HubReactionsResponse,
  read: async ({ query }, read) => {
    const { reaction_type: type } = query;
    const types = type === undefined ? ALL_REACTION_TYPES : [enumOf(type, 'reaction_type', reactionTypeNames)];
    const target = { fid: 0, hash: urlDigest(query.url) };
    return renderMessagePage(read, await reactionsByTarget(read, target, types, query));
  },
});
