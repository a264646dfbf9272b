import Type from 'typebox';
import { hydrateUsers } from '../../hydrate/page.js';
import { Fid } from '../../schema/fid.js';
import { ChannelMemberListResponse } from '../../schema/social/channel-member.js';
import { selectMembers } from '../../store/channel/member.js';
import { viewChannelMembers } from '../../view/channel/channel-page.js';
import { experimentalHeader } from '../http/parameter.js';
import { listOperation } from '../page/list-operation.js';
import { requireChannel } from './channel-query.js';

export const fetchChannelMembers = listOperation({
  id: 'fetch-channel-members',
  path: '/v2/social/channel/member/list/',
  tags: ['Channel'],
  title: "List a channel's members",
  summary: 'List the members of a channel: the owner, moderators, members; each by the time they joined.',
  cost: { each: 2, of: 'limit' },
  headers: experimentalHeader,
  query: { channel_id: Type.String({ minLength: 1 }), fid: Type.Optional(Fid) },
  limit: Type.Integer({ format: 'int32', minimum: 1, maximum: 100, default: 20 }),
  parameters: {
    channel_id: { description: 'Id of the channel.', example: 'dev' },
    fid: { description: 'Keeps this account alone; the list is empty if it is no member.', example: 4 },
  },
  response: ChannelMemberListResponse,
  errors: [400, 500],
  sortKey: Type.Object({ rank: Type.Integer(), at: Type.Integer(), fid: Type.Integer() }),
  filters: async ({ query, caller }, read) => {
    const channel = await requireChannel(read, 'channel_id', query.channel_id);
    return { channelId: channel.row.id, fid: query.fid, appId: caller.appId };
  },
  select: (read, filters, { after, limit }) => selectMembers(read, filters, after, limit),
  keyOf: ({ rank, at, fid }) => ({ rank, at, fid }),
  view: async (rows, cursor, { query }, read) => {
    const channel = await requireChannel(read, 'channel_id', query.channel_id);
    const fids = rows.map(({ fid }) => fid);
    return viewChannelMembers(channel, rows, await hydrateUsers(read, fids, { listed: fids }), cursor);
  },
});
