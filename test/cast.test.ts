import { UserDataType } from '@farcaster/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Signed } from '../src/sample/signed-message.js';
import { storeChannels } from './support/channel.js';
import { contractAvailable, validateAgainstContract } from './support/contract.js';
import { type Network, startNetwork, type TestResponse } from './support/network.js';
import { CHANNEL_URL, FIDS, type Seeded, seedBasics } from './support/seed.js';

let network: Network;
let seeded: Seeded;
const garden = {
  id: 'garden',
  parentUrl: CHANNEL_URL,
  url: 'https://channel.example/~/channel/garden',
  name: 'Garden',
  description: 'Seeds and soil',
  imageUrl: 'https://image.example/garden.png',
  leadFid: FIDS.carol,
  createdAt: new Date('2024-01-15T00:00:00Z'),
};

beforeAll(async () => {
  network = await startNetwork();
  await network.app.core.db.transaction((session) => storeChannels(session, [garden]));
  seeded = await seedBasics(load);
});
afterAll(() => network.stop());

const load: Parameters<typeof seedBasics>[0] = async (items) => {
  expect((await network.load(items)).invalid).toEqual({});
};

const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;
const hashOf = (cast: Signed): string => hex(cast.hash);

const ask = async (operationId: string, path: string): Promise<TestResponse> => {
  const answer = await network.get(path);
  if (contractAvailable) expect(validateAgainstContract(operationId, answer.status, answer.body)).toEqual([]);
  return answer;
};
const lookup = (identifier: string, type = 'hash', more = ''): Promise<TestResponse> =>
  ask(
    'lookup-cast-by-hash-or-url',
    `/v2/social/cast/?identifier=${encodeURIComponent(identifier)}&type=${type}${more}`,
  );
const bulk = (query: string): Promise<TestResponse> => ask('fetch-bulk-casts', `/v2/social/casts/?${query}`);
const castOf = async (cast: Signed, more = '') => (await lookup(hashOf(cast), 'hash', more)).body.cast;
const hashesOf = ({ body }: TestResponse): string[] => body.result.casts.map((cast: { hash: string }) => cast.hash);
type Range = { start: number; end: number };

test('a cast has its author, its text with names, its place in the thread and its counts', async () => {
  const { hello, reply, deepReply } = seeded.casts;
  const cast = await castOf(hello);
  expect(cast).toMatchObject({
    object: 'cast',
    hash: hashOf(hello),
    author: { object: 'user', fid: FIDS.alice, username: 'alice', follower_count: 3 },
    app: { object: 'user_dehydrated', fid: FIDS.app, username: 'app' },
    text: 'gm @bob, how are the tomatoes?',
    mentioned_profiles: [{ object: 'user', fid: FIDS.bob }],
    mentioned_profiles_ranges: [{ start: 3, end: 7 }],
    mentioned_channels: [],
    mentioned_channels_ranges: [],
    parent_hash: null,
    parent_url: null,
    root_parent_url: null,
    parent_author: { fid: null },
    thread_hash: hashOf(hello),
    embeds: [],
    channel: null,
    reactions: { likes: [], likes_count: 3, recasts: [], recasts_count: 1 },
    replies: { count: 1 },
  });
  expect(cast.viewer_context).toBeUndefined();
  expect(cast.author.viewer_context).toBeUndefined();
  expect(cast.author_channel_context).toBeUndefined();
  expect(await castOf(deepReply)).toMatchObject({
    parent_hash: hashOf(reply),
    parent_author: { fid: FIDS.bob },
    thread_hash: hashOf(hello),
  });
});

test('ranges cut the names out of texts with emoji and flags', async () => {
  const { text, mentioned_profiles, mentioned_profiles_ranges } = await castOf(seeded.casts.emoji);
  expect(text).toBe('👩‍👩‍👧 🇯🇵 @alice と @bob、おはよう');
  expect(mentioned_profiles.map((user: { fid: number }) => user.fid)).toEqual([FIDS.alice, FIDS.bob]);
  expect(mentioned_profiles_ranges.map(({ start, end }: Range) => text.slice(start, end))).toEqual(['@alice', '@bob']);
});

