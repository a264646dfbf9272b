import { type OnChainEvent, UserDataType } from '@farcaster/core';
import { getAddress } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { IngestItem } from '../src/ingest/item.js';
import { author } from '../src/sample/author.js';
import { storeChannels } from './support/channel.js';
import { contractAvailable, validateAgainstContract } from './support/contract.js';
import { type Network, startNetwork, type TestResponse } from './support/network.js';
import { CHANNEL_URL, FIDS, SEED, type Seeded, seedBasics } from './support/seed.js';

let network: Network;
let seeded: Seeded;
beforeAll(async () => {
  network = await startNetwork();
  await network.app.core.db.transaction((session) =>
    storeChannels(session, [
      {
        id: 'garden',
        parentUrl: CHANNEL_URL,
        url: 'https://channel.example/~/channel/garden',
        name: 'Garden',
        description: null,
        imageUrl: 'https://image.example/garden.png',
        leadFid: FIDS.carol,
        createdAt: new Date('2024-01-15T00:00:00Z'),
      },
    ]),
  );
  seeded = await seedBasics(async (items) => {
    expect((await network.load(items)).invalid).toEqual({});
  });
});
afterAll(() => network.stop());

const hex = (bytes: Uint8Array): `0x${string}` => `0x${Buffer.from(bytes).toString('hex')}`;

const ask = async (operationId: string, path: string): Promise<TestResponse> => {
  const answer = await network.get(path);
  if (contractAvailable) expect(validateAgainstContract(operationId, answer.status, answer.body)).toEqual([]);
  return answer;
};
const bulk = (query: string): Promise<TestResponse> => ask('fetch-bulk-users', `/v2/social/user/bulk/?${query}`);
const userOf = async (fid: number, viewer?: number) =>
  (await bulk(`fids=${fid}${viewer === undefined ? '' : `&viewer_fid=${viewer}`}`)).body.users[0];
const byName = (name: string): Promise<TestResponse> =>
  ask('lookup-user-by-username', `/v2/social/user/by_username/?username=${encodeURIComponent(name)}`);
const byCustody = (address: string): Promise<TestResponse> =>
  ask('lookup-user-by-custody-address', `/v2/social/user/custody-address/?custody_address=${address}`);
const byAddress = (query: string): Promise<TestResponse> =>
  ask('fetch-bulk-users-by-eth-or-sol-address', `/v2/social/user/bulk-by-address/?${query}`);
const fidsOf = (users: { fid: number }[]): number[] => users.map((user) => user.fid);

test('users come in the order asked for, once each, without those that are not stored', async () => {
  const { status, body } = await bulk(`fids=${FIDS.carol},${FIDS.alice},9999,${FIDS.carol},${FIDS.bob}`);
  expect(status).toBe(200);
  expect(fidsOf(body.users)).toEqual([FIDS.carol, FIDS.alice, FIDS.bob]);
});

test('an account of which only a follow is known does not exist', async () => {
  await seeded.send(seeded.heidi.follow(777));
  expect((await bulk('fids=777')).body).toEqual({ users: [] });
});

test('a user has everything that was said of it, and nothing else', async () => {
  const { alice } = seeded;
  expect(await userOf(FIDS.alice)).toEqual({
    object: 'user',
    fid: FIDS.alice,
    username: 'alice',
    display_name: 'Alice 🌱',
    pfp_url: 'https://image.example/avatar/alice.png',
    custody_address: hex(alice.custody.address),
    registered_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/),
    profile: {
      bio: {
        text: 'Gardens with @bob',
        mentioned_profiles: [
          {
            object: 'user_dehydrated',
            fid: FIDS.bob,
            username: 'bob',
            display_name: 'Bob',
            pfp_url: 'https://image.example/avatar/bob.png',
            custody_address: hex(seeded.bob.custody.address),
            score: expect.any(Number),
          },
        ],
        mentioned_profiles_ranges: [{ start: 13, end: 17 }],
      },
      location: {
        latitude: 38.72,
        longitude: -9.14,
        address: { city: 'Lisbon', country: 'Portugal', country_code: 'PT', state: 'Lisbon' },
      },
    },
    follower_count: 3,
    following_count: 2,
    verifications: [hex(alice.wallet(1).address)],
    verified_addresses: {
      eth_addresses: [hex(alice.wallet(1).address)],
      sol_addresses: [],
      primary: { eth_address: null, sol_address: null },
    },
    verified_accounts: [],
    auth_addresses: [],
    score: expect.any(Number),
    experimental: {
      deprecation_notice: expect.stringMatching(/^Deprecated: /),
      service_user_score: expect.any(Number),
    },
  });
  expect(await userOf(FIDS.frank)).toMatchObject({ display_name: 'Frank', profile: { bio: { text: '' } } });
});

/** The registration of an auth address looks like that of a signer, with another type and a padded address as key. */
const authAddress = async (address: Uint8Array): Promise<IngestItem> => {
  const item = await seeded.erin.addSigner({ requester: { fid: FIDS.app, wallet: seeded.app.custody } });
  const { event } = item as { event: OnChainEvent };
  const key = Buffer.concat([Buffer.alloc(12), address]);
  const signerEventBody = { ...(event.signerEventBody as NonNullable<typeof event.signerEventBody>), key, keyType: 2 };
  return { kind: 'onchain', event: { ...event, signerEventBody } };
};

