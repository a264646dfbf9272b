import Type from 'typebox';
import { hydrateUsers } from '../../hydrate/page.js';
import { Fid } from '../../schema/fid.js';
import { MuteListResponse } from '../../schema/social/mute.js';
import { selectMutes } from '../../store/query/mute.js';
import { viewMutes } from '../../view/account-mark.js';
import { experimentalHeader } from '../http/parameter.js';
import { chronologicalKey, chronologicalKeyOf, listOperation } from '../page/list-operation.js';

export const fetchMuteList = listOperation({
  id: 'fetch-mute-list',
  path: '/v2/social/mute/list/',
  tags: ['Mute'],
  title: 'List muted users',
  summary: 'List whom a user muted within the calling app, newest mute first.',
  cost: { each: 2, of: 'limit' },
  needsApp: true,
  headers: experimentalHeader,
  query: { fid: Fid },
  limit: Type.Integer({ format: 'int32', minimum: 1, maximum: 100, default: 20 }),
  parameters: { fid: { description: 'The account whose mutes are listed.', example: 1 } },
  response: MuteListResponse,
  errors: [400, 404, 500],
  sortKey: chronologicalKey,
  filters: ({ query, caller }) => ({ fid: query.fid, appId: caller.appId }),
  isUncached: true,
  select: (read, owner, { after, limit }) => selectMutes(read, owner, after, limit),
  keyOf: chronologicalKeyOf,
  view: async (rows, cursor, _, read) => {
    const fids = rows.map(({ fid }) => fid);
    return viewMutes(rows, cursor, await hydrateUsers(read, fids, { listed: fids }));
  },
});
