import type { Author } from '../../src/sample/author.js';
import {
  ChannelWorld,
  channelId,
  channelRow,
  showMember,
  showMembers,
  showMemberships,
  showMetadata,
  showModerations,
  showPin,
} from './channel-world.js';
import { cases, type Front } from './front.js';

interface State {
  readonly front: Front;
  readonly world: ChannelWorld;
  readonly owner: Author;
  readonly moderator: number;
  readonly banned: number;
  readonly nobody: number;
  readonly tokens: Author;
}

const KEY = 'message_reads';
const ID = channelId(KEY);
const [PINNED, HIDDEN] = [new Uint8Array(20).fill(0xab), new Uint8Array(20).fill(0xcd)];
const UNREGISTERED = new Uint8Array(32).fill(0x99);
const MALFORMED = new Uint8Array(31).fill(0x11);
const row = channelRow<State>;

/** Cases with the same request in several calls. */
const OF_CHANNEL = ['getChannelMembers', 'getChannelPin', 'getChannelModerations', 'getChannelMetadata'];
const badIds = (what: string, theirs: string, id: Uint8Array) => [
  row(`${what}: a member`, ['getChannelMember', theirs], () => ({ channelId: id, fid: 101 }), showMember),
  ...OF_CHANNEL.map((call) =>
    row(
      what,
      [call, theirs],
      () => ({ channelId: id }),
      () => 'an answer',
    ),
  ),
];
const badFids = [0, 2 ** 32, 2 ** 53].flatMap((fid) => [
  row(`the account ${fid}`, ['getChannelMember', 'INVALID_ARGUMENT'], () => ({ channelId: ID, fid }), showMember),
  row(`the account ${fid}`, ['getChannelMembershipsByFid', 'INVALID_ARGUMENT'], () => ({ fid }), showMemberships),
]);

const INSIDE = 'It is about how the peer names faults of its own database.';

