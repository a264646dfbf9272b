import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { storeChannels } from './support/channel.js';
import { type Network, startNetwork, type TestResponse } from './support/network.js';
import { checkPaging, pageOverHttp } from './support/paging.js';
import { CHANNEL_URL, FIDS, type Seeded, seedBasics } from './support/seed.js';
import { approvedSigner } from './support/signer.js';

/** Follows of channels: who may, what shows them at once, and the lists of both sides. */

let network: Network;
let seeded: Seeded;
let bob: string;
let dan: string;

beforeAll(async () => {
  network = await startNetwork();
  seeded = await seedBasics((items) => network.load(items));
  await storeChannels(network.app.core.db, [
    { id: 'garden', parentUrl: CHANNEL_URL, leadFid: FIDS.carol },
    { id: 'kitchen', parentUrl: 'https://channel.example/~/channel/kitchen' },
  ]);
  bob = (await approvedSigner(network, seeded.bob)).uuid;
  dan = (await approvedSigner(network, seeded.dan)).uuid;
});
afterAll(() => network.stop());
beforeEach(async () => {
  await network.sql('delete from channel_follow');
  await network.sql('update channel set follower_count = 0');
});

const follow = (signer_uuid: string, channel_id = 'garden') =>
  network.send('POST', '/v2/social/channel/follow/', { signer_uuid, channel_id });
const unfollow = (signer_uuid: string, channel_id = 'garden') =>
  network.send('DELETE', '/v2/social/channel/follow/', { signer_uuid, channel_id });
const channelOf = async (viewer: number, id = 'garden') =>
  (await network.get(`/v2/social/channel/?id=${id}&viewer_fid=${viewer}`)).body.channel;
const followers = async (more = '', id = 'garden'): Promise<number[]> =>
  (await network.get(`/v2/social/channel/followers/?id=${id}${more}`)).body.users.map(
    ({ fid }: { fid: number }) => fid,
  );
const followed = async (fid: number): Promise<string[]> =>
  (await network.get(`/v2/social/user/channels/?fid=${fid}`)).body.channels.map(({ id }: { id: string }) => id);

test('a follow shows at once wherever it counts, and a second one changes nothing', async () => {
  // Asked before, so that all of it is cached.
  for (let turn = 0; turn < 3; turn++) {
    expect(await channelOf(FIDS.bob)).toMatchObject({ follower_count: 0, viewer_context: { following: false } });
    expect([await followers(), await followed(FIDS.bob)]).toEqual([[], []]);
  }
  for (let turn = 0; turn < 2; turn++) {
    const answer = await follow(bob, turn === 0 ? 'garden' : ' GARDEN ');
    expect([answer.status, answer.body]).toEqual([200, { success: true }]);
    expect(await channelOf(FIDS.bob)).toMatchObject({ follower_count: 1, viewer_context: { following: true } });
    expect((await channelOf(FIDS.dan)).viewer_context).toEqual({ following: false });
    expect([await followers(), await followed(FIDS.bob)]).toEqual([[FIDS.bob], ['garden']]);
  }
  const hash = `0x${Buffer.from(seeded.casts.channel.hash).toString('hex')}`;
  const inCast = async (viewer: string) =>
    (await network.get(`/v2/social/casts/?casts=${hash}${viewer}`)).body.result.casts[0].channel;
  expect(await inCast(`&viewer_fid=${FIDS.bob}`)).toMatchObject({
    follower_count: 1,
    viewer_context: { following: true },
  });
  expect(await inCast('')).not.toHaveProperty('viewer_context');
  for (let turn = 0; turn < 2; turn++) {
    expect((await unfollow(bob)).body).toEqual({ success: true });
    expect(await channelOf(FIDS.bob)).toMatchObject({ follower_count: 0, viewer_context: { following: false } });
    expect([await followers(), await followed(FIDS.bob)]).toEqual([[], []]);
  }
});

test('the newest follow comes first on both sides', async () => {
  await follow(bob);
  await follow(dan);
  await follow(bob, 'kitchen');
  expect(await followers()).toEqual([FIDS.dan, FIDS.bob]);
  expect(await followed(FIDS.bob)).toEqual(['kitchen', 'garden']);
  expect(await followed(4_000_000)).toEqual([]);
});

test('many follows at once are counted exactly', async () => {
  await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 4 === 3 ? unfollow(dan) : follow(n % 2 ? bob : dan))));
  const [row] = await network.sql<{ shown: number; stored: number }>(
    `select c.follower_count as shown, (select count(*)::integer from channel_follow f where f.channel_id = c.id) as stored
       from channel c where id = 'garden'`,
  );
  expect(row?.shown).toBe(row?.stored);
});

test('where the source tells a number, follows here are added to it', async () => {
  await network.sql("update channel set listed_follower_count = 500 where id = 'garden'");
  await follow(bob);
  expect((await channelOf(FIDS.bob)).follower_count).toBe(501);
  await unfollow(bob);
  expect((await channelOf(FIDS.bob)).follower_count).toBe(500);
  await network.sql("update channel set listed_follower_count = null where id = 'garden'");
});

