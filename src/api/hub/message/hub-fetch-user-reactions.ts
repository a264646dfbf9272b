import { MessageType } from '@farcaster/core';
import Type from 'typebox';
import { reactionTypeNames } from '../../../protocol/hub-json/enum.js';
import { HubReactionsResponse } from '../../../schema/hub/reaction.js';
import { selectMessagesByAuthor } from '../../../store/hub/message-page.js';
import { operation } from '../../http/operation.js';
import { messagePageOf, messagePageQuery } from '../page-query.js';
import { enumOf, fidQuery, reactionTypeQuery } from '../parameter.js';
import { AUTHOR_TEXT, REACTION_TYPE_TEXT } from '../parameter-text.js';
import { messagePage } from './page.js';

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
    const page = messagePageOf(query);
    const found = await selectMessagesByAuthor(read, query.fid, MessageType.REACTION_ADD, types, page);
    return messagePage(read, found, query);
  },
});
