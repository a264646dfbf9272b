import { UserDataType } from '@farcaster/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { INVALIDATE_ALL } from '../src/store/change.js';
import { storeChannels } from './support/channel.js';
import { type Network, startNetwork, type TestResponse } from './support/network.js';
import { checkPaging, pageOverHttp } from './support/paging.js';
import { CHANNEL_URL, FIDS, type Seeded, seedBasics } from './support/seed.js';

/** Finding channels: by id, by URL, all of them, by parts of their names, and where casts show them. */

const OLD_URL = 'chain://eip155:1/erc721:0x7abfe142031532e1ad0e46f971cc0ef7cf4b98b0';

let network: Network;
let seeded: Seeded;

beforeAll(async () => {
  network = await startNetwork();
  seeded = await seedBasics((items) => network.load(items));
  await storeChannels(network.app.core.db, [
    {
      id: 'garden',
      parentUrl: CHANNEL_URL,
      name: 'Garden',
      description: 'Seeds by , soil by  🌱',
      descriptionMentions: [FIDS.carol, FIDS.bob],
      descriptionMentionPositions: [9, 19],
      imageUrl: 'https://image.example/garden.png',
      externalLinkUrl: 'https://garden.example',
      externalLinkTitle: 'Our "garden"',
      leadFid: FIDS.carol,
      pinnedCastHash: seeded.casts.hello.hash,
    },
    { id: 'football', parentUrl: OLD_URL, name: 'Football ⚽ & more', createdAt: new Date('2024-02-01') },
    {
      id: 'food',
      parentUrl: 'https://farcaster.xyz/~/channel/food',
      name: '100%_Food',
      createdAt: new Date('2024-03-01'),
    },
    { id: 'a-foo', parentUrl: 'https://x.example/a-foo', name: 'Something', listedFollowerCount: 7 },
    { id: 'barfoo', parentUrl: 'https://x.example/barfoo', name: 'Else', listedFollowerCount: 9 },
  ]);
  network.app.invalidate(INVALIDATE_ALL);
});
afterAll(() => network.stop());

const get = (path: string): Promise<TestResponse> => network.get(`/v2/social/channel/${path}`);
interface Member {
  readonly channel: { readonly id: string };
}

const idsOf = (body: TestResponse['body']): string[] => body.channels.map(({ id }: { id: string }) => id);

test('a channel shows all that is known of it, with its lead and the accounts in its description', async () => {
  const { status, body } = await get('?id=garden');
  expect(status).toBe(200);
  const { description_mentioned_profiles_ranges: ranges, ...channel } = body.channel;
  expect(channel).toMatchObject({
    object: 'channel',
    id: 'garden',
    url: CHANNEL_URL,
    parent_url: CHANNEL_URL,
    name: 'Garden',
    description: 'Seeds by @carol, soil by @bob 🌱',
    description_mentioned_profiles: [
      { object: 'user_dehydrated', fid: FIDS.carol },
      { object: 'user_dehydrated', fid: FIDS.bob },
    ],
    external_link: { url: 'https://garden.example', title: 'Our "garden"' },
    follower_count: 0,
    member_count: 1,
    moderator_fids: [],
    pinned_cast_hash: `0x${Buffer.from(seeded.casts.hello.hash).toString('hex')}`,
    lead: { object: 'user', fid: FIDS.carol, username: 'carol' },
  });
  expect(ranges.map(({ start, end }: { start: number; end: number }) => channel.description.slice(start, end))).toEqual(
    ['@carol', '@bob'],
  );
  expect(channel).not.toHaveProperty('viewer_context');
  const { channel: bare } = (await get('?id=football')).body;
  for (const absent of ['lead', 'description', 'pinned_cast_hash', 'external_link', 'image_url', 'hosts', 'moderator'])
    expect(bare).not.toHaveProperty(absent);
});

test('a channel shows its lead and moderators as hosts, its lead as moderator, and a cast only the lead', async () => {
  const add = `insert into channel_member (channel_id, fid, role, since) values ('garden', $1, 'moderator', $2)`;
  await network.sql(add, [FIDS.erin, new Date('2024-03-01')]);
  await network.sql(add, [FIDS.dan, new Date('2024-02-01')]);
  const fidsOf = (users: { fid: number }[]) => users.map(({ fid }) => fid);
  for (const path of [
    `?id=garden&viewer_fid=${FIDS.bob}`,
    'bulk/?ids=garden',
    'search/?q=garden',
    'list/?limit=200',
    `../user/memberships/list/?fid=${FIDS.carol}`,
  ]) {
    const { body } = await get(path);
    const all = body.channel ? [body.channel] : (body.channels ?? body.members.map((one: Member) => one.channel));
    const channel = all.find(({ id }: { id: string }) => id === 'garden');
    expect(channel.moderator_fids, path).toEqual([FIDS.dan, FIDS.erin]);
    expect(fidsOf(channel.hosts), path).toEqual([FIDS.carol, FIDS.dan, FIDS.erin]);
    expect(channel.moderator, path).toEqual(channel.lead);
    for (const host of channel.hosts) expect(host).toMatchObject({ object: 'user' });
  }
  const { body } = await get(`?id=garden&viewer_fid=${FIDS.alice}`);
  expect(body.channel.hosts[1].viewer_context).toMatchObject({ following: true, followed_by: true });
  const hash = `0x${Buffer.from(seeded.casts.channel.hash).toString('hex')}`;
  const { channel } = (await network.get(`/v2/social/cast/?type=hash&identifier=${hash}`)).body.cast;
  expect(channel).toMatchObject({ lead: { fid: FIDS.carol }, moderator_fids: [FIDS.dan, FIDS.erin] });
  for (const absent of ['hosts', 'moderator']) expect(channel).not.toHaveProperty(absent);
  await network.sql("delete from channel_member where role = 'moderator'");
});

