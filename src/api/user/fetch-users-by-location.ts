import Type from 'typebox';
import { hydrateUsers } from '../../hydrate/page.js';
import { UsersResponse } from '../../schema/social/user.js';
import { selectNeighbours } from '../../store/query/location.js';
import { viewUserList } from '../../view/user-page.js';
import { experimentalHeader, viewerFid } from '../http/parameter.js';
import { listOperation } from '../page/list-operation.js';

export const fetchUsersByLocation = listOperation({
  id: 'fetch-users-by-location',
  path: '/v2/social/user/by_location/',
  tags: ['User'],
  title: 'Find users near a place',
  summary: 'List the users who say where they are, the nearest first; those equally far by FID.',
  cost: { each: 2, of: 'limit' },
  headers: experimentalHeader,
  query: {
    // The limits are those of `Location`; the contract states none for the query (GAPS section 4).
    latitude: Type.Number({ minimum: -90, maximum: 90 }),
    longitude: Type.Number({ minimum: -180, maximum: 180 }),
    viewer_fid: viewerFid,
  },
  limit: Type.Integer({ format: 'int32', minimum: 1, maximum: 100, default: 25 }),
  parameters: {
    latitude: { description: 'Degrees north of the equator; south is negative.', example: 52.52 },
    longitude: { description: 'Degrees east of Greenwich; west is negative.', example: 13.4 },
  },
  response: UsersResponse,
  errors: [400, 404, 500],
  sortKey: Type.Object({ distance: Type.Number(), fid: Type.Integer() }),
  filters: ({ query: { latitude, longitude, viewer_fid: viewer = null }, caller: { appId } }) => ({
    ...{ latitude, longitude, viewer, appId },
  }),
  select: (read, { latitude, longitude, ...audience }, page) =>
    selectNeighbours(read, audience, { latitude, longitude }, page),
  keyOf: (row) => row,
  view: async (rows, cursor, { query: { viewer_fid: viewer } }, read) => {
    const fids = rows.map(({ fid }) => fid);
    return viewUserList(fids, await hydrateUsers(read, fids, { viewer }), cursor);
  },
});
