import Type from 'typebox';
import { HubCastsResponse } from '../../../schema/hub/cast.js';
import { operation } from '../../http/operation.js';
import { messagePageQuery } from '../page-query.js';
import { fidQuery } from '../parameter.js';
import { castsByMention } from './list.js';
import { renderMessagePage } from './page.js';

export const hubFetchCastsMentioningUser = operation({
  id: 'hub-fetch-casts-mentioning-user',
  path: '/v1/castsByMention',
  tags: ['Hub Casts'],
  title: 'List cast messages that mention an account',
  summary: 'List cast messages that mention a FID.',
  cost: { fixed: 200 },
  query: Type.Object({ fid: fidQuery, ...messagePageQuery }),
  parameters: { fid: { description: 'The account that is mentioned.', example: 1 } },
  response: HubCastsResponse,
  read: async ({ query }, read) => renderMessagePage(read, await castsByMention(read, query.fid, query)),
});
