import Type from 'typebox';
import { toHex } from '../../../hex.js';
import { HubChannelPin } from '../../../schema/hub/channel.js';
import { operation } from '../../http/operation.js';
import { CHANNEL_ID_TEXT, channelIdQuery, requireChannel } from './channel-parameter.js';

export const hubLookupChannelPin = operation({
  id: 'hub-lookup-channel-pin',
  path: '/v1/channelPin',
  tags: ['Hub Channels'],
  title: 'Get the pinned cast of a channel',
  summary: "Own extension: read which cast one of the protocol's channels has pinned, and who pinned it.",
  cost: { fixed: 2 },
  query: Type.Object({ channelId: channelIdQuery }),
  parameters: { channelId: CHANNEL_ID_TEXT },
  response: HubChannelPin,
  errors: [400, 404],
  handle: async ({ query }, { db }) => {
    const { pinnedCastHash, pinnedBy } = await requireChannel(db, query.channelId);
    return { pin: pinnedCastHash && { castHash: toHex(pinnedCastHash), authorFid: pinnedBy ?? 0 } };
  },
});
