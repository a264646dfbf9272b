import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { channelIdOf, channelUrl } from '../src/protocol/channel/identity.js';
import type { Author } from '../src/sample/author.js';
import type { Signed } from '../src/sample/signed-message.js';
import { channelMessage, channelRegistration, wireOf } from './support/channel-message.js';
import { hex } from './support/hub-api.js';
import { alteredTokens, readHubList } from './support/hub-list.js';
import { type Network, startNetwork } from './support/network.js';
import { FIDS, SEED, type Seeded, seedBasics } from './support/seed.js';

/** The reads of the protocol's channels that hubs of version 21 answer. */

const REGISTRAR = 'eip155:31337/erc721:0x5FbDB2315678afecb367f032d93F642f64180aa3';
const KEY = 'gardens';
const ID = hex(channelIdOf(KEY));
const LARGE_FID = 2 ** 32 + 7;
const ACTION = { add: 1, remove: 2, addModerator: 3, removeModerator: 4, ban: 5, unban: 6 } as const;

let network: Network;
let seeded: Seeded;
beforeAll(async () => {
  network = await startNetwork({ CASTELLAN_CHANNEL_REGISTRAR: REGISTRAR });
  seeded = await seedBasics((items) => network.load(items));
  await network.load([channelRegistration({ key: KEY, owner: seeded.alice.wallet(1).address, label: 'Gardens' })]);
});
afterAll(() => network.stop());

/** @returns a message about a channel, of now */
const about = (who: Author, type: number, body: Uint8Array, key = KEY): Signed =>
  channelMessage(
    { seed: SEED, fid: who.fid, at: seeded.clock.tick() },
    type,
    new Uint8Array(Buffer.concat([wireOf({ 1: channelIdOf(key) }), body])),
  );
const member = (who: Author, fid: number, action: keyof typeof ACTION, key = KEY): Signed =>
  about(who, 19, wireOf({ 2: fid, 3: ACTION[action] }), key);
const pin = (who: Author, hash?: Uint8Array): Signed => about(who, 20, wireOf({ 2: hash }));
const moderate = (who: Author, hash: Uint8Array, action: number): Signed =>
  about(who, 21, wireOf({ 2: hash, 3: action }));
const send = (...messages: readonly Signed[]) => network.load(messages.map(({ item }) => item));
const castHash = (index: number): Uint8Array => new Uint8Array(20).fill(index);

const get = async (path: string) => {
  const { status, body } = await network.get(path);
  return { status, body };
};
const found = async (path: string) => {
  const { status, body } = await get(path);
  expect({ path, status, body }).toMatchObject({ path, status: 200 });
  return body;
};
const missing = async (path: string): Promise<void> => {
  expect(await get(path)).toMatchObject({ status: 404, body: { errCode: 'not_found', name: 'HubError' } });
};
const refused = async (path: string, details: RegExp): Promise<void> => {
  const { status, body } = await get(path);
  expect({ path, status, errCode: body.errCode }).toEqual({ path, status: 400, errCode: 'bad_request.invalid_param' });
  expect(body.details).toMatch(details);
};

/** Reads a list in pages of several sizes. @returns its entries, which are the same in each, and in reverse */
const listed = async (path: string, name: string): Promise<unknown[]> => {
  const whole = await readHubList(get, path, name, 1000);
  for (const size of [1, 2, 3]) {
    expect(await readHubList(get, path, name, size), `${path} in pages of ${size}`).toEqual(whole);
    if (path.includes('channelsByFid')) continue;
    const turned = await readHubList(get, `${path}&reverse=true`, name, size);
    expect(turned, `${path} in reverse`).toEqual(whole.toReversed());
  }
  return whole;
};