test('who is muted, or banned by the app, is not among the followers', async () => {
  await follow(bob);
  await follow(dan);
  await network.send('POST', '/v2/social/mute/', { fid: FIDS.alice, muted_fid: FIDS.bob });
  expect(await followers(`&viewer_fid=${FIDS.alice}`)).toEqual([FIDS.dan]);
  expect(await followers()).toEqual([FIDS.dan, FIDS.bob]);
  await network.send('DELETE', '/v2/social/mute/', { fid: FIDS.alice, muted_fid: FIDS.bob });
  await network.send('POST', '/v2/social/ban/', { fids: [FIDS.dan] });
  expect(await followers()).toEqual([FIDS.bob]);
  await network.send('DELETE', '/v2/social/ban/', { fids: [FIDS.dan] });
});

test('relevant followers are those whom the viewer follows, the highest score first', async () => {
  await follow(bob);
  await follow(dan);
  await seeded.send(seeded.alice.follow(FIDS.bob), seeded.alice.follow(FIDS.dan));
  await network.sql('update account set score = case fid when $1 then 0.2 else 0.9 end where fid in ($1, $2)', [
    FIDS.bob,
    FIDS.dan,
  ]);
  const path = (id: string, viewer: number) =>
    network.get(`/v2/social/channel/followers/relevant/?id=${id}&viewer_fid=${viewer}`);
  const { body } = await path('garden', FIDS.alice);
  const fidsOf = (list: { user: { fid: number } }[]) => list.map(({ user }) => user.fid);
  expect(fidsOf(body.top_relevant_followers_hydrated)).toEqual([FIDS.dan, FIDS.bob]);
  expect(fidsOf(body.all_relevant_followers_dehydrated)).toEqual([FIDS.dan, FIDS.bob]);
  expect((await path('kitchen', FIDS.alice)).body.all_relevant_followers_dehydrated).toEqual([]);
  expect((await path('garden', FIDS.grace)).body.all_relevant_followers_dehydrated).toEqual([]);
  await seeded.send(seeded.alice.unfollow(FIDS.bob), seeded.alice.unfollow(FIDS.dan));
});

test('what cannot be followed is said, with the member at fault', async () => {
  const cases: [() => Promise<TestResponse>, number, string | undefined][] = [
    [() => follow(bob, 'nowhere'), 404, 'channel_id'],
    [() => follow(bob, ''), 404, 'channel_id'],
    [() => follow(bob, 'x'.repeat(5000)), 404, 'channel_id'],
    [() => unfollow(bob, 'nowhere'), 404, 'channel_id'],
    [() => follow('19d0c5fd-9b33-4a48-a0e2-bc7b0555baec'), 404, 'signer_uuid'],
    [() => follow('bob'), 400, 'signer_uuid'],
    [() => network.send('POST', '/v2/social/channel/follow/', { signer_uuid: bob }), 400, 'channel_id'],
    [() => network.get('/v2/social/channel/followers/?id=nowhere'), 400, 'id'],
    [() => network.get(`/v2/social/channel/followers/relevant/?id=nowhere&viewer_fid=${FIDS.bob}`), 400, 'id'],
  ];
  for (const [send, status, property] of cases) {
    const answer = await send();
    expect({ status: answer.status, property: answer.body.property }).toEqual({ status, property });
  }
  const reader = (await approvedSigner(network, seeded.erin, { permissions: ['FOLLOW_USER'] })).uuid;
  expect((await follow(reader)).status).toBe(403);
  await network.sql("insert into channel_restriction values ('garden', $1, 'banned', now())", [FIDS.dan]);
  const banned = await follow(dan);
  expect([banned.status, banned.body.property]).toEqual([403, 'channel_id']);
  expect((await unfollow(dan)).status).toBe(200);
  await network.sql('delete from channel_restriction');
});

test('both lists walk to their end while follows come and go', async () => {
  const rows = 12;
  const insertFollows = (values: string) => (chosen: readonly number[]) =>
    network.sql(
      `insert into channel_follow (channel_id, fid, followed_at)
       select ${values}, to_timestamp(1700000000 + n / 2) from unnest($1::integer[]) n`,
      [chosen],
    );
  const numbers = Array.from({ length: rows }, (_, row) => row);
  await checkPaging({
    rows,
    key: (row) => String(1000 + row),
    insert: insertFollows(`'garden', 1000 + n`),
    remove: (chosen) =>
      network.sql('delete from channel_follow where fid = any($1)', [chosen.map((row) => 1000 + row)]),
    order: [...numbers].reverse(),
    page: pageOverHttp(network.get, '/v2/social/channel/followers/?id=garden', (body) =>
      body.users.map(({ fid }: { fid: number }) => String(fid)),
    ),
    runs: 5,
  });
  const id = (row: number): string => `walk${String(row).padStart(2, '0')}`;
  await storeChannels(
    network.app.core.db,
    numbers.map((row) => ({ id: id(row), parentUrl: `https://walk.example/${row}` })),
  );
  await checkPaging({
    rows,
    key: id,
    insert: insertFollows(`'walk' || lpad(n::text, 2, '0'), ${FIDS.alice}`),
    remove: (chosen) => network.sql('delete from channel_follow where channel_id = any($1)', [chosen.map(id)]),
    order: [...numbers].sort((a, b) => (b >> 1) - (a >> 1) || a - b),
    page: pageOverHttp(network.get, `/v2/social/user/channels/?fid=${FIDS.alice}`, (body) =>
      body.channels.map((channel: { id: string }) => channel.id),
    ),
    runs: 5,
  });
});
