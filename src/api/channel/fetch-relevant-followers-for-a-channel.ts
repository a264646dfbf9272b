import Type from 'typebox';
import { hydrateUsers } from '../../hydrate/page.js';
import { Fid } from '../../schema/fid.js';
import { RelevantFollowersResponse } from '../../schema/social/follow.js';
import { selectRelevantChannelFollowers } from '../../store/channel/follow.js';
import { viewRelevantFollowers } from '../../view/follower.js';
import { operation } from '../http/operation.js';
import { experimentalHeader } from '../http/parameter.js';
import { requireChannel } from './channel-query.js';

/** Number of followers that are shown in full. */
const TOP = 10;

export const fetchRelevantFollowersForAChannel = operation({
  id: 'fetch-relevant-followers-for-a-channel',
  path: '/v2/social/channel/followers/relevant/',
  tags: ['Channel'],
  title: "List a channel's relevant followers",
  summary: 'List followers of a channel that a viewer follows, the highest score first; the first 10 in full.',
  cost: { fixed: 20 },
  headers: experimentalHeader,
  query: Type.Object({ id: Type.String({ minLength: 1 }), viewer_fid: Fid }),
  parameters: {
    id: { description: 'Id of the channel.', example: 'dev' },
    viewer_fid: { description: 'The account whose follows are relevant.', example: 3 },
  },
  response: RelevantFollowersResponse,
  read: async ({ query, caller }, read) => {
    const { viewer_fid: viewer } = query;
    const { id } = (await requireChannel(read, 'id', query.id)).row;
    const fids = await selectRelevantChannelFollowers(read, id, { appId: caller.appId, viewer });
    const listed = fids.slice(0, TOP);
    const page = await hydrateUsers(read, listed, { viewer, listed, dehydrated: fids });
    // The app behind a follow of a channel is not known.
    const followers = fids.map((fid) => ({ fid, appFid: null }));
    return viewRelevantFollowers(followers.slice(0, TOP), followers, page);
  },
});