describe('owners', () => {
  const [rose, umlaut, empty] = ['rose', 'Ümläut & more', 'parked'];
  let holder: string;
  let other: string;

  beforeAll(async () => {
    const [second, third] = [seeded.alice.wallet(2), seeded.dan.wallet(5)];
    holder = hex(seeded.alice.wallet(1).address);
    other = hex(second.address);
    await network.load([
      channelRegistration({ key: rose, owner: second.address, expiry: 1_600_000_000 }),
      ...['b', 'B', 'a-1', umlaut].map((key) => channelRegistration({ key, owner: second.address })),
      channelRegistration({ key: empty, owner: third.address }),
    ]);
    await send(await seeded.alice.verifyEthereum(second));
  });

  test('of a channel, also of an expired one, of one without an owner, and of one that is not shown', async () => {
    const { fid } = seeded.alice;
    expect(await found(`/v1/channelOwner?channel_key=${KEY}`)).toEqual({
      ...{ fid, ownerAddress: holder, expiry: 2_000_000_000 },
    });
    expect(await found(`/v1/channelOwner?channelKey=${rose}`)).toMatchObject({ fid, expiry: 1_600_000_000 });
    expect(await found(`/v1/channelOwner?channel_key=${encodeURIComponent(umlaut)}`)).toMatchObject({ fid });
    expect(await found(`/v1/channelOwner?channel_key=${empty}`)).toEqual({
      ...{ fid: 0, ownerAddress: hex(seeded.dan.wallet(5).address), expiry: 2_000_000_000 },
    });
    await missing('/v1/channelOwner?channel_key=Gardens');
    await missing(`/v1/channelOwner?channel_key=${'x'.repeat(3_000)}`);
    await refused('/v1/channelOwner?channel_key=', /^channel_key must/);
    await refused('/v1/channelOwner', /^channel_key is required/);
  });

  test('of an address and of an account, by key in the order of its bytes', async () => {
    const channels = (await listed(`/v1/channelsByAddress?address=${other}`, 'channels')) as { channelKey: string }[];
    expect(channels.map(({ channelKey }) => channelKey)).toEqual(['B', 'a-1', 'b', rose, umlaut]);
    expect(channels[3]).toEqual({
      ...{ channelKey: rose, fid: FIDS.alice, ownerAddress: other, expiry: 1_600_000_000 },
    });
    const all = [...channels, ...(await listed(`/v1/channelsByAddress?address=${holder}`, 'channels'))];
    const sorted = holder < other ? [...all.slice(-1), ...all.slice(0, -1)] : all;
    expect(await listed(`/v1/channelsByFid?fid=${FIDS.alice}`, 'channels')).toEqual(sorted);
    expect(await found(`/v1/channelsByFid?fid=${FIDS.dan}`)).toEqual({ channels: [] });
    expect(await found(`/v1/channelsByFid?fid=${LARGE_FID}`)).toEqual({ channels: [] });
    expect(await found(`/v1/channelsByAddress?address=${'ab'.repeat(20)}`)).toEqual({ channels: [] });
    for (const address of ['', '0x12', `${other}00`, 'alice'])
      await refused(`/v1/channelsByAddress?address=${address}`, /^address must be/);
    await refused('/v1/channelsByFid?fid=0', /^fid must/);
  });

  test('change with verifications and transfers', async () => {
    const { alice, bob } = seeded;
    await send(alice.removeVerification(0, alice.wallet(2).address));
    expect(await found(`/v1/channelOwner?channel_key=${rose}`)).toMatchObject({ fid: 0, ownerAddress: other });
    expect((await found(`/v1/channelsByFid?fid=${alice.fid}`)).channels).toHaveLength(1);
    expect((await found(`/v1/channelsByAddress?address=${other}`)).channels[0]).toMatchObject({ fid: 0 });
    await send(await bob.verifyEthereum(bob.wallet(3)));
    await network.load([channelRegistration({ key: rose, owner: bob.wallet(3).address, type: 3, block: 2_000 })]);
    expect((await found(`/v1/channelsByFid?fid=${bob.fid}`)).channels).toMatchObject([{ channelKey: rose }]);
    expect((await found(`/v1/channelsByAddress?address=${other}`)).channels).toHaveLength(4);
  });
});

