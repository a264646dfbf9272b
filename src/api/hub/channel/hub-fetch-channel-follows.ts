import Type from 'typebox';
import { toHex } from '../../../hex.js';
import { channelIdOf } from '../../../protocol/channel/identity.js';
import { HubChannelFollowsResponse } from '../../../schema/hub/channel.js';
import { type FollowPlace, selectChannelFollows } from '../../../store/hub/channel.js';
import { operation } from '../../http/operation.js';
import { listPageQuery, type PlaceCodec, readListPage } from '../list-page.js';
import { numberPosition, readNumberPosition } from '../list-token.js';
import { followTime } from './channel-json.js';
import { channelFidQuery } from './channel-parameter.js';

const TIME_BYTES = 8;

const followPlace: PlaceCodec<FollowPlace> = {
  write: ({ followedAt, key }) => Buffer.concat([numberPosition(followedAt.getTime()), Buffer.from(key, 'utf8')]),
  read: (position) => ({
    followedAt: new Date(readNumberPosition(position)),
    key: position.subarray(TIME_BYTES).toString('utf8'),
  }),
};

export const hubFetchChannelFollows = operation({
  id: 'hub-fetch-channel-follows',
  path: '/v1/channelFollows',
  tags: ['Hub Channels'],
  title: 'List channels that an account follows',
  summary:
    "Own extension: list the protocol's channels that an account follows, the earliest follow first. Only channels that " +
    'this service shows are listed.',
  cost: { fixed: 200 },
  query: Type.Object({ fid: channelFidQuery, ...listPageQuery }),
  parameters: {
    fid: { description: 'The account.', example: 1 },
    reverse: { description: 'The latest follow first.' },
  },
  response: HubChannelFollowsResponse,
  handle: async ({ query }, { db }) => {
    const { rows, next } = await readListPage(
      ['channelFollows', query.fid],
      query,
      followPlace,
      (page) => selectChannelFollows(db, query.fid, page),
      (row) => row,
    );
    const follows = rows.map(({ key, followedAt }) => ({
      channelId: toHex(channelIdOf(key)),
      followedAt: followTime(followedAt),
    }));
    return { follows, ...next };
  },
});
