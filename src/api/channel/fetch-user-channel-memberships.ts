import Type from 'typebox';
import { hydrateChannels } from '../../hydrate/page.js';
import { Fid } from '../../schema/fid.js';
import { ChannelMemberListResponse } from '../../schema/social/channel-member.js';
import { selectMemberships } from '../../store/channel/member.js';
import { viewMemberships } from '../../view/channel/channel-page.js';
import { listOperation } from '../page/list-operation.js';
import { timeKey } from './channel-query.js';

export const fetchUserChannelMemberships = listOperation({
  id: 'fetch-user-channel-memberships',
  path: '/v2/social/user/memberships/list/',
  tags: ['User'],
  title: "List a user's memberships",
  summary: 'List the channels of which a user is a member, those joined last first.',
  cost: { each: 2, of: 'limit' },
  query: { fid: Fid },
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
  parameters: { fid: { description: 'The member.', example: 4 } },
  response: ChannelMemberListResponse,
  errors: [400, 500],
  sortKey: timeKey,
  filters: ({ query, caller }) => ({ fid: query.fid, appId: caller.appId }),
  select: (read, filters, { after, limit }) => selectMemberships(read, filters, after, limit),
  keyOf: ({ id, at }) => ({ id, at }),
  view: async (rows, cursor, { query: { fid } }, read) => {
    const ids = rows.map(({ id }) => id);
    return viewMemberships(fid, rows, await hydrateChannels(read, ids, { dehydrated: [fid] }), cursor);
  },
});
