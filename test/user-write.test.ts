import { MessageType } from '@farcaster/core';
import { getAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromUnixMs } from '../src/protocol/time.js';
import { DAY } from '../src/sample/clock.js';
import { type Network, startNetwork, type TestResponse } from './support/network.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';
import { approvedSigner } from './support/signer.js';

let network: Network;
let seeded: Seeded;
/** Signers' uuids. */
let alice: string;
let bob: string;
let carol: string;

beforeAll(async () => {
  network = await startNetwork();
  seeded = await seedBasics((items) => network.load(items), fromUnixMs(Date.now()) - DAY);
  await network.load([
    seeded.carol.buyPro(365),
    await seeded.carol.fnameProof('caroline'),
    (await seeded.carol.ensProof('carol.eth')).item,
  ]);
  alice = (await approvedSigner(network, seeded.alice)).uuid;
  bob = (await approvedSigner(network, seeded.bob)).uuid;
  carol = (await approvedSigner(network, seeded.carol)).uuid;
});
afterAll(() => network.stop());

const update = (signer_uuid: string, body: object): Promise<TestResponse> =>
  network.send('PATCH', '/v2/social/user/', { signer_uuid, ...body });
const user = async (fid: number) => (await network.get(`/v2/social/user/bulk/?fids=${fid}`)).body.users[0];
const messages = async (fid: number): Promise<number> => {
  const rows = await network.app.core.db.run('select 1 from message where fid = $1 and type = $2', [
    fid,
    MessageType.USER_DATA_ADD,
  ]);
  return rows.length;
};

describe('a profile', () => {
  test('changes member by member, and is read anew in the next request', async () => {
    const answer = await update(carol, {
      bio: 'Reads, and writes 📚 with @bob',
      display_name: 'Carol 🌊',
      pfp_url: 'https://image.example/carol.png',
      banner: 'https://image.example/carol-banner.png',
      url: 'https://carol.example',
      location: { latitude: -33.865, longitude: 151.2094 },
      username: 'carol.eth',
      verified_accounts: { x: 'Carol_Reads', github: 'carol-reads' },
    });
    expect(answer).toMatchObject({ status: 200, body: { success: true } });
    expect(await user(FIDS.carol)).toMatchObject({
      username: 'carol.eth',
      display_name: 'Carol 🌊',
      pfp_url: 'https://image.example/carol.png',
      profile: {
        bio: { text: 'Reads, and writes 📚 with @bob', mentioned_profiles: [{ username: 'bob' }] },
        banner: { url: 'https://image.example/carol-banner.png' },
        location: { latitude: -33.86, longitude: 151.21, address: { country_code: 'AU' } },
      },
      verified_accounts: [
        { platform: 'x', username: 'carol_reads' },
        { platform: 'github', username: 'carol-reads' },
      ],
    });
    expect((await network.get('/v2/social/user/by_username/?username=carol.eth')).body.user.fid).toBe(FIDS.carol);
    expect((await update(carol, { username: 'caroline' })).status).toBe(200);
    expect((await user(FIDS.carol)).username).toBe('caroline');
  });

  test('said again is not written again; changed twice within a second, the later one counts', async () => {
    const before = await messages(FIDS.alice);
    const bios = Array.from({ length: 5 }, (_, index) => `Gardens ${index}`);
    for (const bio of bios) expect((await update(alice, { bio })).status).toBe(200);
    expect((await user(FIDS.alice)).profile.bio.text).toBe(bios.at(-1));
    expect(await messages(FIDS.alice)).toBe(before);
    const [row] = await network.app.core.db.run<{ ts: number }>(
      'select ts from message where fid = $1 and type = $2 and subtype = 3',
      [FIDS.alice, MessageType.USER_DATA_ADD],
    );
    await update(alice, { bio: bios.at(-1) });
    const again = await network.app.core.db.run('select ts from message where fid = $1 and type = $2 and subtype = 3', [
      FIDS.alice,
      MessageType.USER_DATA_ADD,
    ]);
    expect(again).toEqual([row]);
  });

  test('loses what is set to nothing', async () => {
    const { display_name, profile } = await user(FIDS.bob);
    expect([display_name, profile.bio.text]).not.toContain('');
    const nothing = { bio: '', display_name: '', pfp_url: '', url: '', username: '', verified_accounts: { x: '' } };
    expect((await update(bob, nothing)).status).toBe(200);
    expect(await user(FIDS.bob)).toMatchObject({
      username: `!${FIDS.bob}`,
      display_name: null,
      pfp_url: null,
      profile: { bio: { text: '' } },
      verified_accounts: [],
    });
    // The name is still its own: nobody else proved it meanwhile.
    expect((await update(bob, { username: 'bob' })).status).toBe(200);
    expect((await user(FIDS.bob)).username).toBe('bob');
  });

  test('shows a primary address only among the verified ones', async () => {
    const { verified_addresses } = await user(FIDS.alice);
    const [address] = verified_addresses.eth_addresses;
    expect(verified_addresses.primary.eth_address).toBeNull();
    expect((await update(alice, { primary_eth_address: address })).status).toBe(200);
    expect((await user(FIDS.alice)).verified_addresses.primary.eth_address).toBe(address);
    expect((await update(alice, { primary_eth_address: getAddress(address) })).status).toBe(200);
    const [sol] = (await user(FIDS.bob)).verified_addresses.sol_addresses;
    expect((await update(bob, { primary_sol_address: sol })).status).toBe(200);
    expect((await user(FIDS.bob)).verified_addresses.primary.sol_address).toBe(sol);
    for (const body of [
      { primary_eth_address: `0x${'ab'.repeat(20)}` },
      { primary_sol_address: sol },
      { primary_sol_address: '1'.repeat(32) },
      { primary_sol_address: 'z'.repeat(44) },
    ]) {
      const answer = await update(alice, body);
      expect([answer.status, answer.body.property]).toEqual([400, Object.keys(body)[0]]);
    }
  });
});

