import Type from 'typebox';
import { CastingMode, MembershipMode } from '../../../protocol/channel/type.js';
import { HubChannelMetadata } from '../../../schema/hub/channel.js';
import { operation } from '../../http/operation.js';
import { CHANNEL_ID_TEXT, channelIdQuery, requireChannel } from './channel-parameter.js';

/** Absent and unknown modes are the strictest one. */
const castingModeName = (mode: number): HubChannelMetadata['castingMode'] => {
  if (mode === CastingMode.everyone) return 'CASTING_MODE_EVERYONE';
  return mode === CastingMode.recommended ? 'CASTING_MODE_RECOMMENDED' : 'CASTING_MODE_MEMBERS_ONLY';
};

const membershipModeName = (mode: number): HubChannelMetadata['membershipMode'] =>
  mode === MembershipMode.open ? 'MEMBERSHIP_MODE_OPEN' : 'MEMBERSHIP_MODE_APPROVAL';

export const hubLookupChannelMetadata = operation({
  id: 'hub-lookup-channel-metadata',
  path: '/v1/channelMetadata',
  tags: ['Hub Channels'],
  title: 'Get the description of a channel',
  summary: "Own extension: read what the owner of one of the protocol's channels says about it.",
  cost: { fixed: 2 },
  query: Type.Object({ channelId: channelIdQuery }),
  parameters: { channelId: CHANNEL_ID_TEXT },
  response: HubChannelMetadata,
  errors: [400, 404],
  handle: async ({ query }, { db }) => {
    const { name, description, imageUrl, header, rules, ...modes } = await requireChannel(db, query.channelId);
    return {
      ...{ name, description, imageUrl, header, rules },
      castingMode: castingModeName(modes.castingMode),
      membershipMode: membershipModeName(modes.membershipMode),
    };
  },
});
