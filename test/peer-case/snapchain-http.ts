import type { Author } from '../../src/sample/author.js';
import { ChannelWorld, channelId } from './channel-world.js';
import { cases, type Front } from './front.js';
import type { TriedRow } from './peer-case.js';

interface State {
  readonly front: Front;
  readonly owner: Author;
  readonly fan: Author;
}

const KEY = 'shapes';
const ID = `0x${channelId(KEY).toString('hex')}`;
const INSIDE = 'It is a function of the peer that chooses a status; faults of our own are 500, and tried elsewhere.';

// biome-ignore lint/suspicious/noExplicitAny: bodies of all paths
type Body = any;

/** A case about the form of an answer, which has none over gRPC. */
const row = (
  title: string,
  theirs: string,
  call: string,
  query: (state: State) => Record<string, unknown>,
  show: (body: Body, state: State) => string,
  more: Partial<TriedRow<State>> = {},
): TriedRow<State> => ({
  ...{ title, theirs, call, other: null, ...more },
  run: async (state) => {
    const { status, body } = await state.front.http({ path: call, query: query(state) });
    return status === 200 ? show(body, state) : `${status} ${body.errCode}`;
  },
});

const keys = (value: object): string => Object.keys(value).join(', ');
const token = async ({ front }: State): Promise<string> =>
  (await front.http({ path: 'channelMembers', query: { channelId: ID, pageSize: 1 } })).body.nextPageToken;
const members = ({ members: found }: Body): string => String(found.length);

/** @param name of the parameter with the token @param change what happens to the token on its way */
const tokenRow = (title: string, name: string, change = (text: string) => text): TriedRow<State> => ({
  ...{ title, theirs: '1', call: 'channelMembers', other: null },
  run: async (state) => {
    const query = { channelId: ID, [name]: change(await token(state)) };
    return members((await state.front.http({ path: 'channelMembers', query })).body);
  },
});

const NULLS = ['name', 'description', 'imageUrl', 'header', 'rules'];
const bare = ID.slice(2);