test('hosts who change appear in the next response', async () => {
  const hosts = async (id = 'garden') => (await get(`?id=${id}`)).body.channel.hosts;
  for (let turn = 0; turn < 3; turn++)
    expect(await hosts()).toMatchObject([{ fid: FIDS.carol, display_name: 'Carol' }]);
  await seeded.send(seeded.carol.userData(UserDataType.DISPLAY, 'Carol again'));
  expect(await hosts()).toMatchObject([{ display_name: 'Carol again' }]);
  await seeded.send(seeded.carol.userData(UserDataType.DISPLAY, 'Carol'));
  expect(await hosts('food')).toBeUndefined();
});

test('a channel is found by its id in any case and by every spelling of its URL', async () => {
  const spellings = [CHANNEL_URL, 'https://farcaster.xyz/~/channel/garden', 'https://warpcast.com/~/channel/garden'];
  for (const id of ['garden', ' GARDEN ', 'Garden']) {
    expect((await get(`?id=${encodeURIComponent(id)}`)).body.channel.id, id).toBe('garden');
  }
  for (const url of spellings) {
    const { body } = await get(`?type=parent_url&id=${encodeURIComponent(url)}`);
    expect(body.channel, url).toMatchObject({ id: 'garden', parent_url: CHANNEL_URL });
  }
  expect((await get(`?type=parent_url&id=${encodeURIComponent(OLD_URL)}`)).body.channel.id).toBe('football');
  // URLs are compared byte for byte.
  expect((await get(`?type=parent_url&id=${encodeURIComponent(`${CHANNEL_URL}/`)}`)).status).toBe(404);
});

test.each([
  ['an unknown id', '?id=nowhere', 404, 'id'],
  ['a URL that is none of a channel', '?type=parent_url&id=https://nowhere.example', 404, 'id'],
  ['no id', '', 400, 'id'],
  ['spaces', '?id=%20%20', 404, 'id'],
  ['an id of 3,000 letters', `?id=${'x'.repeat(3000)}`, 404, 'id'],
  ['bytes that no id has', '?id=%00', 400, 'id'],
  ['unknown ids', 'bulk/?ids=nowhere,neither', 404, 'ids'],
])('%s is answered with what to do', async (_, path, status, property) => {
  const { body, status: found } = await get(path);
  expect({ found, property: body.property }).toEqual({ found: status, property });
  expect(body.message.length).toBeGreaterThan(10);
});

test('many channels come in the order asked for, each once, without those that are unknown', async () => {
  const { body } = await get('bulk/?ids=food,nowhere,GARDEN,food,garden');
  expect(idsOf(body)).toEqual(['food', 'garden']);
  const urls = [OLD_URL, 'https://warpcast.com/~/channel/food'].map(encodeURIComponent).join();
  expect(idsOf((await get(`bulk/?type=parent_url&ids=${urls}`)).body)).toEqual(['football', 'food']);
  const many = Array.from({ length: 101 }, (_, n) => `c${n}`).join();
  const { status, body: fault } = await get(`bulk/?ids=${many}`);
  expect([status, fault.property]).toEqual([400, 'ids']);
});

test('all channels are listed, the newest first', async () => {
  const { body } = await get('list/?limit=200');
  expect(idsOf(body)).toEqual(['food', 'football', 'garden', 'barfoo', 'a-foo']);
  expect(body.next).toEqual({ cursor: null });
});

test.each([
  ['foo', ['food', 'football', 'barfoo', 'a-foo']],
  ['FOOD', ['food']],
  ['/food', ['food']],
  [' ball ', ['football']],
  ['football', ['football']],
  ['fo', ['food', 'football']],
  ['g', ['garden']],
  ['mor', ['football']],
  ['100%', ['food']],
  ['%_', []],
  ['0%_F', ['food']],
  ['%', []],
  ['⚽ &', ['football']],
  ["'; drop table channel; --", []],
  ['zzz', []],
  ['x'.repeat(256), []],
])('a search for %j finds %j', async (q, ids) => {
  expect(idsOf((await get(`search/?limit=200&q=${encodeURIComponent(q)}`)).body)).toEqual(ids);
});

test.each(['', '   ', '/', 'x'.repeat(257)])('a search for %j says what to search for', async (q) => {
  const { status, body } = await get(`search/?q=${encodeURIComponent(q)}`);
  expect([status, body.property]).toEqual([400, 'q']);
});

