import Type from 'typebox';
import { hydrateUsers } from '../../hydrate/page.js';
import { Fid } from '../../schema/fid.js';
import { ChannelMemberInviteListResponse } from '../../schema/social/channel-member.js';
import { selectInvites } from '../../store/channel/invite.js';
import { viewInvites } from '../../view/channel/channel-page.js';
import { listOperation } from '../page/list-operation.js';
import { requireChannel } from './channel-query.js';

export const fetchChannelInvites = listOperation({
  id: 'fetch-channel-invites',
  path: '/v2/social/channel/member/invite/list/',
  tags: ['Channel'],
  title: 'List open invites',
  summary: 'List open invites, newest first: those to a channel, those of a user, or all.',
  cost: { each: 2, of: 'limit' },
  query: { channel_id: Type.Optional(Type.String({ minLength: 1 })), invited_fid: Type.Optional(Fid) },
  limit: Type.Integer({ format: 'int32', minimum: 1, maximum: 100, default: 20 }),
  parameters: {
    channel_id: { description: 'Keeps invites to this channel.', example: 'dev' },
    invited_fid: { description: 'Keeps invites of this account.' },
  },
  response: ChannelMemberInviteListResponse,
  errors: [400, 500],
  sortKey: Type.Object({ at: Type.Integer(), id: Type.String(), fid: Type.Integer() }),
  filters: async ({ query: { channel_id, invited_fid: fid }, caller: { appId } }, read) => {
    const channel = channel_id === undefined ? undefined : await requireChannel(read, 'channel_id', channel_id);
    return { channelId: channel?.row.id, fid, appId };
  },
  isUncached: true,
  select: (read, filters, { after, limit }) => selectInvites(read, filters, after, limit),
  keyOf: ({ at, id, fid }) => ({ at, id, fid }),
  view: async (rows, cursor, _, read) => {
    const fids = [...new Set(rows.flatMap((row) => [row.fid, row.inviter]))];
    return viewInvites(rows, await hydrateUsers(read, fids, { listed: fids }), cursor);
  },
});
