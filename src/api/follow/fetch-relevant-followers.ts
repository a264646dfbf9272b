import Type from 'typebox';
import { Fid } from '../../schema/fid.js';
import { RelevantFollowersResponse } from '../../schema/follow.js';
import { selectRelevantFollowers } from '../../store/follow-neighbour-read.js';
import { viewRelevantFollowers } from '../../view/follower.js';
import { operation } from '../operation.js';
import { experimentalHeader } from '../parameter.js';
import { followFids, listedFids } from './follow-list.js';

/** How many are shown in full. */
const TOP = 10;

export const fetchRelevantFollowers = operation({
  id: 'fetch-relevant-followers',
  method: 'GET',
  path: '/v2/social/followers/relevant/',
  tags: ['Follows'],
  summary: 'List followers of a user that a viewer follows, the highest score first; the first 10 in full.',
  family: 'v2',
  scope: 'read',
  headers: experimentalHeader,
  query: Type.Object({ target_fid: Fid, viewer_fid: Fid }),
  response: RelevantFollowersResponse,
  errors: [400],
  handle: async ({ query, caller }, { db, hydrate, clock }) => {
    const { target_fid, viewer_fid: viewer } = query;
    const all = await selectRelevantFollowers(db, target_fid, { appId: caller.appId, viewer });
    const top = all.slice(0, TOP);
    const now = clock();
    const listed = listedFids(all);
    const faces = await hydrate.users(listed, { now, listed });
    const page = await hydrate.users(followFids(top), { now, viewer, listed: listedFids(top) });
    return viewRelevantFollowers(top, page, all, faces);
  },
});