test('a cast shows its channel under every spelling of the URL, and feeds of the channel have all of them', async () => {
  const { dan } = seeded;
  const spellings = [CHANNEL_URL, 'https://farcaster.xyz/~/channel/garden', 'https://warpcast.com/~/channel/garden'];
  const casts = spellings.map((parent, n) => dan.cast({ text: `spelling ${n}`, parent }));
  await seeded.send(...casts);
  const hashes = casts.map(({ hash }) => `0x${Buffer.from(hash).toString('hex')}`);
  const shown = (await network.get(`/v2/social/casts/?casts=${hashes.join()}`)).body.result.casts;
  for (const [n, cast] of shown.entries()) {
    expect(cast).toMatchObject({ parent_url: spellings[n], channel: { id: 'garden', parent_url: CHANNEL_URL } });
  }
  const lists = [
    'feed/channels/?channel_ids=GARDEN&',
    'feed/?filter_type=channel_id&channel_id=garden&',
    ...spellings.flatMap((url) => [
      `feed/parent_urls/?parent_urls=${encodeURIComponent(url)}&`,
      `feed/?filter_type=parent_url&parent_url=${encodeURIComponent(url)}&`,
      `feed/user/casts/?parent_url=${encodeURIComponent(url)}&fid=${dan.fid}&`,
    ]),
    `feed/user/casts/?channel_id=garden&fid=${dan.fid}&`,
    'cast/search/?q=spelling&channel_id=garden&',
    `cast/search/?q=spelling&author_fid=${dan.fid}&parent_url=${encodeURIComponent(spellings[2] as string)}&`,
  ];
  for (const path of lists) {
    const { body } = await network.get(`/v2/social/${path}limit=50`);
    const found = (body.casts ?? body.result.casts).map(({ hash }: { hash: string }) => hash);
    expect(
      hashes.filter((hash) => !found.includes(hash)),
      path,
    ).toEqual([]);
  }
});

test('a URL finds the channel whose parent URL it is before the channel whose page it is', async () => {
  // The page of `one` is the parent URL of `other`, whichever is stored first.
  const one = { id: 'one', parentUrl: 'https://x.example/one' };
  const other = { id: 'other', parentUrl: 'https://farcaster.xyz/~/channel/one' };
  for (const order of [
    [[one, other]],
    [[one], [other]],
    [[other], [one]],
    [[one], [other], [{ ...one, name: 'One' }]],
  ]) {
    for (const channels of order) await storeChannels(network.app.core.db, channels);
    network.app.invalidate(INVALIDATE_ALL);
    const { body } = await get(`?type=parent_url&id=${encodeURIComponent(other.parentUrl)}`);
    expect(body.channel.id).toBe('other');
    await network.sql("delete from channel where id in ('one', 'other')");
    await network.sql("delete from channel_parent_url where channel_id in ('one', 'other')");
  }
});

test('the list of channels and a search walk to their end while channels come and go', async () => {
  const rows = 12;
  const id = (row: number): string => `walk${String(row).padStart(2, '0')}`;
  const insert = (chosen: readonly number[]) =>
    storeChannels(
      network.app.core.db,
      chosen.map((row) => ({
        id: id(row),
        parentUrl: `https://walk.example/${row}`,
        // Two at a time.
        createdAt: new Date(Date.UTC(2025, 0, 1 + (row >> 1))),
        listedFollowerCount: row >> 2,
      })),
    ).then(() => network.app.invalidate(INVALIDATE_ALL));
  const remove = async (chosen: readonly number[]) => {
    for (const table of ['channel', 'channel_parent_url']) {
      const column = table === 'channel' ? 'id' : 'channel_id';
      await network.sql(`delete from ${table} where ${column} = any($1)`, [chosen.map(id)]);
    }
  };
  const numbers = Array.from({ length: rows }, (_, row) => row);
  const walkOnly = (body: TestResponse['body']): string[] => idsOf(body).filter((one) => one.startsWith('walk'));
  await checkPaging({
    rows,
    key: id,
    insert,
    remove,
    full: false,
    order: [...numbers].reverse(),
    page: pageOverHttp(network.get, '/v2/social/channel/list/', walkOnly),
    runs: 5,
  });
  await checkPaging({
    rows,
    key: id,
    insert,
    remove,
    order: [...numbers].sort((a, b) => (b >> 2) - (a >> 2) || a - b),
    page: pageOverHttp(network.get, '/v2/social/channel/search/?q=walk', idsOf),
    runs: 5,
  });
});

test('a channel that its source no longer lists is still found, but not listed or searched', async () => {
  await network.sql("update channel set gone_at = now() where id = 'barfoo'");
  expect((await get('?id=barfoo')).status).toBe(200);
  expect(idsOf((await get('list/')).body)).not.toContain('barfoo');
  expect(idsOf((await get('search/?q=barfoo')).body)).toEqual([]);
  await network.sql("update channel set gone_at = null where id = 'barfoo'");
});
