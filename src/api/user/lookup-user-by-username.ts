import Type from 'typebox';
import { notFound } from '../../error.js';
import { findFidByUsername } from '../../hydrate/account.js';
import { hydrateUsers } from '../../hydrate/page.js';
import { UserResponse } from '../../schema/social/user.js';
import { viewUserResponse } from '../../view/user-page.js';
import { operation } from '../http/operation.js';
import { experimentalHeader, viewerFid } from '../http/parameter.js';

export const lookupUserByUsername = operation({
  id: 'lookup-user-by-username',
  path: '/v2/social/user/by_username/',
  tags: ['User'],
  title: 'Get a user by username',
  summary: 'Read one user by username, in upper or lower case.',
  cost: { fixed: 2 },
  headers: experimentalHeader,
  query: Type.Object({ username: Type.String({ minLength: 1 }), viewer_fid: viewerFid }),
  parameters: { username: { description: 'The name, without `@`.', example: 'harbor' } },
  response: UserResponse,
  errors: [400, 404, 500],
  read: async ({ query }, read) => {
    const fid = await findFidByUsername(read, query.username);
    const page = await hydrateUsers(read, fid === undefined ? [] : [fid], { viewer: query.viewer_fid });
    if (fid === undefined || !page.accounts.has(fid)) {
      throw notFound(`Nobody goes by the name ${query.username}.`, 'username');
    }
    return viewUserResponse(fid, page);
  },
});
