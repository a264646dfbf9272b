import Type from 'typebox';
import { reactionTypeNames } from '../../../protocol/hub-json/enum.js';
import { HubReactionsResponse } from '../../../schema/hub/reaction.js';
import { operation } from '../../http/operation.js';
import { messagePageQuery } from '../page-query.js';
import { enumOf, fidQuery, reactionTypeQuery } from '../parameter.js';
import { AUTHOR_TEXT, REACTION_TYPE_TEXT } from '../parameter-text.js';
import { reactionsByAuthor } from './list.js';
import { renderMessagePage } from './page.js';

export const hubFetchUserReactions = operation({
  id: 'hub-fetch-user-reactions',
  path: '/v1/reactionsByFid',
  tags: ['Hub Reactions'],
  title: 'List reaction messages of an account',
  summary: 'List reaction messages of a FID.',
  cost: { fixed: 200 },
  query: Type.Object({ fid: fidQuery, reaction_type: reactionTypeQuery, ...messagePageQuery }),
  parameters: { fid: AUTHOR_TEXT, reaction_type: REACTION_TYPE_TEXT },
  response: HubReactionsResponse,
  read: async ({ query }, read) => {
    const types = [enumOf(query.reaction_type, 'reaction_type', reactionTypeNames)];
    return renderMessagePage(read, await reactionsByAuthor(read, query.fid, types, query));
  },
});
