import Type from 'typebox';
import { notFound } from '../../../error.js';
import { channelIdOf } from '../../../protocol/channel/identity.js';
import { HubChannelOwner } from '../../../schema/hub/channel.js';
import { selectChannel } from '../../../store/hub/channel.js';
import { operation } from '../../http/operation.js';
import { ownerJson } from './channel-json.js';

export const hubLookupChannelOwner = operation({
  id: 'hub-lookup-channel-owner',
  path: '/v1/channelOwner',
  tags: ['Hub Channels'],
  title: 'Get the owner of a channel',
  summary: "Own extension: read who owns one of the protocol's channels.",
  cost: { fixed: 2 },
  query: Type.Object({ channel_key: Type.String({ minLength: 1 }) }),
  parameters: { channel_key: { description: 'The key of the channel, as it was registered.' } },
  response: HubChannelOwner,
  errors: [400, 404],
  handle: async ({ query: { channel_key: key } }, { db }) => {
    const channel = await selectChannel(db, channelIdOf(key));
    if (channel === undefined) throw notFound(`No channel ${key} is registered.`, 'channel_key');
    return ownerJson(channel);
  },
});