export const SNAPCHAIN_CHANNEL_MESSAGE = cases({
  peer: 'snapchain',
  file: 'server_tests.rs',
  id: 'snapchain-channel-message',
  over: 'grpc',
  state: async (front): Promise<State> => {
    const world = new ChannelWorld(front);
    const owner = await world.owner(KEY);
    const [moderator, banned] = [await front.account('moderator'), await front.account('banned')];
    const tokens = await world.owner('token-scope-a');
    await world.register(tokens.wallet(1).address, ['token-scope-b', 'unconfigured', 'none-filter']);
    const nobody = front.stranger('nobody').fid;
    return { front, world, owner, moderator: moderator.fid, banned: banned.fid, nobody, tokens };
  },
  rows: [
    row(
      'an account of which nothing was said',
      ['getChannelMember', 'NONE'],
      ({ moderator }) => ({ channelId: ID, fid: moderator }),
      showMember,
    ),
    row(
      'a moderator, with the time of the message',
      ['getChannelMember', 'MODERATOR, a time'],
      async ({ world, owner, moderator, banned }, surface) => {
        if (surface === 'grpc')
          await world.send(
            world.update(owner, KEY, { 2: 'Channel name', 4: 'https://example.com/image.png' }),
            world.member(owner, KEY, moderator, 'addModerator'),
            world.member(owner, KEY, banned, 'ban'),
            world.pin(owner, KEY, PINNED),
            world.moderate(owner, KEY, HIDDEN),
          );
        return { channelId: ID, fid: moderator };
      },
      (body) => `${showMember(body)}, ${body.lastActionTs > 0 ? 'a time' : 'no time'}`,
    ),
    row(
      'a page of one member',
      ['getChannelMembers', '1 and a token'],
      () => ({ channelId: ID, pageSize: 1 }),
      ({ members, nextPageToken }) => `${members.length} and ${nextPageToken ? 'a token' : 'no token'}`,
    ),
    row(
      'moderators only',
      ['getChannelMembers', '[moderator MODERATOR]'],
      () => ({ channelId: ID, stateFilter: 'CHANNEL_MEMBER_STATE_MODERATOR' }),
      showMembers,
    ),
    row(
      'the channels of an account',
      ['getChannelMembershipsByFid', '[MODERATOR]'],
      ({ moderator }) => ({ fid: moderator }),
      showMemberships,
    ),
    row('a pin, with the account that set it', ['getChannelPin', '0xab by owner'], () => ({ channelId: ID }), showPin),
    row(
      'a hidden cast, with the account that hid it',
      ['getChannelModerations', '[0xcd HIDE by owner]'],
      () => ({ channelId: ID }),
      showModerations,
    ),
    row(
      'a name, and the modes that were not set',
      ['getChannelMetadata', 'Channel name, MEMBERS_ONLY, APPROVAL'],
      () => ({ channelId: ID }),
      showMetadata,
    ),
    row('an id of 31 bytes, alone', ['getChannelPin', 'INVALID_ARGUMENT'], () => ({ channelId: MALFORMED }), showPin),
    row(
      'an id that nobody registered, alone',
      ['getChannelPin', 'NOT_FOUND'],
      () => ({ channelId: UNREGISTERED }),
      showPin,
    ),
    row(
      'a page of one of two members of a channel',
      ['getChannelMembers', '1'],
      async ({ world, tokens, moderator, banned }, surface) => {
        if (surface === 'grpc')
          await world.send(
            world.member(tokens, 'token-scope-a', moderator, 'add'),
            world.member(tokens, 'token-scope-a', banned, 'add'),
            world.member(tokens, 'token-scope-b', moderator, 'ban'),
          );
        return { channelId: channelId('token-scope-a'), pageSize: 1 };
      },
      ({ members }) => String(members.length),
    ),
    row(
      'a token of the members of another channel',
      ['getChannelMembers', 'INVALID_ARGUMENT'],
      () => ({ channelId: channelId('token-scope-a'), pageSize: 1 }),
      showMembers,
      { next: () => ({ channelId: channelId('token-scope-b') }) },
    ),
    {
      ...row(
        'a token of the members of a channel for the channels of an account',
        ['getChannelMembershipsByFid', 'INVALID_ARGUMENT'],
        () => ({}),
        showMemberships,
      ),
      request: async ({ front, moderator }) => {
        const { body } = await front.http({
          path: 'channelMembers',
          query: { channelId: hexOf('token-scope-a'), pageSize: 1 },
        });
        return { fid: moderator, pageToken: body.nextPageToken };
      },
    },
    row(
      'an empty token is the first page: members',
      ['getChannelMembers', '2'],
      () => ({ channelId: channelId('token-scope-a'), pageToken: '' }),
      ({ members }) => String(members.length),
    ),
    row(
      'an empty token is the first page: channels of an account',
      ['getChannelMembershipsByFid', '3'],
      ({ moderator }) => ({ fid: moderator, pageToken: '' }),
      ({ memberships }) => String(memberships.length),
    ),
    row(
      'an empty token is the first page: hidden casts',
      ['getChannelModerations', '[]'],
      () => ({ channelId: channelId('token-scope-b'), pageToken: '' }),
      showModerations,
    ),
    row(
      'a token of the channel goes on after the page before',
      ['getChannelMembers', '[banned MEMBER]'],
      () => ({ channelId: channelId('token-scope-a'), pageSize: 1 }),
      showMembers,
      { next: () => ({ channelId: channelId('token-scope-a'), pageSize: 10 }) },
    ),
    {
      title: 'faults of requests in the database are the fault of the caller',
      theirs: 'INVALID_ARGUMENT',
      nothing: INSIDE,
    },
    { title: 'faults of what is stored are those of the peer', theirs: 'INTERNAL', nothing: INSIDE },
    ...badFids,
    row(
      'a state that is none',
      ['getChannelMembers', 'INVALID_ARGUMENT'],
      () => ({ channelId: ID, stateFilter: '99' }),
      showMembers,
    ),
    ...badIds('an id of 31 bytes', 'INVALID_ARGUMENT', MALFORMED),
    ...badIds('an id that nobody registered', 'NOT_FOUND', UNREGISTERED),
    row(
      'an account in no channel',
      ['getChannelMembershipsByFid', '[]'],
      ({ nobody }) => ({ fid: nobody }),
      showMemberships,
    ),
    row(
      'a channel that was never described: nothing, and the strictest modes',
      ['getChannelMetadata', 'no name, MEMBERS_ONLY, APPROVAL'],
      () => ({ channelId: channelId('unconfigured') }),
      showMetadata,
    ),
    row(
      'a description without modes keeps them',
      ['getChannelMetadata', 'Name only, MEMBERS_ONLY, APPROVAL'],
      async ({ world, tokens }, surface) => {
        if (surface === 'grpc') await world.send(world.update(tokens, 'unconfigured', { 2: 'Name only' }));
        return { channelId: channelId('unconfigured') };
      },
      showMetadata,
    ),
    row(
      'members, moderators and banned ones without a state',
      ['getChannelMembers', '3'],
      async ({ world, tokens, moderator, banned, nobody }, surface) => {
        if (surface === 'grpc')
          await world.send(
            world.member(tokens, 'none-filter', nobody, 'add'),
            world.member(tokens, 'none-filter', moderator, 'addModerator'),
            world.member(tokens, 'none-filter', banned, 'ban'),
          );
        return { channelId: channelId('none-filter') };
      },
      ({ members }) => String(members.length),
    ),
    row(
      'the state none is no state',
      ['getChannelMembers', '3'],
      () => ({ channelId: channelId('none-filter'), stateFilter: 'CHANNEL_MEMBER_STATE_NONE' }),
      ({ members }) => String(members.length),
    ),
    row(
      'banned ones only',
      ['getChannelMembers', '[banned BANNED]'],
      () => ({ channelId: channelId('none-filter'), stateFilter: 'CHANNEL_MEMBER_STATE_BANNED' }),
      showMembers,
    ),
    ...['getChannelMembers', 'getChannelModerations'].map((call) =>
      row(
        'a page of none',
        [call, 'INVALID_ARGUMENT'],
        () => ({ channelId: ID, pageSize: 0 }),
        () => 'an answer',
      ),
    ),
    row(
      'a page of none',
      ['getChannelMembershipsByFid', 'INVALID_ARGUMENT'],
      ({ moderator }) => ({ fid: moderator, pageSize: 0 }),
      showMemberships,
    ),
    row(
      'no size of the page',
      ['getChannelMembers', '2'],
      () => ({ channelId: ID }),
      ({ members }) => String(members.length),
    ),
  ],
});

const hexOf = (key: string): string => `0x${channelId(key).toString('hex')}`;
