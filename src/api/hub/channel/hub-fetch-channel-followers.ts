import Type from 'typebox';
import { bareHex } from '../../../hex.js';
import { HubChannelFollowersResponse } from '../../../schema/hub/channel.js';
import { selectChannelFollowers } from '../../../store/hub/channel.js';
import { operation } from '../../http/operation.js';
import { fidPlace, listPageQuery, readListPage } from '../list-page.js';
import { followTime } from './channel-json.js';
import { CHANNEL_ID_TEXT, channelIdOfText, channelIdQuery } from './channel-parameter.js';

export const hubFetchChannelFollowers = operation({
  id: 'hub-fetch-channel-followers',
  path: '/v1/channelFollowers',
  tags: ['Hub Channels'],
  title: 'List followers of a channel',
  summary:
    "Own extension: list the accounts that follow one of the protocol's channels, which is a like of its URL, by fid. Only " +
    'channels that this service shows have followers here.',
  cost: { fixed: 200 },
  query: Type.Object({ channelId: channelIdQuery, ...listPageQuery }),
  parameters: { channelId: CHANNEL_ID_TEXT },
  response: HubChannelFollowersResponse,
  handle: async ({ query }, { db }) => {
    const id = channelIdOfText(query.channelId);
    const { rows, next } = await readListPage(
      ['channelFollowers', bareHex(id)],
      query,
      fidPlace,
      (page) => selectChannelFollowers(db, id, page),
      ({ fid }) => fid,
    );
    return { followers: rows.map((row) => ({ fid: row.fid, followedAt: followTime(row.followedAt) })), ...next };
  },
});
