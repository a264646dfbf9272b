import type { Author } from '../../src/sample/author.js';
import { ChannelWorld, channelId, channelRow } from './channel-world.js';
import { cases, type Front, list } from './front.js';

interface State {
  readonly front: Front;
  readonly fans: readonly Author[];
  readonly stranger: number;
}

const KEY = 'followed';
const ID = channelId(KEY);
const row = channelRow<State>;

interface Follower {
  readonly fid: number;
  readonly followedAt: number;
}
const showFollowers = ({ followers }: { followers: readonly Follower[] }, { front }: State): string =>
  list(followers.map(({ fid }) => front.labels.fid(fid)));
const showCount = ({ count }: { count: number }): string => String(count);
const showFollows = ({ follows }: { follows: readonly { channelId: string; followedAt: number }[] }): string =>
  list(
    follows.map(
      ({ channelId: id, followedAt }) =>
        `${id === `0x${ID.toString('hex')}` ? KEY : id}${followedAt > 0 ? ', a time' : ''}`,
    ),
  );
const showFollowing = ({ following, followedAt }: { following: boolean; followedAt?: number }): string =>
  `${following ? 'yes' : 'no'}${followedAt === undefined ? '' : ', a time'}`;

const ONE_SHARD = 'This service has one shard, which has everything.';
const BAD_TOKENS = [
  'of a shard that is not there',
  'without its places',
  'with a shard twice',
  'with a member too much',
];
const text = (value: string) => Buffer.from(value).toString('base64');

export const SNAPCHAIN_CHANNEL_FOLLOW = cases({
  peer: 'snapchain',
  file: 'server_tests.rs',
  id: 'snapchain-channel-follow',
  over: 'grpc',
  state: async (front): Promise<State> => {
    const world = new ChannelWorld(front);
    await world.owner(KEY);
    const fans: Author[] = [];
    for (const name of ['a', 'b', 'c', 'd']) fans.push(await front.account(name));
    await front.store(...fans.map((fan) => world.follow(fan, KEY)));
    const late = await front.account('late');
    await front.store(world.follow(late, 'unminted'));
    return { front, fans, stranger: front.stranger().fid };
  },
  rows: [
    row(
      'followers of accounts in all shards',
      ['getChannelFollowers', '[a, b, c, d]'],
      () => ({ channelId: ID }),
      showFollowers,
    ),
    row('their number', ['getChannelFollowerCount', '4'], () => ({ channelId: ID }), showCount),
    row(
      'in pages of one, each once',
      ['getChannelFollowers', '[a]'],
      () => ({ channelId: ID, pageSize: 1 }),
      showFollowers,
    ),
    row(
      'in pages of one, the page after it',
      ['getChannelFollowers', '[b]'],
      () => ({ channelId: ID, pageSize: 1 }),
      showFollowers,
      { next: () => ({ channelId: ID, pageSize: 1 }) },
    ),
    row(
      'in the opposite order, in pages of one',
      ['getChannelFollowers', '[d]'],
      () => ({ channelId: ID, pageSize: 1, reverse: true }),
      showFollowers,
    ),
    row(
      'in the opposite order, the rest',
      ['getChannelFollowers', '[c, b, a]'],
      () => ({ channelId: ID, pageSize: 1, reverse: true }),
      showFollowers,
      { next: () => ({ channelId: ID, reverse: true }) },
    ),
    row(
      'an id of 31 bytes',
      ['getChannelFollowers', 'INVALID_ARGUMENT'],
      () => ({ channelId: new Uint8Array(31) }),
      showFollowers,
    ),
    row(
      'a page of none',
      ['getChannelFollowers', 'INVALID_ARGUMENT'],
      () => ({ channelId: ID, pageSize: 0 }),
      showFollowers,
    ),
    ...BAD_TOKENS.map((what, index) =>
      row(
        `a token ${what}`,
        ['getChannelFollowers', 'INVALID_ARGUMENT'],
        () => ({ channelId: ID, pageToken: text(`[{"shard_id":${index}}]`) }),
        showFollowers,
      ),
    ),
    row(
      'the number of followers of a channel that nobody registered',
      ['getChannelFollowerCount', '1'],
      () => ({ channelId: channelId('unminted') }),
      showCount,
      {
        http: '0',
        reason: 'Follows are kept of registered channels; an address of another token is a page like any other.',
      },
    ),
    row(
      'the channels that an account follows',
      ['getChannelFollows', `[${KEY}, a time]`],
      ({ fans }) => ({ fid: fans[0]?.fid }),
      showFollows,
    ),
    row(
      'whether an account follows a channel: it does',
      ['isFollowingChannel', 'yes, a time'],
      ({ fans }) => ({ channelId: ID, fid: fans[0]?.fid }),
      showFollowing,
    ),
    row(
      'whether an account follows a channel: it does not',
      ['isFollowingChannel', 'no'],
      ({ stranger }) => ({ channelId: ID, fid: stranger }),
      showFollowing,
    ),
    ...['followers', 'the number of followers', 'whether an account follows', 'what an account follows'].map(
      (what) => ({
        title: `${what}, of a hub that lacks a shard`,
        theirs: what.startsWith('w') ? 'the answer' : 'FAILED_PRECONDITION',
        nothing: ONE_SHARD,
      }),
    ),
  ],
});