test('optional members are there once there is data for them', async () => {
  const { erin } = seeded;
  const url = 'https://image.example/banner.png';
  const [first, second] = [erin.wallet(1), erin.wallet(2)];
  const auth = erin.wallet(5).address;
  const at = seeded.clock.tick();
  await seeded.send(
    await erin.verifyEthereum(second),
    await erin.verifyEthereum(first),
    erin.verifySolana(erin.solanaKey(0)),
    erin.userData(UserDataType.USER_DATA_PRIMARY_ADDRESS_ETHEREUM, getAddress(hex(first.address))),
    erin.userData(UserDataType.BANNER, url),
    erin.userData(UserDataType.TWITTER, 'erin_on_air'),
    erin.userData(UserDataType.GITHUB, 'erin-git'),
    erin.userData(UserDataType.BIO, '📻🇦🇹 @Alice, @nobody and /garden, not /nowhere'),
    erin.userData(UserDataType.LIVE_AT, 'https://live.example/erin', at),
    erin.buyPro(365),
    await authAddress(auth),
  );
  const user = await userOf(FIDS.erin);
  expect(user).toMatchObject({
    verifications: [hex(second.address), hex(first.address)],
    verified_addresses: {
      eth_addresses: [hex(second.address), hex(first.address)],
      sol_addresses: [expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/)],
      primary: { eth_address: hex(first.address), sol_address: null },
    },
    verified_accounts: [
      { platform: 'x', username: 'erin_on_air' },
      { platform: 'github', username: 'erin-git' },
    ],
    auth_addresses: [{ address: hex(auth), app: { object: 'user_dehydrated', fid: FIDS.app, username: 'app' } }],
    pro: { status: 'subscribed' },
    profile: {
      banner: { url },
      live_at: { url: 'https://live.example/erin', is_live: true },
      bio: {
        mentioned_profiles: [{ fid: FIDS.alice }],
        mentioned_channels: [{ object: 'channel_dehydrated', id: 'garden', name: 'Garden' }],
      },
    },
  });
  const { bio } = user.profile;
  const cut = ({ start, end }: { start: number; end: number }) => bio.text.slice(start, end);
  expect(bio.mentioned_profiles_ranges.map(cut)).toEqual(['@Alice']);
  expect(bio.mentioned_channels_ranges.map(cut)).toEqual(['/garden']);
  await seeded.send(erin.removeVerification(0, first.address), erin.userData(UserDataType.LIVE_AT, ''));
  const later = await userOf(FIDS.erin);
  expect(later.verified_addresses.primary.eth_address).toBeNull();
  expect(later.profile.live_at).toBeUndefined();
});

test('a pro subscription ends by itself', async () => {
  const { db } = network.app.core;
  await seeded.send(seeded.grace.buyPro(365));
  expect((await userOf(FIDS.grace)).pro.status).toBe('subscribed');
  const soon = new Date(Date.now() + 400);
  await db.run('update account set pro_expires_at = $1 where fid = $2', [soon, FIDS.grace]);
  await db.run('insert into change (is_all) values (true)');
  await expect.poll(async () => (await userOf(FIDS.grace)).pro.status).toBe('unsubscribed');
});

test('a pro subscription for longer than dates reach ends with the year 9999', async () => {
  await seeded.send(seeded.frank.buyPro(2 ** 40));
  expect((await userOf(FIDS.frank)).pro).toMatchObject({
    status: 'subscribed',
    expires_at: '9999-12-31T23:59:59.000Z',
  });
});

test('without registration: zero address, the time of the first message, and ! with the fid for a name', async () => {
  const stray = author({ seed: SEED, fid: 555 });
  await network.app.core.ingest.submit([stray.cast({ text: 'Who am I?', at: 100_000_000 }).item], {
    source: 'file',
    announce: false,
    trustSigners: true,
  });
  expect(await userOf(555)).toMatchObject({
    username: '!555',
    display_name: null,
    pfp_url: null,
    custody_address: `0x${'0'.repeat(40)}`,
    registered_at: '2024-03-03T09:46:40.000Z',
  });
  expect((await byName('!555')).body.user.fid).toBe(555);
});

test('viewer_context is there exactly when a viewer is named', async () => {
  expect((await userOf(FIDS.alice)).viewer_context).toBeUndefined();
  expect((await userOf(FIDS.alice, FIDS.bob)).viewer_context).toEqual({
    following: true,
    followed_by: true,
    blocking: false,
    blocked_by: false,
  });
  expect((await userOf(FIDS.frank, FIDS.erin)).viewer_context).toMatchObject({ blocking: true, blocked_by: false });
  expect((await userOf(FIDS.erin, FIDS.frank)).viewer_context).toMatchObject({ blocking: false, blocked_by: true });
  const { status, body } = await bulk(`fids=${FIDS.bob}&viewer_fid=${FIDS.carol}`);
  expect([status, body.users[0].viewer_context.following]).toEqual([200, false]);
  await seeded.send(seeded.carol.compactLinks('follow', [FIDS.dan]));
  expect((await userOf(FIDS.alice, FIDS.carol)).viewer_context.following).toBe(false);
});

