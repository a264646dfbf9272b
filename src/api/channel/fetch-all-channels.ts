import Type from 'typebox';
import { hydrateChannels } from '../../hydrate/page.js';
import { ChannelListResponse } from '../../schema/social/channel.js';
import { selectNewestChannels } from '../../store/channel/list.js';
import { viewChannelList } from '../../view/channel/channel-page.js';
import { listOperation } from '../page/list-operation.js';
import { timeKey } from './channel-query.js';

export const fetchAllChannels = listOperation({
  id: 'fetch-all-channels',
  path: '/v2/social/channel/list/',
  tags: ['Channel'],
  title: 'List all channels',
  summary: 'List all channels, newest first.',
  cost: { each: 2, of: 'limit' },
  query: {},
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 20 }),
  response: ChannelListResponse,
  errors: [],
  sortKey: timeKey,
  filters: () => ({}),
  select: (read, _, { after, limit }) => selectNewestChannels(read, after, limit),
  keyOf: (row) => row,
  view: async (rows, cursor, _, read) => {
    const ids = rows.map(({ id }) => id);
    return viewChannelList(ids, await hydrateChannels(read, ids), cursor);
  },
});
