import Type from 'typebox';
import { HubCastsResponse } from '../../../schema/hub/cast.js';
import { operation } from '../../http/operation.js';
import { messagePageQuery } from '../page-query.js';
import { fidQuery } from '../parameter.js';
import { AUTHOR_TEXT } from '../parameter-text.js';
import { castsByAuthor } from './list.js';
import { renderMessagePage } from './page.js';

export const hubFetchUsersCasts = operation({
  id: 'hub-fetch-users-casts',
  path: '/v1/castsByFid',
  tags: ['Hub Casts'],
  title: 'List cast messages of an account',
  summary: 'List the cast messages of a FID.',
  cost: { fixed: 200 },
  query: Type.Object({ fid: fidQuery, ...messagePageQuery }),
  parameters: { fid: AUTHOR_TEXT },
  response: HubCastsResponse,
  read: async ({ query }, read) => renderMessagePage(read, await castsByAuthor(read, query.fid, query)),
});