describe('members, pins and moderated casts', () => {
  const stateOf = (fid: number) => found(`/v1/channelMember?channelId=${ID}&fid=${fid}`);
  const state = (name: string) => `CHANNEL_MEMBER_STATE_${name}`;

  test('an account is what the last message made it, and the time is of that message', async () => {
    const { alice, bob, carol, dan } = seeded;
    expect(await stateOf(bob.fid)).toEqual({ state: state('NONE') });
    const steps = [
      [member(alice, bob.fid, 'add'), 'MEMBER'],
      [member(alice, bob.fid, 'addModerator'), 'MODERATOR'],
      [member(alice, bob.fid, 'removeModerator'), 'MEMBER'],
      [member(bob, bob.fid, 'remove'), 'REMOVED'],
      [member(alice, bob.fid, 'ban'), 'BANNED'],
      [member(alice, bob.fid, 'unban'), 'REMOVED'],
      [member(alice, bob.fid, 'addModerator'), 'MODERATOR'],
    ] as const;
    for (const [message, name] of steps) {
      await send(message);
      expect(await stateOf(bob.fid)).toEqual({ state: state(name), lastActionTs: message.timestamp });
    }
    // Nobody but a moderator or the owner may do this.
    await send(member(dan, carol.fid, 'add'));
    expect(await stateOf(carol.fid)).toEqual({ state: state('NONE') });
    expect(await stateOf(alice.fid)).toEqual({ state: state('NONE') });
  });

  test('the accounts of a channel, all or of one state, and the channels of an account', async () => {
    const { alice, bob, carol, dan, erin, frank } = seeded;
    await send(
      ...[carol, dan, erin].map(({ fid }) => member(bob, fid, 'add')),
      member(bob, frank.fid, 'ban'),
      member(erin, erin.fid, 'remove'),
    );
    const members = (more = '') => listed(`/v1/channelMembers?channelId=${ID}${more}`, 'members');
    const everybody = [
      { fid: bob.fid, state: state('MODERATOR') },
      { fid: carol.fid, state: state('MEMBER') },
      { fid: dan.fid, state: state('MEMBER') },
      { fid: erin.fid, state: state('REMOVED') },
      { fid: frank.fid, state: state('BANNED') },
    ];
    expect(await members()).toEqual(everybody);
    expect(await members(`&state_filter=${state('NONE')}`)).toEqual(everybody);
    for (const name of ['MEMBER', 'MODERATOR', 'REMOVED', 'BANNED'])
      expect(await members(`&stateFilter=${state(name)}`)).toEqual(
        everybody.filter((one) => one.state === state(name)),
      );
    await refused(`/v1/channelMembers?channelId=${ID}&stateFilter=1`, /^stateFilter must/);

    await network.load([channelRegistration({ key: 'second', owner: alice.wallet(1).address })]);
    await network.load([channelRegistration({ key: 'third', owner: alice.wallet(1).address })]);
    await send(member(alice, dan.fid, 'addModerator', 'second'), member(alice, dan.fid, 'ban', 'third'));
    const ids = { [KEY]: 'MEMBER', second: 'MODERATOR', third: 'BANNED' };
    const expected = Object.entries(ids).map(([key, name]) => ({
      channelId: hex(channelIdOf(key)),
      state: state(name),
    }));
    expect(await listed(`/v1/channelMembershipsByFid?fid=${dan.fid}`, 'memberships')).toEqual(
      expected.toSorted((a, b) => (a.channelId < b.channelId ? -1 : 1)),
    );
    expect(await found(`/v1/channelMembershipsByFid?fid=${FIDS.heidi}`)).toEqual({ memberships: [] });
  });

  test('a pin names the account that set it, until it is cleared', async () => {
    const path = `/v1/channelPin?channel_id=${ID.slice(2).toUpperCase()}`;
    expect(await found(path)).toEqual({ pin: null });
    await send(pin(seeded.alice, castHash(1)));
    expect(await found(path)).toEqual({ pin: { castHash: hex(castHash(1)), authorFid: FIDS.alice } });
    await send(pin(seeded.bob, castHash(2)), pin(seeded.carol, castHash(3)));
    expect(await found(path)).toEqual({ pin: { castHash: hex(castHash(2)), authorFid: FIDS.bob } });
    await send(pin(seeded.bob));
    expect(await found(path)).toEqual({ pin: null });
  });

  test('moderated casts by hash, hidden and shown again, with the account that did it', async () => {
    const path = `/v1/channelModerations?channelId=${ID}`;
    expect(await found(path)).toEqual({ moderations: [] });
    const { alice, bob } = seeded;
    await send(...[5, 3, 4, 2, 9].map((index) => moderate(bob, castHash(index), 1)), moderate(alice, castHash(4), 2));
    const entry = (index: number, action = 'HIDE', authorFid: number = FIDS.bob) => ({
      castHash: hex(castHash(index)),
      action: `CHANNEL_MODERATE_ACTION_${action}`,
      authorFid,
    });
    const expected = [entry(2), entry(3), entry(4, 'UNHIDE', FIDS.alice), entry(5), entry(9)];
    expect(await listed(path, 'moderations')).toEqual(expected);
    await send(moderate(bob, castHash(4), 1));
    expect((await found(path)).moderations[2]).toEqual(entry(4));
  });

  test('the description is what the latest update says, and the strictest modes before it', async () => {
    const path = `/v1/channelMetadata?channelId=${ID}`;
    const cleared = { name: null, description: null, imageUrl: null, header: null, rules: null };
    const strict = { castingMode: 'CASTING_MODE_MEMBERS_ONLY', membershipMode: 'MEMBERSHIP_MODE_APPROVAL' };
    expect(await found(path)).toEqual({ ...cleared, ...strict });
    const image = 'https://i.example/a.png';
    const body = wireOf({ 2: 'Gardens 🌱', 3: 'What grows', 4: image, 5: 'Top', 6: 'Be kind', 7: 1, 8: 1 });
    await send(about(seeded.alice, 18, body));
    expect(await found(path)).toEqual({
      ...{ name: 'Gardens 🌱', description: 'What grows', imageUrl: image, header: 'Top', rules: 'Be kind' },
      ...{ castingMode: 'CASTING_MODE_EVERYONE', membershipMode: 'MEMBERSHIP_MODE_OPEN' },
    });
    await send(about(seeded.alice, 18, wireOf({ 2: 'Gardens', 7: 3 })), about(seeded.bob, 18, wireOf({ 2: 'Mine' })));
    expect(await found(path)).toEqual({
      ...{ ...cleared, ...strict, name: 'Gardens', castingMode: 'CASTING_MODE_RECOMMENDED' },
    });
  });
});

