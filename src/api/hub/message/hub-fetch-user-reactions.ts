import { MessageType } from '@farcaster/core';
import Type from 'typebox';
import { reactionTypeNames } from '../../../protocol/hub-json/enum.js';
import { HubReactionsResponse } from '../../../schema/hub/reaction.js';
import { selectMessagesByAuthor } from '../../../store/hub/message-page.js';
import { operation } from '../../http/operation.js';
import { messagePageOf, messagePageQuery } from '../page-query.js';
import { enumOf, fidQuery, reactionTypeQuery } from '../parameter.js';
import { messagePage } from './page.js';

export const hubFetchUserReactions = operation({
  id: 'hub-fetch-user-reactions',
  path: '/v1/reactionsByFid',
  tags: ['Hub Reactions'],
  summary: 'List reaction messages of a FID.',
  query: Type.Object({ fid: fidQuery, reaction_type: reactionTypeQuery, ...messagePageQuery }),
  response: HubReactionsResponse,
  read: async ({ query }, read) => {
    const types = [enumOf(query.reaction_type, 'reaction_type', reactionTypeNames)];
    const page = messagePageOf(query);
    const found = await selectMessagesByAuthor(read, query.fid, MessageType.REACTION_ADD, types, page);
    return messagePage(read, found, query);
  },
});