describe('a profile change with invalid members', () => {
  test('stores what can be stored and says what was wrong with the rest', async () => {
    const answer = await update(alice, {
      bio: 'This one is fine',
      display_name: 'é'.repeat(17),
      banner: 'https://image.example/b.png',
      username: 'bob',
    });
    expect(answer.status).toBe(207);
    expect(answer.body.success).toBe(false);
    const told = answer.body.errors.map(({ message }: { message: string }) => message);
    expect(told).toEqual([
      expect.stringMatching(/^username: .*belongs to another account/),
      expect.stringMatching(/^display_name: .*32 bytes, this one 34/),
      expect.stringMatching(/^banner: .*pro subscription/),
    ]);
    expect(await user(FIDS.alice)).toMatchObject({
      username: 'alice',
      display_name: 'Alice 🌱',
      profile: { bio: { text: 'This one is fine' } },
    });
  });

  test('in which no member can be stored is a 400', async () => {
    const answer = await update(alice, { username: 'bob', display_name: 'x'.repeat(33) });
    expect(answer).toMatchObject({ status: 400, body: { property: 'username', code: 'InvalidField' } });
  });
});

const LONG = 'é'.repeat(129);
test.each<[object, string, string | RegExp]>([
  [{}, 'body', 'something to change'],
  [{ bio: LONG }, 'bio', 'at most 256 bytes, this one 258'],
  [{ display_name: 'x'.repeat(33) }, 'display_name', '32 bytes'],
  [{ pfp_url: `https://x.example/${LONG}` }, 'pfp_url', '256 bytes'],
  [{ pfp_url: 'avatar.png' }, 'pfp_url', 'absolute URL'],
  [{ url: LONG }, 'url', '256 bytes'],
  [{ url: '//x' }, 'url', 'absolute URL'],
  [{ banner: 'https://x.example' }, 'banner', 'pro subscription'],
  [{ username: 'nobody-has-it' }, 'username', 'nobody'],
  [{ username: 'Alice' }, 'username', 'matches'],
  [{ username: 'x'.repeat(17) }, 'username', 'matches'],
  [{ username: 'a.b.eth' }, 'username', 'matches'],
  [{ verified_accounts: { x: 'not a name' } }, 'verified_accounts', /^verified_accounts\.x: /],
  [{ verified_accounts: { github: '-x' } }, 'verified_accounts', /^verified_accounts\.github: /],
  [{ verified_accounts: { x: 1 } }, 'verified_accounts', 'must be a string'],
  [{ verified_accounts: 'x' }, 'verified_accounts', 'must be an object'],
  [{ location: { latitude: 91, longitude: 0 } }, 'location', 'at most 90'],
  [{ location: { latitude: 1 } }, 'location', 'location.longitude is required'],
  [{ location: 'geo:1,2' }, 'location', 'must be an object'],
  [{ primary_eth_address: '0x12' }, 'primary_eth_address', 'of the form'],
  [{ primary_sol_address: '0' }, 'primary_sol_address', 'of the form'],
  [{ bio: null }, 'bio', 'must be a string'],
  [{ bio: 'a\0' }, 'bio', 'NUL'],
  [{ bio: '\udfff' }, 'bio', 'halves'],
])('invalid input is a 400 that names the property: %j', async (body, property, message) => {
  const before = await messages(FIDS.alice);
  const answer = await update(alice, body);
  expect({ status: answer.status, property: answer.body.property }).toEqual({ status: 400, property });
  expect(answer.body.message).toEqual(
    typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message),
  );
  expect(await messages(FIDS.alice)).toBe(before);
});

test('poles, the 180th meridian and points near latitude and longitude 0 are valid locations', async () => {
  const spots = [
    [90, 180, 90, 180],
    [-90, -180, -90, -180],
    [-0.001, 0.004, 0, 0],
    [1e-9, -1e-9, 0, 0],
    [12.345, -0.005, 12.35, 0],
  ] as const;
  for (const [latitude, longitude, ...shown] of spots) {
    expect((await update(carol, { location: { latitude, longitude } })).status).toBe(200);
    const { location } = (await user(FIDS.carol)).profile;
    expect([location.latitude, location.longitude]).toEqual(shown);
  }
});