describe('follows', () => {
  const like = (who: Author, key: string) => who.react('like', channelUrl(REGISTRAR, channelIdOf(key)));
  const unlike = (who: Author, key: string) => who.unreact('like', channelUrl(REGISTRAR, channelIdOf(key)));
  const keys = [KEY, 'oaks', 'pines', 'reeds'];

  test('are likes of the URL, from both sides, and end with them', async () => {
    const { alice, bob, carol, dan } = seeded;
    await network.load(keys.slice(1).map((key) => channelRegistration({ key, owner: alice.wallet(1).address })));
    const likes = [like(dan, KEY), like(bob, KEY), like(carol, KEY)];
    await send(...likes);
    const followers = [1, 2, 0].map((index) => ({
      ...{ fid: likes[index]?.fid, followedAt: likes[index]?.timestamp },
    }));
    const path = `/v1/channelFollowers?channelId=${ID}`;
    const count = () => found(`/v1/channelFollowerCount?channelId=${ID}`);
    const isFollowing = (fid: number) => found(`/v1/isFollowingChannel?channelId=${ID}&fid=${fid}`);
    expect(await listed(path, 'followers')).toEqual(followers);
    expect(await count()).toEqual({ count: 3 });
    expect(await isFollowing(bob.fid)).toEqual({ following: true, followedAt: likes[1]?.timestamp });
    expect(await isFollowing(FIDS.heidi)).toEqual({ following: false });

    const more = ['reeds', 'oaks', 'pines'].map((key) => like(bob, key));
    await send(...more);
    const follows = () => listed(`/v1/channelFollows?fid=${bob.fid}`, 'follows');
    const entry = (key: string, message: Signed | undefined) => ({
      ...{ channelId: hex(channelIdOf(key)), followedAt: message?.timestamp },
    });
    const expected = [entry(KEY, likes[1]), ...['reeds', 'oaks', 'pines'].map((key, index) => entry(key, more[index]))];
    expect(await follows()).toEqual(expected);

    // A page that was read before an end of a follow goes on after it.
    const first = await found(`${path}&pageSize=1`);
    await send(unlike(bob, KEY));
    const rest = await found(`${path}&pageToken=${encodeURIComponent(first.nextPageToken)}`);
    expect(rest).toEqual({ followers: followers.slice(1) });
    expect(await count()).toEqual({ count: 2 });
    expect(await isFollowing(bob.fid)).toEqual({ following: false });
    expect(await follows()).toEqual(expected.slice(1));
  });

  test('at the same second are all listed', async () => {
    const at = seeded.clock.tick();
    const { heidi } = seeded;
    await send(...keys.map((key) => heidi.react('like', channelUrl(REGISTRAR, channelIdOf(key)), at)));
    const follows = await listed(`/v1/channelFollows?fid=${heidi.fid}`, 'follows');
    expect(new Set(follows.map((one) => JSON.stringify(one))).size).toBe(keys.length);
  });

  test('of other spellings of the URL, and of unknown channels, are none', async () => {
    const { grace } = seeded;
    const url = channelUrl(REGISTRAR, channelIdOf(KEY));
    await send(grace.react('like', url.toLowerCase()), grace.react('recast', url), like(grace, 'nowhere'));
    expect(await found(`/v1/channelFollows?fid=${grace.fid}`)).toEqual({ follows: [] });
    const nowhere = hex(channelIdOf('nowhere'));
    expect(await found(`/v1/channelFollowers?channelId=${nowhere}`)).toEqual({ followers: [] });
    expect(await found(`/v1/channelFollowerCount?channelId=${nowhere}`)).toEqual({ count: 0 });
    expect(await found(`/v1/isFollowingChannel?channelId=${nowhere}&fid=${grace.fid}`)).toEqual({ following: false });
  });
});

