import Type from 'typebox';
import { reactionTypeNames } from '../../../protocol/hub-json/enum.js';
import { urlDigest } from '../../../protocol/url-digest.js';
import { HubReactionsResponse } from '../../../schema/hub/reaction.js';
import { selectReactionsByTarget } from '../../../store/hub/message-page.js';
import { operation } from '../../http/operation.js';
import { messagePageOf, messagePageQuery } from '../page-query.js';
import { enumOf, reactionTypeQuery } from '../parameter.js';
import { messagePage } from './page.js';

const ALL_TYPES = [1, 2];

export const hubFetchReactionsByTarget = operation({
  id: 'hub-fetch-reactions-by-target',
  path: '/v1/reactionsByTarget',
  tags: ['Hub Reactions'],
  summary: 'List reaction messages on a target URL.',
  query: Type.Object({
    url: Type.String({ minLength: 1, description: 'Target URL starting with chain://.' }),
    reaction_type: Type.Optional(reactionTypeQuery),
    ...messagePageQuery,
  }),
  response: HubReactionsResponse,
  read: async ({ query }, read) => {
    const { reaction_type: type } = query;
    const types = type === undefined ? ALL_TYPES : [enumOf(type, 'reaction_type', reactionTypeNames)];
    const target = { fid: 0, hash: urlDigest(query.url) };
    const found = await selectReactionsByTarget(read, target, types, messagePageOf(query));
    return messagePage(read, found, query);
  },
});
