import Type from 'typebox';
import { Fid } from '../../schema/fid.js';
import { BulkUsersResponse } from '../../schema/user.js';
import { viewUsers } from '../../view/user-page.js';
import { commaSeparated } from '../comma-separated.js';
import { operation } from '../operation.js';
import { experimentalHeader, viewerFid } from '../parameter.js';

export const fetchBulkUsers = operation({
  id: 'fetch-bulk-users',
  method: 'GET',
  path: '/v2/social/user/bulk/',
  tags: ['User'],
  summary: 'Read several users by FID, in the order asked for; unknown ones are left out.',
  family: 'v2',
  scope: 'read',
  headers: experimentalHeader,
  query: Type.Object({ fids: commaSeparated(Fid, { maxItems: 100 }), viewer_fid: viewerFid }),
  response: BulkUsersResponse,
  errors: [400],
  handle: async ({ query }, { hydrate, clock }) => {
    const fids = [...new Set(query.fids)];
    const page = await hydrate.users(fids, { now: clock(), viewer: query.viewer_fid });
    return viewUsers(fids, page);
  },
});
