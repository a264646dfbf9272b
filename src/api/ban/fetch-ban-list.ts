import Type from 'typebox';
import { hydrateUsers } from '../../hydrate/page.js';
import { BanListResponse } from '../../schema/social/ban.js';
import { selectBans } from '../../store/query/ban.js';
import { viewBans } from '../../view/account-mark.js';
import { experimentalHeader } from '../http/parameter.js';
import { chronologicalKey, chronologicalKeyOf, listOperation } from '../page/list-operation.js';

export const fetchBanList = listOperation({
  id: 'fetch-ban-list',
  path: '/v2/social/ban/list/',
  tags: ['Ban'],
  title: 'List banned users',
  summary: 'List the bans of the calling app, newest first.',
  cost: { each: 2, of: 'limit' },
  needsApp: true,
  headers: experimentalHeader,
  query: {},
  limit: Type.Integer({ format: 'int32', minimum: 1, maximum: 100, default: 20 }),
  response: BanListResponse,
  errors: [400, 404, 500],
  sortKey: chronologicalKey,
  filters: ({ caller }) => ({ appId: caller.appId }),
  isUncached: true,
  select: (read, { appId }, { after, limit }) => selectBans(read, appId, after, limit),
  keyOf: chronologicalKeyOf,
  view: async (rows, cursor, _, read) => {
    const fids = rows.map(({ fid }) => fid);
    return viewBans(rows, cursor, await hydrateUsers(read, fids, { listed: fids }));
  },
});
