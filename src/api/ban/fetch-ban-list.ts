import Type from 'typebox';
import { hydrateUsers } from '../../hydrate/page.js';
import { BanListResponse } from '../../schema/social/ban.js';
import { selectBans } from '../../store/query/ban.js';
import { viewBans } from '../../view/account-mark.js';
import { createChronologicalList } from '../http/chronological-list.js';
import { operation } from '../http/operation.js';
import { experimentalHeader } from '../http/parameter.js';

const ID = 'fetch-ban-list';

export const fetchBanList = operation({
  id: ID,
  path: '/v2/social/ban/list/',
  tags: ['Ban'],
  summary: 'List the bans of the calling app, newest first.',
  headers: experimentalHeader,
  query: Type.Object({
    limit: Type.Integer({ format: 'int32', minimum: 1, maximum: 100, default: 20 }),
    cursor: Type.Optional(Type.String()),
  }),
  response: BanListResponse,
  errors: [400, 404, 500],
  read: async ({ query, caller }, read, services) => {
    const list = createChronologicalList({ ...services, read }, ID, query, { appId: caller.appId });
    const { rows, cursor } = list.cut(await selectBans(read, caller.appId, list.after, list.limit));
    const fids = rows.map(({ fid }) => fid);
    const page = await hydrateUsers(read, fids, { listed: fids });
    return viewBans(rows, cursor, page);
  },
});
