import Type from 'typebox';
import { hydrateUsers } from '../../hydrate/page.js';
import { Fid } from '../../schema/fid.js';
import { ChannelMemberInviteListResponse } from '../../schema/social/channel-member.js';
import { selectInvites } from '../../store/channel/invite.js';
import { viewInvites } from '../../view/channel/channel-page.js';
import { openPage } from '../http/cursor.js';
import { operation } from '../http/operation.js';
import { requireChannel } from './channel-query.js';

const list = {
  operationId: 'fetch-channel-invites',
  sortKey: Type.Object({ at: Type.Integer(), id: Type.String(), fid: Type.Integer() }),
};

export const fetchChannelInvites = operation({
  id: list.operationId,
  path: '/v2/social/channel/member/invite/list/',
  tags: ['Channel'],
  summary: 'List open invites, newest first: those to a channel, those of a user, or all.',
  query: Type.Object({
    channel_id: Type.Optional(Type.String({ minLength: 1 })),
    invited_fid: Type.Optional(Fid),
    limit: Type.Integer({ format: 'int32', minimum: 1, maximum: 100, default: 20 }),
    cursor: Type.Optional(Type.String()),
  }),
  response: ChannelMemberInviteListResponse,
  errors: [400, 500],
  read: async ({ query, caller }, read, { cursorKey }) => {
    const { channel_id, invited_fid: fid } = query;
    const channelId =
      channel_id === undefined ? undefined : (await requireChannel(read, 'channel_id', channel_id)).row.id;
    const filter = { channelId, fid, appId: caller.appId };
    const { after, limit, cut } = openPage(cursorKey, list, filter, query, read.now);
    const invites = await selectInvites(read, filter, after, limit);
    const { rows, cursor } = cut(invites, (row) => ({ at: row.at, id: row.id, fid: row.fid }));
    const fids = [...new Set(rows.flatMap((row) => [row.fid, row.inviter]))];
    return viewInvites(rows, await hydrateUsers(read, fids, { listed: fids }), cursor);
  },
});
