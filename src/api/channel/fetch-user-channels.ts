import Type from 'typebox';
import { hydrateChannels } from '../../hydrate/page.js';
import { Fid } from '../../schema/fid.js';
import { ChannelListResponse } from '../../schema/social/channel.js';
import { selectFollowedChannels } from '../../store/channel/follow.js';
import { viewChannelList } from '../../view/channel/channel-page.js';
import { listOperation } from '../page/list-operation.js';
import { timeKey } from './channel-query.js';

export const fetchUserChannels = listOperation({
  id: 'fetch-user-channels',
  path: '/v2/social/user/channels/',
  tags: ['User'],
  title: 'List channels a user follows',
  summary: 'List the channels that a user follows, the newest follow first.',
  cost: { each: 2, of: 'limit' },
  query: { fid: Fid },
  limit: Type.Integer({ format: 'int32', minimum: 1, maximum: 100, default: 25 }),
  parameters: { fid: { description: 'The account that follows.', example: 1 } },
  response: ChannelListResponse,
  errors: [],
  sortKey: timeKey,
  filters: ({ query, caller }) => ({ fid: query.fid, appId: caller.appId }),
  select: (read, filters, { after, limit }) => selectFollowedChannels(read, filters, after, limit),
  keyOf: (row) => row,
  view: async (rows, cursor, _, read) => {
    const ids = rows.map(({ id }) => id);
    return viewChannelList(ids, await hydrateChannels(read, ids), cursor);
  },
});
