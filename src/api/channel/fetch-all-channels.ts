import Type from 'typebox';
import { hydrateChannels } from '../../hydrate/page.js';
import { ChannelListResponse } from '../../schema/social/channel.js';
import { selectNewestChannels } from '../../store/channel/list.js';
import { viewChannelList } from '../../view/channel/channel-page.js';
import { openPage } from '../http/cursor.js';
import { operation } from '../http/operation.js';
import { timeKey } from './channel-query.js';

const list = { operationId: 'fetch-all-channels', sortKey: timeKey };

export const fetchAllChannels = operation({
  id: list.operationId,
  path: '/v2/social/channel/list/',
  tags: ['Channel'],
  summary: 'List all channels, newest first.',
  query: Type.Object({
    limit: Type.Integer({ minimum: 1, maximum: 200, default: 20 }),
    cursor: Type.Optional(Type.String()),
  }),
  response: ChannelListResponse,
  errors: [],
  read: async ({ query }, read, { cursorKey }) => {
    const { rows, cursor } = await read.list([list.operationId, query.limit, query.cursor], async (inner) => {
      const { after, limit, cut } = openPage(cursorKey, list, {}, query, inner.now);
      return cut(await selectNewestChannels(inner, after, limit), (row) => row);
    });
    const ids = rows.map(({ id }) => id);
    return viewChannelList(ids, await hydrateChannels(read, ids), cursor);
  },
});
