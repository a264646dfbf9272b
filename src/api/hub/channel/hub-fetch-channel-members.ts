import Type from 'typebox';
import type { SlotState } from '../../../protocol/channel/authority.js';
import { HubChannelMemberState, HubChannelMembersResponse } from '../../../schema/hub/channel.js';
import { selectChannelSlots } from '../../../store/hub/channel-slot.js';
import { operation } from '../../http/operation.js';
import { fidPlace, listPageQuery, readListPage } from '../list-page.js';
import { MEMBER_STATE } from './channel-json.js';
import { CHANNEL_ID_TEXT, channelIdQuery, requireChannel } from './channel-parameter.js';

const SLOT_STATES = Object.keys(MEMBER_STATE) as SlotState[];

export const hubFetchChannelMembers = operation({
  id: 'hub-fetch-channel-members',
  path: '/v1/channelMembers',
  tags: ['Hub Channels'],
  title: 'List members of a channel',
  summary: "Own extension: list the accounts that are or were something to one of the protocol's channels, by fid.",
  cost: { fixed: 200 },
  query: Type.Object({
    channelId: channelIdQuery,
    stateFilter: Type.Optional(HubChannelMemberState),
    ...listPageQuery,
  }),
  parameters: {
    channelId: CHANNEL_ID_TEXT,
    stateFilter: {
      description: 'Only accounts with this state; all when absent or `CHANNEL_MEMBER_STATE_NONE`.',
      example: 'CHANNEL_MEMBER_STATE_MODERATOR',
    },
  },
  response: HubChannelMembersResponse,
  errors: [400, 404],
  handle: async ({ query }, { db }) => {
    const { id } = await requireChannel(db, query.channelId);
    const state = SLOT_STATES.find((one) => MEMBER_STATE[one] === query.stateFilter);
    const { rows, next } = await readListPage(
      ['channelMembers', id.toString('hex'), state ?? null],
      query,
      fidPlace,
      (page) => selectChannelSlots(db, id, state, page),
      ({ fid }) => fid,
    );
    return { members: rows.map((row) => ({ fid: row.fid, state: MEMBER_STATE[row.state] })), ...next };
  },
});
