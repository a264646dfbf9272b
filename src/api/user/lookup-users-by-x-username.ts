import Type from 'typebox';
import { notFound } from '../../error.js';
import { hydrateUsers } from '../../hydrate/page.js';
import { BulkUsersResponse } from '../../schema/social/user.js';
import { selectFidsByXUsername } from '../../store/query/user-search.js';
import { viewUsers } from '../../view/user-page.js';
import { operation } from '../http/operation.js';
import { experimentalHeader, viewerFid } from '../http/parameter.js';

export const lookupUsersByXUsername = operation({
  id: 'lookup-users-by-x-username',
  path: '/v2/social/user/by_x_username/',
  tags: ['User'],
  title: 'Find users by X username',
  summary: 'List the users who name an account of platform x as theirs, the highest score first, at most 100.',
  cost: { fixed: 2 },
  headers: experimentalHeader,
  query: Type.Object({
    x_username: Type.String({ description: 'In upper or lower case; a leading @ is left out.' }),
    viewer_fid: viewerFid,
  }),
  parameters: { x_username: { example: 'skiff' } },
  response: BulkUsersResponse,
  errors: [400, 404, 500],
  read: async ({ query, caller }, read) => {
    const { viewer_fid: viewer } = query;
    const name = query.x_username.trim().replace(/^@/, '');
    const audience = { appId: caller.appId, viewer: viewer ?? null };
    const fids = name === '' ? [] : await selectFidsByXUsername(read, name, audience);
    const page = await hydrateUsers(read, fids, { viewer });
    if (!fids.some((fid) => page.accounts.has(fid))) {
      throw notFound(`Nobody names ${name} of platform x as theirs.`, 'x_username');
    }
    return viewUsers(fids, page);
  },
});