test('by username: in any case, the answer of 404 names the member', async () => {
  for (const name of ['alice', 'Alice', 'ALICE']) expect((await byName(name)).body.user.fid).toBe(FIDS.alice);
  const viewed = await ask(
    'lookup-user-by-username',
    `/v2/social/user/by_username/?username=bob&viewer_fid=${FIDS.alice}`,
  );
  expect(viewed.body.user.viewer_context.following).toBe(true);
  for (const name of ['nobody', `!${FIDS.alice}`, '!99999', '!0', '@alice', "x'; drop table account"]) {
    expect(await byName(name)).toMatchObject({ status: 404, body: { code: 'NotFound', property: 'username' } });
  }
  expect(await byName('')).toMatchObject({ status: 400, body: { property: 'username' } });
});

test('by custody address', async () => {
  const address = hex(seeded.alice.custody.address);
  expect((await byCustody(address)).body.user.fid).toBe(FIDS.alice);
  expect((await byCustody(`0x${address.slice(2).toUpperCase()}`)).body.user.fid).toBe(FIDS.alice);
  expect(await byCustody(hex(seeded.alice.wallet(1).address))).toMatchObject({
    status: 404,
    body: { property: 'custody_address' },
  });
  expect(await byCustody('0x12')).toMatchObject({ status: 400, body: { property: 'custody_address' } });
  await seeded.send(seeded.grace.transfer(3));
  expect((await byCustody(hex(seeded.grace.wallet(3).address))).body.user.fid).toBe(FIDS.grace);
  expect((await byCustody(hex(seeded.grace.custody.address))).status).toBe(404);
});

test('by address: custody and verified, Ethereum and Solana, keyed by the address', async () => {
  const custody = hex(seeded.alice.custody.address);
  const verified = hex(seeded.alice.wallet(1).address);
  const [solana] = (await userOf(FIDS.bob)).verified_addresses.sol_addresses;
  const unknown = `0x${'9'.repeat(40)}`;
  const all = [custody, `0x${verified.slice(2).toUpperCase()}`, solana, unknown].join(',');
  const keyed = (body: Record<string, { fid: number }[]>) =>
    Object.fromEntries(Object.entries(body).map(([address, users]) => [address, fidsOf(users)]));
  expect(keyed((await byAddress(`addresses=${all}`)).body)).toEqual({
    [custody]: [FIDS.alice],
    [verified]: [FIDS.alice],
    [solana]: [FIDS.bob],
  });
  expect(keyed((await byAddress(`addresses=${all}&address_types=custody_address`)).body)).toEqual({
    [custody]: [FIDS.alice],
  });
  expect(keyed((await byAddress(`addresses=${all}&address_types=verified_address`)).body)).toEqual({
    [verified]: [FIDS.alice],
    [solana]: [FIDS.bob],
  });
  await seeded.send(await seeded.dan.verifyEthereum(seeded.alice.wallet(1)));
  expect(fidsOf((await byAddress(`addresses=${verified}`)).body[verified])).toEqual([FIDS.alice, FIDS.dan]);
  expect(await byAddress(`addresses=${unknown}`)).toMatchObject({ status: 404, body: { property: 'addresses' } });
});

test('what is asked wrongly is refused with the member at fault', async () => {
  const many = (count: number, one: (n: number) => string) => Array.from({ length: count }, (_, n) => one(n)).join(',');
  const bad: [TestResponse, string][] = [
    [await bulk(''), 'fids'],
    [await bulk('fids='), 'fids'],
    [await bulk('fids=1,x'), 'fids'],
    [await bulk('fids=0'), 'fids'],
    [await bulk('fids=1.5'), 'fids'],
    [await bulk('fids=99999999999999999999'), 'fids'],
    [await bulk(`fids=${many(101, (n) => String(n + 1))}`), 'fids'],
    [await bulk('fids=1&viewer_fid=0'), 'viewer_fid'],
    [await bulk('fids=1&viewer_fid=a'), 'viewer_fid'],
    [await byAddress(''), 'addresses'],
    [await byAddress('addresses=0x12'), 'addresses'],
    [await byAddress(`addresses=${'z'.repeat(32)}`), 'addresses'],
    [await byAddress(`addresses=${many(351, () => `0x${'1'.repeat(40)}`)}`), 'addresses'],
    [await byAddress(`addresses=0x${'1'.repeat(40)}&address_types=other`), 'address_types'],
  ];
  for (const [{ status, body }, property] of bad) {
    expect({ status, code: body.code, property: body.property }).toEqual({
      status: 400,
      code: 'InvalidField',
      property,
    });
  }
  expect((await bulk(`fids=${many(100, (n) => String(n + 1))}`)).status).toBe(200);
});