export const SNAPCHAIN_HTTP = cases({
  peer: 'snapchain',
  file: 'http_server_tests.rs',
  id: 'snapchain-http',
  over: 'http',
  state: async (front): Promise<State> => {
    const world = new ChannelWorld(front);
    const [owner, fan] = [await world.owner(KEY), await front.account('fan')];
    await front.store(world.follow(fan, KEY));
    await world.send(
      world.member(owner, KEY, fan.fid, 'addModerator'),
      world.member(owner, KEY, owner.fid + 50, 'add'),
    );
    return { front, owner, fan };
  },
  rows: [
    row(
      'the nonce of the account',
      '0',
      'signersByFid',
      ({ fan }) => ({ fid: fan.fid }),
      (body) => String(body.currentUserNonce),
    ),
    row(
      'the nonces of apps are an object by account',
      '7777: 0, 8888: 0',
      'signersByFid',
      ({ fan }) => ({ fid: fan.fid, requesterFids: '7777,8888' }),
      (body) =>
        Object.entries(body.requesterFidNonces)
          .map(([fid, nonce]) => `${fid}: ${nonce}`)
          .join(', '),
    ),
    row(
      'the owner of a channel: its members',
      'fid, ownerAddress, expiry',
      'channelOwner',
      () => ({ channel_key: KEY }),
      keys,
    ),
    row(
      'the owner of a channel: the address in small hex',
      '0x and 40 digits',
      'channelOwner',
      () => ({ channel_key: KEY }),
      ({ ownerAddress }) => (/^0x[0-9a-f]{40}$/.test(ownerAddress) ? '0x and 40 digits' : ownerAddress),
    ),
    row(
      'a member: the name of the state, and the time',
      'CHANNEL_MEMBER_STATE_MODERATOR, a number',
      'channelMember',
      ({ fan }) => ({ channelId: ID, fid: fan.fid }),
      ({ state, lastActionTs }) => `${state}, a ${typeof lastActionTs}`,
    ),
    {
      ...{
        title: 'a pin: the hash in hex, and the account',
        theirs: '0xab… by owner',
        call: 'channelPin',
        other: null,
      },
      run: async ({ front, owner }) => {
        const world = new ChannelWorld(front);
        await world.send(world.pin(owner, KEY, new Uint8Array(20).fill(0xab)));
        const { pin } = (await front.http({ path: 'channelPin', query: { channelId: ID } })).body;
        return `${pin.castHash.slice(0, 4)}… by ${front.labels.fid(pin.authorFid)}`;
      },
    },
    {
      ...{ title: 'no pin', theirs: 'null', call: 'channelPin', other: null },
      run: async ({ front, owner }) => {
        const world = new ChannelWorld(front);
        await world.send(world.pin(owner, KEY));
        return String((await front.http({ path: 'channelPin', query: { channelId: ID } })).body.pin);
      },
    },
    row(
      'modes by their names',
      'CASTING_MODE_MEMBERS_ONLY, MEMBERSHIP_MODE_APPROVAL',
      'channelMetadata',
      () => ({ channelId: ID }),
      (body) => `${body.castingMode}, ${body.membershipMode}`,
    ),
    row(
      'texts that were cleared are null, not absent',
      'null, null, null, null, null',
      'channelMetadata',
      () => ({ channelId: ID }),
      (body) => NULLS.map((name) => JSON.stringify(body[name])).join(', '),
    ),
    {
      ...{
        title: 'one text is set, another is not',
        theirs: '"Channel name", null',
        call: 'channelMetadata',
        other: null,
      },
      run: async ({ front, owner }) => {
        const world = new ChannelWorld(front);
        await world.send(world.update(owner, KEY, { 2: 'Channel name' }));
        const { body } = await front.http({ path: 'channelMetadata', query: { channelId: ID } });
        return [body.name, body.description].map((text) => JSON.stringify(text)).join(', ');
      },
    },
    tokenRow('a token in page_token', 'page_token'),
    tokenRow('a token in pageToken', 'pageToken'),
    tokenRow('a token whose plus came as a space', 'pageToken', (text) => text.replaceAll('+', ' ')),
    row('an empty token is the first page', '2', 'channelMembers', () => ({ channelId: ID, pageToken: '' }), members),
    row('no token is the first page', '2', 'channelMembers', () => ({ channelId: ID }), members),
    row(
      'a token that is not base64',
      '400',
      'channelMembers',
      () => ({ channelId: ID, pageToken: '!!not-base64!!' }),
      members,
    ),
    row(
      'no token for the channels of an account',
      '1',
      'channelMembershipsByFid',
      ({ fan }) => ({ fid: fan.fid, pageToken: '' }),
      ({ memberships }) => String(memberships.length),
    ),
    { title: 'a fault of the service', theirs: '500', nothing: INSIDE },
    { title: 'a fault of the request', theirs: '400', nothing: INSIDE },
    { title: 'the status is not in the body', theirs: 'absent', nothing: INSIDE },
    row(
      'a state in stateFilter',
      '1',
      'channelMembers',
      () => ({ channelId: ID, stateFilter: 'CHANNEL_MEMBER_STATE_MODERATOR' }),
      members,
    ),
    row(
      'a state in state_filter',
      '0',
      'channelMembers',
      () => ({ channelId: ID, state_filter: 'CHANNEL_MEMBER_STATE_BANNED' }),
      members,
    ),
    row(
      'a peer, with its addresses, its name and its version',
      'one peer',
      'currentPeers',
      () => ({}),
      ({ contacts }) => (contacts.length === 0 ? 'none' : 'one peer'),
      { ours: 'none', reason: 'This service takes no part in the gossip of hubs, so it has no peers.' },
    ),
    row(
      'followers with pageSize',
      '1',
      'channelFollowers',
      () => ({ channelId: ID, pageSize: 25 }),
      ({ followers }) => String(followers.length),
    ),
    row(
      'followers with page_size',
      '1',
      'channelFollowers',
      () => ({ channelId: ID, page_size: 7 }),
      ({ followers }) => String(followers.length),
    ),
    row(
      'an id without 0x',
      '1',
      'channelFollowerCount',
      () => ({ channelId: bare }),
      ({ count }) => String(count),
    ),
    row(
      'what an account follows, with pageSize',
      '1',
      'channelFollows',
      ({ fan }) => ({ fid: fan.fid, pageSize: 3 }),
      ({ follows }) => String(follows.length),
    ),
    row(
      'whether an account follows, by fid and channelId',
      'true',
      'isFollowingChannel',
      ({ fan }) => ({ fid: fan.fid, channelId: ID }),
      ({ following }) => String(following),
    ),
    row(
      'a follower has followedAt',
      'fid, followedAt',
      'channelFollowers',
      () => ({ channelId: ID }),
      ({ followers }) => keys(followers[0]),
    ),
    row('no token at the end: absent', 'followers', 'channelFollowers', () => ({ channelId: ID }), keys),
    row(
      'a followed channel is hex',
      'the id',
      'channelFollows',
      ({ fan }) => ({ fid: fan.fid }),
      ({ follows }) => (follows[0].channelId === ID ? 'the id' : follows[0].channelId),
    ),
    row(
      'who follows has followedAt',
      'following, followedAt',
      'isFollowingChannel',
      ({ fan }) => ({ fid: fan.fid, channelId: ID }),
      keys,
    ),
    row(
      'who does not follow has none',
      'following',
      'isFollowingChannel',
      ({ owner }) => ({ fid: owner.fid, channelId: ID }),
      keys,
    ),
  ],
});