test('mentions of accounts that are not stored are text with their fid, and have no profile and range', async () => {
  const cast = seeded.alice.cast({ text: ['hi ', 4242, ' and ', FIDS.bob, FIDS.bob] });
  await seeded.send(cast);
  const { text, mentioned_profiles, mentioned_profiles_ranges } = await castOf(cast);
  expect(text).toBe('hi @!4242 and @bob@bob');
  expect(mentioned_profiles.map((user: { fid: number }) => user.fid)).toEqual([FIDS.bob, FIDS.bob]);
  expect(mentioned_profiles_ranges).toEqual([
    { start: 14, end: 18 },
    { start: 18, end: 22 },
  ]);
});

test('the channel comes whole, replies in it included, and is named in texts', async () => {
  const { channel } = seeded.casts;
  const answer = seeded.dan.cast({ text: ['🌱 ', FIDS.carol, ' see /garden, not /nowhere'], parent: channel });
  await seeded.send(answer);
  const expected = {
    object: 'channel',
    id: 'garden',
    name: 'Garden',
    description: 'Seeds and soil',
    url: garden.url,
    parent_url: CHANNEL_URL,
    image_url: garden.imageUrl,
    created_at: '2024-01-15T00:00:00.000Z',
    lead: { object: 'user', fid: FIDS.carol },
  };
  expect(await castOf(channel)).toMatchObject({
    parent_url: CHANNEL_URL,
    root_parent_url: CHANNEL_URL,
    parent_hash: null,
    parent_author: { fid: null },
    channel: expected,
    embeds: [{ url: 'https://news.example/beans' }],
  });
  const cast = await castOf(answer);
  expect(cast).toMatchObject({ parent_url: null, root_parent_url: CHANNEL_URL, channel: expected });
  expect(cast.mentioned_channels).toEqual([
    { object: 'channel_dehydrated', id: 'garden', name: 'Garden', image_url: garden.imageUrl },
  ]);
  expect(cast.mentioned_channels_ranges.map(({ start, end }: Range) => cast.text.slice(start, end))).toEqual([
    '/garden',
  ]);
});

test('embedded casts are full at the first level and dehydrated at the second; absent ones are left out', async () => {
  const { reply, quote, channel } = seeded.casts;
  const absent = { fid: FIDS.bob, hash: Buffer.alloc(20, 9) };
  const outer = seeded.erin.cast({ text: 'Look', embeds: [quote, 'https://news.example/"quoted"'] });
  const other = seeded.erin.cast({ text: 'And', embeds: [absent, channel] });
  const outermost = seeded.erin.cast({ text: 'Far', embeds: [outer] });
  await seeded.send(outer, other, outermost);
  expect((await castOf(outer)).embeds).toEqual([
    {
      cast_id: { fid: FIDS.dan, hash: hashOf(quote) },
      cast: {
        object: 'cast',
        hash: hashOf(quote),
        author: expect.objectContaining({ object: 'user_dehydrated', fid: FIDS.dan, username: 'dan' }),
        app: expect.objectContaining({ object: 'user_dehydrated', fid: FIDS.app }),
        text: 'This.',
        timestamp: expect.any(String),
        parent_hash: null,
        parent_url: null,
        root_parent_url: null,
        parent_author: { fid: null },
        channel: null,
        embeds: [
          {
            cast_id: { fid: FIDS.bob, hash: hashOf(reply) },
            cast: {
              object: 'cast_dehydrated',
              hash: hashOf(reply),
              author: expect.objectContaining({ fid: FIDS.bob }),
              app: expect.objectContaining({ fid: FIDS.app }),
            },
          },
        ],
      },
    },
    { url: 'https://news.example/"quoted"' },
  ]);
  expect((await castOf(other)).embeds).toMatchObject([
    { cast: { hash: hashOf(channel), channel: { object: 'channel_dehydrated', id: 'garden' }, embeds: [{}] } },
  ]);
  expect((await castOf(outermost)).embeds[0].cast.embeds[0].cast.object).toBe('cast_dehydrated');
  await seeded.send(seeded.dan.userData(UserDataType.DISPLAY, 'Dan renamed'));
  expect((await castOf(outer)).embeds[0].cast.author.display_name).toBe('Dan renamed');
  await seeded.send(seeded.dan.removeCast(quote.hash));
  expect((await castOf(outer)).embeds).toEqual([{ url: 'https://news.example/"quoted"' }]);
});

