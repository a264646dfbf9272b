import Type from 'typebox';
import { notFound } from '../../error.js';
import { hydrateAccounts } from '../../hydrate/account.js';
import { hydrateChannels } from '../../hydrate/page.js';
import { Fid } from '../../schema/fid.js';
import { UsersActiveChannelsResponse } from '../../schema/social/channel.js';
import { selectActiveChannels } from '../../store/channel/list.js';
import { viewChannelList } from '../../view/channel/channel-page.js';
import { listOperation } from '../page/list-operation.js';
import { timeKey } from './channel-query.js';

export const fetchUsersActiveChannels = listOperation({
  id: 'fetch-users-active-channels',
  path: '/v2/social/channel/user/',
  tags: ['Channel'],
  title: 'List channels a user casts in',
  summary: 'List the channels in which a user has cast, the latest cast first; replies count.',
  cost: { each: 2, of: 'limit' },
  query: { fid: Fid },
  limit: Type.Integer({ format: 'int32', minimum: 1, maximum: 100, default: 20 }),
  parameters: { fid: { description: 'The account whose casts are looked at.', example: 1 } },
  response: UsersActiveChannelsResponse,
  errors: [400, 404],
  sortKey: timeKey,
  filters: async ({ query: { fid }, caller: { appId } }, read) => {
    const accounts = await hydrateAccounts(read, [fid]);
    if (!accounts.has(fid)) throw notFound(`Nobody has the FID ${fid}.`, 'fid');
    return { fid, appId };
  },
  select: (read, filters, { after, limit }) => selectActiveChannels(read, filters, after, limit),
  keyOf: (row) => row,
  view: async (rows, cursor, _, read) => {
    const ids = rows.map(({ id }) => id);
    return viewChannelList(ids, await hydrateChannels(read, ids), cursor);
  },
});
