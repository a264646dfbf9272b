import Type from 'typebox';
import { hydrateUsers } from '../../hydrate/page.js';
import { Fid } from '../../schema/fid.js';
import { RelevantFollowersResponse } from '../../schema/social/follow.js';
import { selectRelevantFollowers } from '../../store/query/follow-suggestion.js';
import { viewRelevantFollowers } from '../../view/follower.js';
import { operation } from '../http/operation.js';
import { experimentalHeader } from '../http/parameter.js';

/** Number of followers that are shown in full. */
const TOP = 10;

export const fetchRelevantFollowers = operation({
  id: 'fetch-relevant-followers',
  path: '/v2/social/followers/relevant/',
  tags: ['Follows'],
  title: 'List relevant followers',
  summary: 'List followers of a user that a viewer follows, the highest score first; the first 10 in full.',
  cost: { fixed: 20 },
  headers: experimentalHeader,
  query: Type.Object({ target_fid: Fid, viewer_fid: Fid }),
  parameters: {
    target_fid: { description: 'The account whose followers are listed.', example: 12 },
    viewer_fid: {
      description: 'The account that looks: only followers that it follows itself are listed.',
      example: 1,
    },
  },
  response: RelevantFollowersResponse,
  read: async ({ query, caller }, read) => {
    const { target_fid, viewer_fid: viewer } = query;
    const all = await selectRelevantFollowers(read, target_fid, { appId: caller.appId, viewer });
    const top = all.slice(0, TOP);
    const dehydrated = [...all.map(({ fid }) => fid), ...top.flatMap(({ appFid }) => appFid ?? [])];
    const listed = top.map(({ fid }) => fid);
    return viewRelevantFollowers(top, all, await hydrateUsers(read, listed, { viewer, listed, dehydrated }));
  },
});