test('an app that is not known is null', async () => {
  const { alice } = seeded;
  const cast = alice.withKey(7).cast({ text: 'By another key' });
  await network.app.core.ingest.submit([cast.item], { source: 'file', announce: false, trustSigners: true });
  expect((await castOf(cast)).app).toBeNull();
  await seeded.send(await alice.withKey(7).addSigner({ requester: { fid: FIDS.app, wallet: seeded.app.custody } }));
  expect((await castOf(cast)).app.fid).toBe(FIDS.app);
});

test('viewer_context tells of the viewer, on casts and on all users in them', async () => {
  const { hello } = seeded.casts;
  const viewed = await castOf(hello, `&viewer_fid=${FIDS.carol}`);
  expect(viewed.viewer_context).toEqual({ liked: true, recasted: true });
  expect(viewed.author.viewer_context).toMatchObject({ following: true });
  expect(viewed.mentioned_profiles[0].viewer_context).toMatchObject({ following: false });
  expect((await castOf(hello, `&viewer_fid=${FIDS.bob}`)).viewer_context).toEqual({ liked: false, recasted: false });
  expect((await castOf(hello, '&viewer_fid=99999')).viewer_context).toEqual({ liked: false, recasted: false });
});

test('several casts come in the order asked for, once each, or sorted', async () => {
  const { hello, channel, reply, removed } = seeded.casts;
  const casts = [channel, hello, reply];
  const [c, h, r] = casts.map(hashOf) as [string, string, string];
  const asked = `casts=${c},${h.slice(2).toUpperCase()},${hashOf(removed)},0x${'0'.repeat(40)},${c},${r}`;
  expect(hashesOf(await bulk(asked))).toEqual([c, h, r]);
  await seeded.send(seeded.frank.react('recast', reply), seeded.grace.react('recast', reply));
  await seeded.send(
    seeded.frank.cast({ text: '1', parent: channel }),
    seeded.frank.cast({ text: '2', parent: channel }),
  );
  const sorted = async (type: string) => hashesOf(await bulk(`${asked}&sort_type=${type}`));
  expect(await sorted('likes')).toEqual([h, c, r]);
  expect(await sorted('recasts')).toEqual([r, h, c]);
  expect((await sorted('replies'))[0]).toBe(c);
  expect(await sorted('recent')).toEqual([r, c, h]);
  // All of one age: 3 replies and a quote, 3 likes with a recast and a reply, 2 recasts and a reply.
  expect(await sorted('trending')).toEqual([c, h, r]);
});

test('by web address: of the author and a prefix of the hash, or of the conversation', async () => {
  const { hello } = seeded.casts;
  const hash = hashOf(hello);
  for (const address of [
    `https://client.example/alice/${hash.slice(0, 10)}`,
    `https://client.example/Alice/${hash}`,
    `https://client.example/~/conversations/${hash}`,
  ]) {
    expect((await lookup(address, 'url')).body.cast.hash).toBe(hash);
  }
  for (const [identifier, type] of [
    [`https://client.example/bob/${hash.slice(0, 10)}`, 'url'],
    [`https://client.example/nobody/${hash.slice(0, 10)}`, 'url'],
    [`https://client.example/alice/${hash.slice(0, 9)}`, 'url'],
    [hash, 'url'],
    [`0x${'0'.repeat(40)}`, 'hash'],
    [hash.slice(0, 10), 'hash'],
    ['', 'hash'],
  ] as const) {
    const { status, body } = await lookup(identifier, type);
    expect({ identifier, status, property: body.property }).toEqual({
      identifier,
      status: 400,
      property: 'identifier',
    });
  }
});

test('what is asked wrongly is refused with the member at fault', async () => {
  const hash = hashOf(seeded.casts.hello);
  const bad: [TestResponse, string][] = [
    [await bulk(''), 'casts'],
    [await bulk('casts=0x12'), 'casts'],
    [await bulk(`casts=${Array(101).fill(hash).join(',')}`), 'casts'],
    [await bulk(`casts=${hash}&sort_type=best`), 'sort_type'],
    [await bulk(`casts=${hash}&viewer_fid=-1`), 'viewer_fid'],
    [await lookup(hash, 'id'), 'type'],
    [await ask('lookup-cast-by-hash-or-url', '/v2/social/cast/?type=hash'), 'identifier'],
  ];
  for (const [{ status, body }, property] of bad) {
    expect({ status, code: body.code, property: body.property }).toEqual({
      status: 400,
      code: 'InvalidField',
      property,
    });
  }
});
