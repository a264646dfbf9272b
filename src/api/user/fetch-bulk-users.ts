import Type from 'typebox';
import { hydrateUsers } from '../../hydrate/page.js';
import { Fid } from '../../schema/fid.js';
import { BulkUsersResponse } from '../../schema/social/user.js';
import { viewUsers } from '../../view/user-page.js';
import { commaSeparated } from '../http/comma-separated.js';
import { operation } from '../http/operation.js';
import { experimentalHeader, viewerFid } from '../http/parameter.js';

export const fetchBulkUsers = operation({
  id: 'fetch-bulk-users',
  path: '/v2/social/user/bulk/',
  tags: ['User'],
  title: 'Get users by FID',
  summary: 'Read several users by FID, in the order asked for; unknown ones are left out.',
  cost: { each: 1, of: 'fids' },
  headers: experimentalHeader,
  query: Type.Object({ fids: commaSeparated(Fid, { maxItems: 100 }), viewer_fid: viewerFid }),
  parameters: { fids: { description: 'The accounts to read, at most 100, separated by commas.', example: '1,2,3' } },
  response: BulkUsersResponse,
  read: async ({ query }, read) => {
    const fids = [...new Set(query.fids)];
    return viewUsers(fids, await hydrateUsers(read, fids, { viewer: query.viewer_fid }));
  },
});
