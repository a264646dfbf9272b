import Type from 'typebox';
import { toHex } from '../../../hex.js';
import { HubChannelMembershipsResponse } from '../../../schema/hub/channel.js';
import { selectChannelMemberships } from '../../../store/hub/channel-slot.js';
import { operation } from '../../http/operation.js';
import { bytesPlace, listPageQuery, readListPage } from '../list-page.js';
import { MEMBER_STATE } from './channel-json.js';
import { channelFidQuery } from './channel-parameter.js';

export const hubFetchChannelMembershipsByFid = operation({
  id: 'hub-fetch-channel-memberships-by-fid',
  path: '/v1/channelMembershipsByFid',
  tags: ['Hub Channels'],
  title: 'List channel memberships of an account',
  summary: "Own extension: list what an account is or was to the protocol's channels, by the id of the channel.",
  cost: { fixed: 200 },
  query: Type.Object({ fid: channelFidQuery, ...listPageQuery }),
  parameters: { fid: { description: 'The account.', example: 1 } },
  response: HubChannelMembershipsResponse,
  handle: async ({ query }, { db }) => {
    const { rows, next } = await readListPage(
      ['channelMembershipsByFid', query.fid],
      query,
      bytesPlace,
      (page) => selectChannelMemberships(db, query.fid, page),
      ({ channelId }) => channelId,
    );
    const memberships = rows.map((row) => ({ channelId: toHex(row.channelId), state: MEMBER_STATE[row.state] }));
    return { memberships, ...next };
  },
});
