import Type from 'typebox';
import { hydrateUsers } from '../../hydrate/page.js';
import { UsersResponse } from '../../schema/social/user.js';
import { selectChannelFollowers } from '../../store/channel/follow.js';
import { viewUserList } from '../../view/user-page.js';
import { createChronologicalList } from '../http/chronological-list.js';
import { operation } from '../http/operation.js';
import { experimentalHeader, viewerFid } from '../http/parameter.js';
import { requireChannel } from './channel-query.js';

const ID = 'fetch-followers-for-a-channel';

export const fetchFollowersForAChannel = operation({
  id: ID,
  path: '/v2/social/channel/followers/',
  tags: ['Channel'],
  summary: 'List the followers of a channel, the newest follow first.',
  headers: experimentalHeader,
  query: Type.Object({
    id: Type.String({ minLength: 1 }),
    viewer_fid: viewerFid,
    cursor: Type.Optional(Type.String()),
    limit: Type.Integer({ format: 'int32', minimum: 1, maximum: 1000, default: 25 }),
  }),
  response: UsersResponse,
  read: async ({ query, caller }, read, services) => {
    const { viewer_fid: viewer } = query;
    const { id } = (await requireChannel(read, 'id', query.id)).row;
    const audience = { appId: caller.appId, viewer: viewer ?? null };
    const filters = { id, ...audience };
    const { rows, cursor } = await read.list([ID, filters, query.limit, query.cursor], async (inner) => {
      const { after, limit, cut } = createChronologicalList({ ...services, read: inner }, ID, query, filters);
      return cut(await selectChannelFollowers(inner, id, audience, after, limit));
    });
    const fids = rows.map(({ fid }) => fid);
    return viewUserList(fids, await hydrateUsers(read, fids, { viewer, listed: fids }), cursor);
  },
});
