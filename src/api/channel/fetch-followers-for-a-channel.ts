import Type from 'typebox';
import { hydrateUsers } from '../../hydrate/page.js';
import { UsersResponse } from '../../schema/social/user.js';
import { selectChannelFollowers } from '../../store/channel/follow.js';
import { viewUserList } from '../../view/user-page.js';
import { experimentalHeader, viewerFid } from '../http/parameter.js';
import { chronologicalKey, chronologicalKeyOf, listOperation } from '../page/list-operation.js';
import { requireChannel } from './channel-query.js';

export const fetchFollowersForAChannel = listOperation({
  id: 'fetch-followers-for-a-channel',
  path: '/v2/social/channel/followers/',
  tags: ['Channel'],
  title: "List a channel's followers",
  summary: 'List the followers of a channel, the newest follow first.',
  cost: { each: 1, of: 'limit' },
  headers: experimentalHeader,
  query: { id: Type.String({ minLength: 1 }), viewer_fid: viewerFid },
  limit: Type.Integer({ format: 'int32', minimum: 1, maximum: 1000, default: 25 }),
  parameters: { id: { description: 'Id of the channel.', example: 'dev' } },
  response: UsersResponse,
  sortKey: chronologicalKey,
  filters: async ({ query, caller }, read) => {
    const { id } = (await requireChannel(read, 'id', query.id)).row;
    return { id, appId: caller.appId, viewer: query.viewer_fid ?? null };
  },
  select: (read, { id, ...audience }, { after, limit }) => selectChannelFollowers(read, id, audience, after, limit),
  keyOf: chronologicalKeyOf,
  view: async (rows, cursor, { query: { viewer_fid: viewer } }, read) => {
    const fids = rows.map(({ fid }) => fid);
    return viewUserList(fids, await hydrateUsers(read, fids, { viewer, listed: fids }), cursor);
  },
});
