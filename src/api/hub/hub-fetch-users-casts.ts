import { MessageType } from '@farcaster/core';
import Type from 'typebox';
import { HubCastsResponse } from '../../schema/hub-cast.js';
import { selectMessagesByAuthor } from '../../store/hub-message-page.js';
import { feedOf } from '../../store/list-source.js';
import { operation } from '../operation.js';
import { cutMessagePage, renderMessagePage } from './message-page.js';
import { messagePageOf, pageQuery } from './page-query.js';
import { fidQuery } from './parameter.js';

const ID = 'hub-fetch-users-casts';

/** Casts all have the same subtype. */
const SUBTYPES = [0];

/** What a reference and its key take in memory, about. */
const BYTES_PER_REFERENCE = 450;

export const hubFetchUsersCasts = operation({
  id: ID,
  method: 'GET',
  path: '/v1/castsByFid',
  tags: ['Hub Casts'],
  summary: 'List the cast messages of a FID.',
  family: 'hub',
  scope: 'read',
  query: Type.Object({ fid: fidQuery, ...pageQuery }),
  response: HubCastsResponse,
  errors: [400],
  handle: async ({ query }, services) => {
    const { fid, pageSize, reverse, pageToken } = query;
    const part = messagePageOf(query);
    const key = [ID, fid, pageSize, reverse, pageToken];
    const page = await services.lists.read({ key, sources: [feedOf(fid)], now: services.clock() }, async () => {
      const found = await selectMessagesByAuthor(services.db, fid, MessageType.CAST_ADD, SUBTYPES, part);
      return { page: cutMessagePage(found, query), bytes: BYTES_PER_REFERENCE * found.length };
    });
    return renderMessagePage(services, page);
  },
});
