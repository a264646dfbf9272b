import { MessageType } from '@farcaster/core';
import Type from 'typebox';
import { HubCastsResponse } from '../../schema/hub-cast.js';
import { selectMessagesByAuthor } from '../../store/hub-message-page.js';
import { operation } from '../operation.js';
import { messagePage } from './message-page.js';
import { messagePageOf, pageQuery } from './page-query.js';
import { fidQuery } from './parameter.js';
import { HUB_UNITS } from './unit.js';

/** Casts all have the same subtype. */
const SUBTYPES = [0];

export const hubFetchUsersCasts = operation({
  id: 'hub-fetch-users-casts',
  method: 'GET',
  path: '/v1/castsByFid',
  tags: ['Hub Casts'],
  summary: 'List the cast messages of a FID.',
  family: 'hub',
  scope: 'read',
  units: HUB_UNITS.list,
  query: Type.Object({ fid: fidQuery, ...pageQuery }),
  response: HubCastsResponse,
  errors: [400],
  handle: async ({ query }, services) => {
    const page = messagePageOf(query);
    const found = await selectMessagesByAuthor(services.db, query.fid, MessageType.CAST_ADD, SUBTYPES, page);
    return messagePage(services, found, query);
  },
});
