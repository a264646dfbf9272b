import Type from 'typebox';
import { toHex } from '../../../hex.js';
import { HubChannelModerationsResponse } from '../../../schema/hub/channel.js';
import { selectChannelModerations } from '../../../store/hub/channel-slot.js';
import { operation } from '../../http/operation.js';
import { bytesPlace, listPageQuery, readListPage } from '../list-page.js';
import { CHANNEL_ID_TEXT, channelIdQuery, requireChannel } from './channel-parameter.js';

export const hubFetchChannelModerations = operation({
  id: 'hub-fetch-channel-moderations',
  path: '/v1/channelModerations',
  tags: ['Hub Channels'],
  title: 'List moderated casts of a channel',
  summary: "Own extension: list the casts that one of the protocol's channels hid, or shows again, by hash.",
  cost: { fixed: 200 },
  query: Type.Object({ channelId: channelIdQuery, ...listPageQuery }),
  parameters: { channelId: CHANNEL_ID_TEXT },
  response: HubChannelModerationsResponse,
  errors: [400, 404],
  handle: async ({ query }, { db }) => {
    const { id } = await requireChannel(db, query.channelId);
    const { rows, next } = await readListPage(
      ['channelModerations', id.toString('hex')],
      query,
      bytesPlace,
      (page) => selectChannelModerations(db, id, page),
      ({ castHash }) => castHash,
    );
    const moderations = rows.map(({ castHash, hidden, moderatedBy }) => ({
      castHash: toHex(castHash),
      action: hidden ? ('CHANNEL_MODERATE_ACTION_HIDE' as const) : ('CHANNEL_MODERATE_ACTION_UNHIDE' as const),
      authorFid: moderatedBy ?? 0,
    }));
    return { moderations, ...next };
  },
});
