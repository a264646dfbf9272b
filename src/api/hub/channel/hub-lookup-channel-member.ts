import Type from 'typebox';
import { HubChannelMember, type HubChannelMemberState } from '../../../schema/hub/channel.js';
import { selectChannelSlot } from '../../../store/hub/channel-slot.js';
import { operation } from '../../http/operation.js';
import { MEMBER_STATE } from './channel-json.js';
import { CHANNEL_ID_TEXT, channelFidQuery, channelIdQuery, requireChannel } from './channel-parameter.js';

const NO_STATE: HubChannelMemberState = 'CHANNEL_MEMBER_STATE_NONE';

export const hubLookupChannelMember = operation({
  id: 'hub-lookup-channel-member',
  path: '/v1/channelMember',
  tags: ['Hub Channels'],
  title: 'Get what an account is to a channel',
  summary:
    "Own extension: tell whether an account is a member or moderator of one of the protocol's channels, was removed or is " +
    'banned. The owner is one without being a member.',
  cost: { fixed: 2 },
  query: Type.Object({ channelId: channelIdQuery, fid: channelFidQuery }),
  parameters: { channelId: CHANNEL_ID_TEXT, fid: { description: 'The account.', example: 1 } },
  response: HubChannelMember,
  errors: [400, 404],
  handle: async ({ query: { channelId, fid } }, { db }) => {
    const { id } = await requireChannel(db, channelId);
    const slot = await selectChannelSlot(db, id, fid);
    if (slot === undefined) return { state: NO_STATE };
    const { actedTs } = slot;
    const state: HubChannelMemberState = MEMBER_STATE[slot.state];
    return { state, ...(actedTs === null ? {} : { lastActionTs: actedTs }) };
  },
});
