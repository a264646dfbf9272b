import Type from 'typebox';
import { notFound } from '../../error.js';
import { hydrateAccounts } from '../../hydrate/account.js';
import { hydrateChannels } from '../../hydrate/page.js';
import { Fid } from '../../schema/fid.js';
import { UsersActiveChannelsResponse } from '../../schema/social/channel.js';
import { selectActiveChannels } from '../../store/channel/list.js';
import { viewChannelList } from '../../view/channel/channel-page.js';
import { openPage } from '../http/cursor.js';
import { operation } from '../http/operation.js';
import { timeKey } from './channel-query.js';

const list = { operationId: 'fetch-users-active-channels', sortKey: timeKey };

export const fetchUsersActiveChannels = operation({
  id: list.operationId,
  path: '/v2/social/channel/user/',
  tags: ['Channel'],
  summary: 'List the channels in which a user has cast, the latest cast first; replies count.',
  query: Type.Object({
    fid: Fid,
    limit: Type.Integer({ format: 'int32', minimum: 1, maximum: 100, default: 20 }),
    cursor: Type.Optional(Type.String()),
  }),
  response: UsersActiveChannelsResponse,
  errors: [400, 404],
  read: async ({ query, caller }, read, { cursorKey }) => {
    const { fid } = query;
    const filters = { fid, appId: caller.appId };
    const [accounts, { rows, cursor }] = await Promise.all([
      hydrateAccounts(read, [fid]),
      read.list([list.operationId, filters, query.limit, query.cursor], async (inner) => {
        const { after, limit, cut } = openPage(cursorKey, list, filters, query, inner.now);
        return cut(await selectActiveChannels(inner, filters, after, limit), (row) => row);
      }),
    ]);
    if (!accounts.has(fid)) throw notFound(`Nobody has the FID ${fid}.`, 'fid');
    const ids = rows.map(({ id }) => id);
    return viewChannelList(ids, await hydrateChannels(read, ids), cursor);
  },
});
