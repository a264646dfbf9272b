import Type from 'typebox';
import { hydrateUsers } from '../../hydrate/page.js';
import { Fid } from '../../schema/fid.js';
import { ChannelMemberListResponse } from '../../schema/social/channel-member.js';
import { selectMembers } from '../../store/channel/member.js';
import { viewChannelMembers } from '../../view/channel/channel-page.js';
import { openPage } from '../http/cursor.js';
import { operation } from '../http/operation.js';
import { experimentalHeader } from '../http/parameter.js';
import { requireChannel } from './channel-query.js';

const list = {
  operationId: 'fetch-channel-members',
  sortKey: Type.Object({ rank: Type.Integer(), at: Type.Integer(), fid: Type.Integer() }),
};

export const fetchChannelMembers = operation({
  id: list.operationId,
  path: '/v2/social/channel/member/list/',
  tags: ['Channel'],
  summary: 'List the members of a channel: the owner, moderators, members; each by the time they joined.',
  headers: experimentalHeader,
  query: Type.Object({
    channel_id: Type.String({ minLength: 1 }),
    fid: Type.Optional(Fid),
    limit: Type.Integer({ format: 'int32', minimum: 1, maximum: 100, default: 20 }),
    cursor: Type.Optional(Type.String()),
  }),
  response: ChannelMemberListResponse,
  errors: [400, 500],
  read: async ({ query, caller }, read, { cursorKey }) => {
    const channel = await requireChannel(read, 'channel_id', query.channel_id);
    const { id } = channel.row;
    const filters = { id, fid: query.fid, appId: caller.appId };
    const { rows, cursor } = await read.list([list.operationId, filters, query.limit, query.cursor], async (inner) => {
      const { after, limit, cut } = openPage(cursorKey, list, filters, query, inner.now);
      const members = await selectMembers(inner, { ...filters, channelId: id }, after, limit);
      return cut(members, ({ rank, at, fid }) => ({ rank, at, fid }));
    });
    const fids = rows.map(({ fid }) => fid);
    return viewChannelMembers(channel, rows, await hydrateUsers(read, fids, { listed: fids }), cursor);
  },
});
