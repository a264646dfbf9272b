import Type from 'typebox';
import { HubChannelFollowerCount } from '../../../schema/hub/channel.js';
import { selectChannelFollowerCount } from '../../../store/hub/channel.js';
import { operation } from '../../http/operation.js';
import { CHANNEL_ID_TEXT, channelIdOfText, channelIdQuery } from './channel-parameter.js';

export const hubLookupChannelFollowerCount = operation({
  id: 'hub-lookup-channel-follower-count',
  path: '/v1/channelFollowerCount',
  tags: ['Hub Channels'],
  title: 'Count followers of a channel',
  summary:
    "Own extension: tell how many accounts follow one of the protocol's channels; 0 for one that is not shown here.",
  cost: { fixed: 2 },
  query: Type.Object({ channelId: channelIdQuery }),
  parameters: { channelId: CHANNEL_ID_TEXT },
  response: HubChannelFollowerCount,
  handle: async ({ query }, { db }) => ({
    count: await selectChannelFollowerCount(db, channelIdOfText(query.channelId)),
  }),
});
