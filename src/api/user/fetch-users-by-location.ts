import Type from 'typebox';
import { hydrateUsers } from '../../hydrate/page.js';
import { UsersResponse } from '../../schema/social/user.js';
import { selectNeighbours } from '../../store/query/location.js';
import { viewUserList } from '../../view/user-page.js';
import { openPage } from '../http/cursor.js';
import { operation } from '../http/operation.js';
import { experimentalHeader, viewerFid } from '../http/parameter.js';

const list = {
  operationId: 'fetch-users-by-location',
  sortKey: Type.Object({ distance: Type.Number(), fid: Type.Integer() }),
};

export const fetchUsersByLocation = operation({
  id: list.operationId,
  path: '/v2/social/user/by_location/',
  tags: ['User'],
  summary: 'List the users who say where they are, the nearest first; those equally far by FID.',
  headers: experimentalHeader,
  query: Type.Object({
    // The limits are those of `Location`; the contract states none for the query (GAPS section 4).
    latitude: Type.Number({ minimum: -90, maximum: 90 }),
    longitude: Type.Number({ minimum: -180, maximum: 180 }),
    viewer_fid: viewerFid,
    limit: Type.Integer({ format: 'int32', minimum: 1, maximum: 100, default: 25 }),
    cursor: Type.Optional(Type.String()),
  }),
  response: UsersResponse,
  errors: [400, 404, 500],
  read: async ({ query, caller }, read, { cursorKey }) => {
    const { latitude, longitude, viewer_fid: viewer, limit } = query;
    const filters = { latitude, longitude, viewer, appId: caller.appId };
    const audience = { appId: caller.appId, viewer: viewer ?? null };
    const { fids, cursor } = await read.list([list.operationId, filters, limit, query.cursor], async (inner) => {
      const page = openPage(cursorKey, list, filters, query, read.now);
      const found = await selectNeighbours(inner, audience, { latitude, longitude }, page);
      const { rows, cursor: next } = page.cut(found, (row) => row);
      return { fids: rows.map(({ fid }) => fid), cursor: next };
    });
    return viewUserList(fids, await hydrateUsers(read, fids, { viewer }), cursor);
  },
});
