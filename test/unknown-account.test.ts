import { afterAll, beforeAll, expect, test } from 'vitest';
import type { IngestItem } from '../src/ingest/item.js';
import { audit } from '../src/ingest/pipeline/audit.js';
import { author } from '../src/sample/author.js';
import { type Network, startNetwork, type TestResponse } from './support/network.js';
import { FIDS, SEED, type Seeded, seedBasics } from './support/seed.js';
import { approvedSigner } from './support/signer.js';

/*
 * Accounts of which nothing is stored: a service that indexes chosen accounts knows few of those that these follow,
 * block, mute or ban. Lists show them with the defaults of the interface, so that lists hold what counters count.
 */

const DEFAULTS = {
  object: 'user',
  custody_address: `0x${'0'.repeat(40)}`,
  registered_at: '2021-01-01T00:00:00.000Z',
  following_count: 0,
  verifications: [],
  profile: { bio: { text: '' } },
};
const { alice, frank, heidi } = FIDS;

let network: Network;
let seeded: Seeded;
let signer: string;
beforeAll(async () => {
  network = await startNetwork();
  seeded = await seedBasics(async (items) => expect((await network.load(items)).invalid).toEqual({}));
  signer = (await approvedSigner(network, seeded.heidi)).uuid;
});
afterAll(() => network.stop());

const userOf = async (fid: number) => (await network.get(`/v2/social/user/bulk/?fids=${fid}`)).body.users[0];

/** Follows the cursors of a list to its end. @returns its entries, and how many each page held */
const walk = async (path: string, member: string) => {
  const entries: { user: Record<string, unknown> }[] = [];
  const sizes: number[] = [];
  let cursor: string | null = null;
  do {
    const { status, body }: TestResponse = await network.get(cursor === null ? path : `${path}&cursor=${cursor}`);
    expect(status).toBe(200);
    entries.push(...body[member]);
    sizes.push(body[member].length);
    cursor = body.next.cursor;
  } while (cursor !== null);
  return { entries, sizes };
};

test('an unknown account that is followed is listed and counted, in every order, dialect and page', async () => {
  const unknown = [1_000_001, 1_000_002, 2 ** 40];
  const request = { signer_uuid: signer, target_fids: [unknown[0], alice, ...unknown.slice(1)] };
  expect((await network.send('POST', '/v2/social/user/follow/', request)).body.success).toBe(true);
  const all = [...unknown, alice].sort((a, b) => a - b);
  expect((await userOf(heidi)).following_count).toBe(4);
  for (const prefix of ['/v2/social', '/v2/farcaster']) {
    for (const sort of ['desc_chron', 'algorithmic']) {
      const path = `${prefix}/following/?fid=${heidi}&viewer_fid=${heidi}&sort_type=${sort}&limit=2`;
      const { entries, sizes } = await walk(path, 'users');
      expect(sizes).toEqual([2, 2]);
      expect(entries.map(({ user }) => user.fid as number).sort((a, b) => a - b)).toEqual(all);
      for (const { user } of entries.filter((one) => one.user.fid !== alice)) {
        expect(user).toMatchObject({
          ...DEFAULTS,
          username: `!${user.fid}`,
          follower_count: 1,
          viewer_context: { following: true, followed_by: false, blocking: false, blocked_by: false },
        });
      }
    }
  }
  for (const fid of unknown) {
    const followers = await network.get(`/v2/social/followers/?fid=${fid}`);
    expect(followers.body.users).toMatchObject([{ user: { fid: heidi } }]);
    // They can be told from accounts: what asks for one finds none.
    expect((await network.get(`/v2/social/user/bulk/?fids=${fid}`)).body.users).toEqual([]);
    expect((await network.get(`/v2/social/user/by_username/?username=!${fid}`)).status).toBe(404);
  }
  expect(await audit(network.app.core.db)).toEqual([]);
});

test('blocks, mutes and bans of unknown accounts are taken and listed with them', async () => {
  const [blocked, muted, banned] = [1_000_011, 1_000_012, 1_000_013];
  const { status } = await network.send('POST', '/v2/social/block/', { signer_uuid: signer, blocked_fid: blocked });
  expect(status).toBe(200);
  expect((await network.send('POST', '/v2/social/mute/', { fid: 1_000_014, muted_fid: muted })).status).toBe(200);
  expect((await network.send('POST', '/v2/social/ban/', { fids: [banned] })).status).toBe(200);
  const blocks = await network.get(`/v2/social/block/list/?blocker_fid=${heidi}`);
  expect(blocks.body.blocks).toMatchObject([
    { blocker: { fid: heidi }, blocked: { ...DEFAULTS, fid: blocked, username: `!${blocked}`, follower_count: 0 } },
  ]);
  expect((await network.get(`/v2/social/block/list/?blocked_fid=${blocked}`)).body).toEqual(blocks.body);
  const mutes = await network.get('/v2/social/mute/list/?fid=1000014');
  expect(mutes.body.mutes).toMatchObject([{ muted: { ...DEFAULTS, fid: muted, username: `!${muted}` } }]);
  const bans = await network.get('/v2/social/ban/list/');
  expect(bans.body.bans).toMatchObject([{ banned: { ...DEFAULTS, fid: banned, username: `!${banned}` } }]);
});

test('an account that becomes known is shown as it is, and a follow that ends leaves no trace', async () => {
  const fid = 1_000_021;
  const listed = async (): Promise<unknown[]> =>
    (await network.get(`/v2/social/following/?fid=${frank}`)).body.users.map(
      (one: { user: { username: string } }) => one.user.username,
    );
  await seeded.send(seeded.frank.follow(fid));
  expect(await listed()).toEqual([`!${fid}`]);
  const late = author({ seed: SEED, fid, clock: seeded.clock });
  await seeded.send(late.register(), late.rent(1), await late.addSigner(), await late.fnameProof('late'));
  expect(await listed()).toEqual([`!${fid}`]);
  await seeded.send(late.userData(6, 'late'));
  expect(await listed()).toEqual(['late']);
  await seeded.send(seeded.frank.unfollow(fid));
  expect(await listed()).toEqual([]);
  expect((await userOf(frank)).following_count).toBe(0);
});

test('replayed and in any order, links of a hub to unknown accounts end in the same lists and counts', async () => {
  const { grace } = seeded;
  const targets = [1_000_031, 1_000_032, 1_000_033];
  const items: IngestItem[] = [
    ...targets.map((fid) => grace.follow(fid)),
    grace.unfollow(targets[1] as number),
    grace.link('block', targets[2] as number),
  ].map(({ item }) => item);
  for (const order of [items.toReversed(), items, items.toSorted(() => -1)]) {
    for (const item of order) {
      await network.app.core.ingest.submit([item], { source: 'hub', announce: false });
    }
  }
  const { entries } = await walk(`/v2/social/following/?fid=${grace.fid}&limit=1`, 'users');
  expect(entries.map(({ user }) => user.fid)).toEqual([targets[2], targets[0]]);
  expect((await userOf(grace.fid)).following_count).toBe(2);
  expect(await audit(network.app.core.db)).toEqual([]);
});

test('the audit shows a list that leaves out somebody who is counted, and a writer without an account', async () => {
  await network.sql('update account set following_count = following_count + 1 where fid = $1', [heidi]);
  await network.sql('update account set first_ts = null where fid = $1', [heidi]);
  const found = await audit(network.app.core.db);
  expect(found).toContainEqual({ what: 'list.following', where: String(heidi), stored: '5', expected: '4' });
  expect(found).toContainEqual(
    expect.objectContaining({ what: 'account.first_ts', where: String(heidi), stored: null }),
  );
});
