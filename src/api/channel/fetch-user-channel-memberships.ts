import Type from 'typebox';
import { hydrateChannels } from '../../hydrate/page.js';
import { Fid } from '../../schema/fid.js';
import { ChannelMemberListResponse } from '../../schema/social/channel-member.js';
import { selectMemberships } from '../../store/channel/member.js';
import { viewMemberships } from '../../view/channel/channel-page.js';
import { openPage } from '../http/cursor.js';
import { operation } from '../http/operation.js';
import { timeKey } from './channel-query.js';

const list = { operationId: 'fetch-user-channel-memberships', sortKey: timeKey };

export const fetchUserChannelMemberships = operation({
  id: list.operationId,
  path: '/v2/social/user/memberships/list/',
  tags: ['User'],
  summary: 'List the channels of which a user is a member, those joined last first.',
  query: Type.Object({
    fid: Fid,
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
    cursor: Type.Optional(Type.String()),
  }),
  response: ChannelMemberListResponse,
  errors: [400, 500],
  read: async ({ query, caller }, read, { cursorKey }) => {
    const { fid } = query;
    const filters = { fid, appId: caller.appId };
    const { rows, cursor } = await read.list([list.operationId, filters, query.limit, query.cursor], async (inner) => {
      const { after, limit, cut } = openPage(cursorKey, list, filters, query, inner.now);
      return cut(await selectMemberships(inner, filters, after, limit), ({ id, at }) => ({ id, at }));
    });
    const ids = rows.map(({ id }) => id);
    return viewMemberships(fid, rows, await hydrateChannels(read, ids, { dehydrated: [fid] }), cursor);
  },
});
