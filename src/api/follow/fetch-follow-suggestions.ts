import Type from 'typebox';
import { hydrateUsers } from '../../hydrate/page.js';
import { Fid } from '../../schema/fid.js';
import { UsersResponse } from '../../schema/social/user.js';
import { selectFollowSuggestions } from '../../store/query/follow-suggestion.js';
import { viewUserList } from '../../view/user-page.js';
import { operation } from '../http/operation.js';
import { experimentalHeader, viewerFid } from '../http/parameter.js';

export const fetchFollowSuggestions = operation({
  id: 'fetch-follow-suggestions',
  path: '/v2/social/following/suggested/',
  tags: ['Follows'],
  title: 'Suggest accounts to follow',
  summary:
    'Suggest accounts that many follow of those a user follows (of the newest 100, the newest 100 follows each).',
  cost: { each: 4, of: 'limit' },
  headers: experimentalHeader,
  query: Type.Object({
    fid: Fid,
    viewer_fid: viewerFid,
    limit: Type.Integer({ format: 'int32', minimum: 1, maximum: 100, default: 25 }),
  }),
  parameters: { fid: { description: 'The account that suggestions are for.', example: 1 } },
  response: UsersResponse,
  errors: [400, 500],
  read: async ({ query, caller }, read) => {
    const { fid, viewer_fid: viewer, limit } = query;
    const audience = { appId: caller.appId, viewer: viewer ?? null };
    const fids = await selectFollowSuggestions(read, fid, audience, limit);
    const page = await hydrateUsers(read, fids, { viewer });
    // The contract has no cursor here, so there is one page.
    return viewUserList(fids, page, null);
  },
});
