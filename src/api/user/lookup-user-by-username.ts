import Type from 'typebox';
import { notFound } from '../../error.js';
import { UserResponse } from '../../schema/user.js';
import { viewUser } from '../../view/user-page.js';
import { operation } from '../operation.js';
import { experimentalHeader, viewerFid } from '../parameter.js';

export const lookupUserByUsername = operation({
  id: 'lookup-user-by-username',
  method: 'GET',
  path: '/v2/social/user/by_username/',
  tags: ['User'],
  summary: 'Read one user by username, in upper or lower case.',
  family: 'v2',
  scope: 'read',
  headers: experimentalHeader,
  query: Type.Object({ username: Type.String({ minLength: 1 }), viewer_fid: viewerFid }),
  response: UserResponse,
  errors: [400, 404, 500],
  handle: async ({ query }, { hydrate, clock }) => {
    const fid = await hydrate.fidOfUsername(query.username);
    const page = await hydrate.users(fid === undefined ? [] : [fid], { now: clock(), viewer: query.viewer_fid });
    if (fid === undefined || !page.accounts.has(fid)) {
      throw notFound(`Nobody goes by the name ${query.username}.`, 'username');
    }
    return viewUser(fid, page);
  },
});
