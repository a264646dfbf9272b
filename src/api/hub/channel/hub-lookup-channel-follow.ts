import Type from 'typebox';
import { HubChannelFollow } from '../../../schema/hub/channel.js';
import { selectChannelFollow } from '../../../store/hub/channel.js';
import { operation } from '../../http/operation.js';
import { followTime } from './channel-json.js';
import { CHANNEL_ID_TEXT, channelFidQuery, channelIdOfText, channelIdQuery } from './channel-parameter.js';

export const hubLookupChannelFollow = operation({
  id: 'hub-lookup-channel-follow',
  path: '/v1/isFollowingChannel',
  tags: ['Hub Channels'],
  title: 'Tell whether an account follows a channel',
  summary: "Own extension: tell whether an account follows one of the protocol's channels, and since when.",
  cost: { fixed: 2 },
  query: Type.Object({ fid: channelFidQuery, channelId: channelIdQuery }),
  parameters: { fid: { description: 'The account.', example: 1 }, channelId: CHANNEL_ID_TEXT },
  response: HubChannelFollow,
  handle: async ({ query: { fid, channelId } }, { db }) => {
    const followedAt = await selectChannelFollow(db, channelIdOfText(channelId), fid);
    return followedAt === undefined ? { following: false } : { following: true, followedAt: followTime(followedAt) };
  },
});
