import Type from 'typebox';
import { hydrateChannels } from '../../hydrate/page.js';
import { Fid } from '../../schema/fid.js';
import { ChannelListResponse } from '../../schema/social/channel.js';
import { selectFollowedChannels } from '../../store/channel/follow.js';
import { viewChannelList } from '../../view/channel/channel-page.js';
import { openPage } from '../http/cursor.js';
import { operation } from '../http/operation.js';
import { timeKey } from './channel-query.js';

const list = { operationId: 'fetch-user-channels', sortKey: timeKey };

export const fetchUserChannels = operation({
  id: list.operationId,
  path: '/v2/social/user/channels/',
  tags: ['User'],
  summary: 'List the channels that a user follows, the newest follow first.',
  query: Type.Object({
    fid: Fid,
    limit: Type.Integer({ format: 'int32', minimum: 1, maximum: 100, default: 25 }),
    cursor: Type.Optional(Type.String()),
  }),
  response: ChannelListResponse,
  errors: [],
  read: async ({ query, caller }, read, { cursorKey }) => {
    const { fid } = query;
    const filters = { fid, appId: caller.appId };
    const { rows, cursor } = await read.list([list.operationId, filters, query.limit, query.cursor], async (inner) => {
      const { after, limit, cut } = openPage(cursorKey, list, filters, query, inner.now);
      return cut(await selectFollowedChannels(inner, filters, after, limit), (row) => row);
    });
    const ids = rows.map(({ id }) => id);
    return viewChannelList(ids, await hydrateChannels(read, ids), cursor);
  },
});
