import { MessageType } from '@farcaster/core';
import Type from 'typebox';
import { HubCastsResponse } from '../../../schema/hub/cast.js';
import { selectMessagesByAuthor } from '../../../store/hub/message-page.js';
import { operation } from '../../http/operation.js';
import { messagePageOf, messagePageQuery, pageKeyOf } from '../page-query.js';
import { fidQuery } from '../parameter.js';
import { AUTHOR_TEXT } from '../parameter-text.js';
import { cutMessagePage, renderMessagePage } from './page.js';

const ID = 'hub-fetch-users-casts';

/** Casts all have the same subtype. */
const SUBTYPES = [0];

export const hubFetchUsersCasts = operation({
  id: ID,
  path: '/v1/castsByFid',
  tags: ['Hub Casts'],
  title: 'List cast messages of an account',
  summary: 'List the cast messages of a FID.',
  cost: { fixed: 200 },
  query: Type.Object({ fid: fidQuery, ...messagePageQuery }),
  parameters: { fid: AUTHOR_TEXT },
  response: HubCastsResponse,
  read: async ({ query }, read) => {
    const { fid } = query;
    const page = await read.list([ID, fid, ...pageKeyOf(query)], async (inner) => {
      const found = await selectMessagesByAuthor(inner, fid, MessageType.CAST_ADD, SUBTYPES, messagePageOf(query));
      return cutMessagePage(found, query);
    });
    return renderMessagePage(read, page);
  },
});