describe('bad requests', () => {
  const ofChannel = ['channelPin', 'channelMetadata', 'channelMembers', 'channelModerations'];
  const unregistered = hex(channelIdOf('nowhere'));

  test('an id that is none is 400, and one that nobody registered is 404', async () => {
    for (const name of [...ofChannel, 'channelFollowers', 'channelFollowerCount']) {
      for (const id of ['', '0x', KEY, ID.slice(0, -2), `${ID}00`, `${ID.slice(0, -1)}g`])
        await refused(`/v1/${name}?channelId=${id}`, /^channelId must be 0x and 64 hex digits/);
      await refused(`/v1/${name}`, /^channelId is required/);
    }
    for (const name of ofChannel) await missing(`/v1/${name}?channelId=${unregistered}`);
    await missing(`/v1/channelMember?channelId=${unregistered}&fid=1`);
    await refused('/v1/channelMember?channelId=0x12&fid=1', /^channelId must/);
    await refused('/v1/isFollowingChannel?channelId=0x12&fid=1', /^channelId must/);
  });

  test('a fid is 1 to 2^32 - 1', async () => {
    for (const fid of ['0', '-1', 'alice', '', String(LARGE_FID), '1.5'])
      for (const path of [
        `channelMember?channelId=${ID}&fid=${fid}`,
        `isFollowingChannel?channelId=${ID}&fid=${fid}`,
        `channelMembershipsByFid?fid=${fid}`,
        `channelFollows?fid=${fid}`,
      ])
        await refused(`/v1/${path}`, /^fid must/);
  });

  test('tokens of other lists, and altered ones, are refused', async () => {
    const lists = [
      `channelMembers?channelId=${ID}`,
      `channelMembers?channelId=${ID}&stateFilter=CHANNEL_MEMBER_STATE_MEMBER`,
      `channelModerations?channelId=${ID}`,
      `channelFollowers?channelId=${ID}`,
      `channelMembershipsByFid?fid=${FIDS.dan}`,
      `channelFollows?fid=${FIDS.bob}`,
      `channelsByFid?fid=${FIDS.alice}`,
      `channelsByAddress?address=${hex(seeded.alice.wallet(1).address)}`,
    ];
    const tokens: string[] = [];
    for (const list of lists) {
      const { nextPageToken } = await found(`/v1/${list}&pageSize=1`);
      expect(nextPageToken, list).toMatch(/=*$/);
      tokens.push(nextPageToken);
    }
    for (const [index, list] of lists.entries()) {
      const others = tokens.filter((_, other) => other !== index);
      for (const token of [...others, ...alteredTokens(tokens[index] as string).slice(0, 12)])
        await refused(`/v1/${list}&pageToken=${encodeURIComponent(token)}`, /^pageToken must be/);
      for (const size of ['0', '1001', 'all']) await refused(`/v1/${list}&pageSize=${size}`, /^pageSize must/);
      expect((await found(`/v1/${list}&page_size=1&page_token=`)).nextPageToken).toBe(tokens[index]);
    }
    await refused(
      `/v1/channelFollowers?channelId=${unregistered}&pageToken=${encodeURIComponent(tokens[3] as string)}`,
      /^pageToken must be/,
    );
  });
});
