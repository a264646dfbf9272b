import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { audit } from '../src/ingest/pipeline/audit.js';
import { storeChannels } from './support/channel.js';
import { createTestMirror, type TestMirror } from './support/channel-mirror.js';
import { type FakeChannelClient, listedChannel, startFakeChannelClient } from './support/fake-channel-client.js';
import { type Network, startNetwork } from './support/network.js';
import { rounds } from './support/rounds.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';

/** The list of all channels of a client: what is stored of it, and what is refused. */

let client: FakeChannelClient;
let network: Network;
let mirror: TestMirror;
let seeded: Seeded;

beforeAll(async () => {
  client = await startFakeChannelClient();
  client.channels = [listedChannel('garden', { moderatorFids: [FIDS.alice, FIDS.bob] }), listedChannel('kitchen')];
  network = await startNetwork({ CASTELLAN_CHANNEL_SOURCE: 'client', CASTELLAN_CHANNEL_CLIENT_URL: client.url });
  seeded = await seedBasics((items) => network.load(items));
  mirror = createTestMirror(network);
});
// Whatever the client listed, the counts are those of the rows.
afterEach(async () => expect(await audit(network.app.core.db)).toEqual([]));
afterAll(async () => {
  await network.stop();
  await client.stop();
});

const TABLES = ['channel', 'channel_parent_url', 'channel_member'] as const;
const rows = <Row = { id: string }>(table: (typeof TABLES)[number] = 'channel') =>
  network.app.core.db.run<Row>(`select * from ${table} order by 1, 2`);
/** The rows with the transaction that wrote each, or locked it. */
const versions = async () =>
  Promise.all(
    [...TABLES, 'change'].map((table) =>
      network.app.core.db.run(`select *, xmin::text, xmax::text from ${table} order by 1, 2`),
    ),
  );
const clear = () => network.sql('truncate channel, channel_parent_url, channel_member, channel_follow');
const sync = async (...channels: readonly unknown[]) => {
  client.channels = channels;
  await mirror.syncChannels();
  return mirror.warnings();
};
const channelOf = async (id: string) => (await network.get(`/v2/social/channel/?id=${id}`)).body.channel;
const idsOf = async (): Promise<string[]> =>
  (await network.get('/v2/social/channel/list/?limit=200')).body.channels.map(({ id }: { id: string }) => id).sort();
const names = (count: number) => Array.from({ length: count }, (_, n) => listedChannel(`c${n}`));

test('the service stores the whole list when it starts', async () => {
  await expect.poll(() => rows('channel')).toHaveLength(2);
  expect((await rows('channel'))[0]).toMatchObject({
    id: 'garden',
    parent_url: 'https://farcaster.xyz/~/channel/garden',
    source: 'client',
    lead_fid: FIDS.alice,
    listed_follower_count: 10,
    gone_at: null,
  });
  expect(await rows('channel_member')).toMatchObject([
    { channel_id: 'garden', fid: FIDS.alice, role: 'owner' },
    { channel_id: 'garden', fid: FIDS.bob, role: 'moderator' },
    { channel_id: 'kitchen', fid: FIDS.alice, role: 'owner' },
  ]);
  expect(await channelOf('garden')).toMatchObject({ follower_count: 10, member_count: 3, moderator_fids: [FIDS.bob] });
});

beforeEach(async () => {
  client.answer = () => undefined;
});

test('the same list a second time writes and locks nothing', async () => {
  const list = [
    listedChannel('garden', {
      moderatorFids: [FIDS.alice, FIDS.bob],
      descriptionMentions: [2],
      descriptionMentionsPositions: [3],
    }),
    listedChannel('kitchen', { leadFid: undefined, moderatorFids: undefined, pinnedCastHash: `0x${'ab'.repeat(20)}` }),
    listedChannel('attic', { externalLink: { title: 'T', url: 'https://x.example' }, createdAt: 1_709_753_166.5 }),
  ];
  await sync(...list);
  const before = await versions();
  expect(await sync(...list)).toEqual([]);
  expect(await versions()).toEqual(before);
});

test('a renamed channel changes one row, and its cached answers', async () => {
  await clear();
  await sync(...names(5));
  for (let turn = 0; turn < 3; turn++) expect(await channelOf('c3')).toMatchObject({ name: 'c3' });
  for (let turn = 0; turn < 3; turn++) expect((await idsOf()).length).toBeGreaterThan(4);
  const before = await rows<{ id: string; updated_at: Date }>();
  await sync(...names(3), listedChannel('c3', { name: 'Third' }), listedChannel('c4'));
  const changed = (await rows<{ id: string; updated_at: Date }>()).filter(
    (row, index) => row.updated_at.getTime() !== before[index]?.updated_at.getTime(),
  );
  expect(changed.map(({ id }) => id)).toEqual(['c3']);
  expect(await channelOf('c3')).toMatchObject({ name: 'Third' });
});

test('casts under the URL of a new channel carry it at once', async () => {
  await clear();
  const path = `/v2/social/casts/?casts=0x${Buffer.from(seeded.casts.channel.hash).toString('hex')}`;
  const channelOfCast = async () => (await network.get(path)).body.result.casts[0].channel;
  for (let turn = 0; turn < 3; turn++) expect(await channelOfCast()).toBeNull();
  await sync(listedChannel('plants', { url: 'https://channel.example/~/channel/garden' }));
  expect(await channelOfCast()).toMatchObject({ id: 'plants' });
});

test('a channel that gets another URL shows at once to those who cast there', async () => {
  await clear();
  await sync(listedChannel('plants'));
  const active = async (): Promise<string[]> =>
    (await network.get(`/v2/social/channel/user/?fid=${seeded.casts.channel.fid}`)).body.channels.map(
      ({ id }: { id: string }) => id,
    );
  for (let turn = 0; turn < 3; turn++) expect(await active()).toEqual([]);
  await sync(listedChannel('plants', { url: 'https://channel.example/~/channel/garden' }));
  expect(await active()).toEqual(['plants']);
});

test('moderators come and go without the members that are stored', async () => {
  await clear();
  await sync(listedChannel('garden', { moderatorFids: [FIDS.alice, FIDS.bob] }));
  await network.sql(
    "insert into channel_member (channel_id, fid, role, since) values ('garden', $1, 'member', now())",
    [FIDS.dan],
  );
  const roles = async () =>
    (await rows<{ fid: number; role: string }>('channel_member')).map(({ fid, role }) => [fid, role]);
  await sync(listedChannel('garden', { moderatorFids: [FIDS.dan] }));
  expect(await roles()).toEqual([
    [FIDS.alice, 'owner'],
    [FIDS.bob, 'member'],
    [FIDS.dan, 'moderator'],
  ]);
  expect(await channelOf('garden')).toMatchObject({ moderator_fids: [FIDS.dan], lead: { fid: FIDS.alice } });
  await sync(listedChannel('garden', { leadFid: FIDS.dan, moderatorFids: undefined }));
  expect(await roles()).toEqual([
    [FIDS.bob, 'member'],
    [FIDS.dan, 'owner'],
  ]);
});

test('a list that lacks a fifth of the channels is used, one more and it is refused', async () => {
  await clear();
  await sync(...names(50));
  expect(await sync(...names(39))).toEqual([
    expect.objectContaining({
      listed: 39,
      stored: 50,
      missing: 11,
      message: expect.stringContaining('lacks more than'),
    }),
  ]);
  expect((await rows<{ gone_at: Date | null }>()).every(({ gone_at }) => gone_at === null)).toBe(true);
  expect(await sync(...names(40))).toEqual([]);
  expect((await rows<{ gone_at: Date | null }>()).filter(({ gone_at }) => gone_at !== null)).toHaveLength(10);
});

test('an empty list is refused, and so is one without a valid channel, or no list', async () => {
  await clear();
  await sync(...names(3));
  const before = await versions();
  for (const list of [[], [{ id: 'c1' }, null, 7], names(3).map(({ id }) => ({ id }))]) {
    expect(await sync(...list)).toEqual([expect.objectContaining({ message: expect.stringContaining('is empty') })]);
  }
  for (const body of ['{"result": {}}', '{"channels": [{"id": "c0"}]}', '[]', 'null']) {
    client.answer = () => ({ status: 200, body });
    expect(await sync()).toEqual([expect.objectContaining({ message: expect.stringContaining('is empty') })]);
  }
  client.answer = () => undefined;
  expect(await versions()).toEqual(before);
});

test.each([
  ['is nested deeply', `{"more": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ['has a channel that is nested deeply', `{"result": {"channels": [${'['.repeat(100_000)}${']'.repeat(100_000)}]}}`],
  ['has a channel with many members', `{"result": {"channels": [{"leads": [${'1,'.repeat(5000)}1]}]}}`],
  ['has a long number', `{"result": {"channels": [${'9'.repeat(300_000)}]}}`],
  ['has a long text', `{"result": {"channels": [{"id": "${'x'.repeat(300_000)}"}]}}`],
])('a list is refused that %s', async (_, body) => {
  client.answer = () => ({ status: 200, body });
  await expect(sync()).rejects.toThrow('something that is no channel');
});

test('a channel that is no longer listed is gone, and comes back', async () => {
  await clear();
  await sync(...names(10));
  for (let turn = 0; turn < 3; turn++) expect(await idsOf()).toContain('c9');
  await sync(...names(9));
  expect(await idsOf()).not.toContain('c9');
  expect(await channelOf('c9')).toMatchObject({ id: 'c9' });
  await sync(...names(10));
  expect(await idsOf()).toContain('c9');
});

test('invalid channels and repeated ids and URLs are left out, and named once', async () => {
  await clear();
  await sync(...names(4));
  const warnings = await sync(
    ...names(3),
    listedChannel('c1', { name: 'another' }),
    // Listed, though not readable: it is not gone.
    { ...listedChannel('c3'), name: '' },
    { id: 7 },
    null,
    listedChannel('thief', { url: 'https://farcaster.xyz/~/channel/c0' }),
    listedChannel('x', { url: 'https://same.example' }),
    listedChannel('y', { url: 'https://same.example' }),
  );
  expect(warnings).toEqual([
    { invalid: 3, duplicates: 1, refused: 2, message: 'some channels of the list were left out' },
  ]);
  expect((await rows()).map(({ id }) => id)).toEqual(['c0', 'c1', 'c2', 'c3', 'x']);
  expect(await rows()).toMatchObject([{}, { name: 'c1' }, {}, { name: 'c3', gone_at: null }, {}]);
});

test('a channel that the database refuses does not hold up the others', async () => {
  await clear();
  const url = `https://long.example/${Array.from({ length: 2000 }, (_, n) => String.fromCodePoint(0x4e00 + ((n * 7919) % 20_000))).join('')}`;
  const warnings = await sync(
    ...names(4),
    listedChannel('long', { url }),
    listedChannel('when', { createdAt: '2024-99-99T99:99:99Z' }),
  );
  expect(warnings).toEqual([expect.objectContaining({ invalid: 1, refused: 1 })]);
  expect(await rows()).toHaveLength(4);
});

test('channels of this server and of the protocol stay, those of a file are taken over', async () => {
  await clear();
  await storeChannels(network.app.core.db, [
    { id: 'own', parentUrl: 'https://own.example', source: 'local' },
    { id: 'onchain', parentUrl: 'https://protocol.example', source: 'protocol' },
    { id: 'filed', parentUrl: 'https://file.example', source: 'file' },
    { id: 'unlisted', parentUrl: 'https://unlisted.example', source: 'file' },
  ]);
  await sync(listedChannel('own'), listedChannel('onchain'), listedChannel('filed'));
  expect((await rows<{ id: string; source: string; name: string }>()).map(({ id, source }) => [id, source])).toEqual([
    ['filed', 'client'],
    ['onchain', 'protocol'],
    ['own', 'local'],
    ['unlisted', 'file'],
  ]);
  expect(await sync(listedChannel('filed'))).toEqual([]);
  expect((await rows<{ gone_at: Date | null }>()).every(({ gone_at }) => gone_at === null)).toBe(true);
});

test('a client that fails is asked again, and everything is kept', async () => {
  await clear();
  await sync(...names(3));
  const before = await versions();
  // One of its own, because it waits for as long as the client says.
  const patient = createTestMirror(network);
  const asked = () => client.received.filter(({ path }) => path === '/v2/all-channels').length;
  client.channels = [...names(3), listedChannel('new')];
  const cases = [
    { status: 500 },
    { status: 503, body: '<html>' },
    { status: 404, body: '{"errors": [{"message": "gone"}]}' },
    { status: 302, headers: { location: '/elsewhere' } },
    { status: 200, body: '<html>' },
    { status: 200, body: '{"result": {"channels": [{"id": "c0", "url"' },
    { status: 200, body: '{"result": {"channels": [{]}}}' },
  ];
  for (const answer of cases) {
    client.answer = () => answer;
    await expect(patient.syncChannels(), JSON.stringify(answer)).rejects.toThrow();
  }
  // Not before the time that the client names.
  client.answer = () => ({ status: 429, headers: { 'retry-after': '120' } });
  await expect(patient.syncChannels()).rejects.toMatchObject({ kind: 'bad_gateway', retryAfter: 120 });
  client.answer = () => undefined;
  const sent = asked();
  await expect(patient.syncChannels()).rejects.toMatchObject({ kind: 'bad_gateway' });
  patient.ahead = 119_000;
  await expect(patient.syncChannels()).rejects.toMatchObject({ kind: 'bad_gateway' });
  expect([asked(), await versions()]).toEqual([sent, before]);
  patient.ahead = 121_000;
  await patient.syncChannels();
  expect((await rows()).map(({ id }) => id)).toEqual(['c0', 'c1', 'c2', 'new']);
  expect(patient.warnings()).toEqual([]);
});

test('a client that is not there is asked again', async () => {
  const other = await startFakeChannelClient();
  await other.stop();
  const lonely = createTestMirror({
    ...network,
    config: { ...network.config, channels: { ...network.config.channels, clientUrl: other.url } },
  });
  await expect(lonely.syncChannels()).rejects.toMatchObject({ kind: 'bad_gateway', code: 'ChannelClientAway' });
});

test('a thousand changes invalidate everything, and more than a thousand channels are written in parts', async () => {
  await clear();
  await sync(...names(2100));
  expect(await rows()).toHaveLength(2100);
  const [change] = await network.app.core.db.run<{ is_all: boolean }>('select * from change order by id desc limit 1');
  expect(change).toMatchObject({ is_all: false });
  const kept = await network.app.core.db.run<{ is_all: boolean }>('select is_all from change order by id desc limit 3');
  expect(kept.map(({ is_all }) => is_all)).toEqual([false, true, true]);
  await sync(...names(2100).map((channel, n) => (n === 2050 ? { ...channel, followerCount: 11 } : channel)));
  expect(await channelOf('c2050')).toMatchObject({ follower_count: 11 });
});

const arbitraryChannel = fc.record(
  {
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f-1', 'long_name', 'Invalid!'),
    url: fc.oneof(
      fc.constantFrom(
        'https://farcaster.xyz/~/channel/a',
        'https://warpcast.com/~/channel/b',
        'chain://x',
        'https://u',
      ),
      fc.webUrl(),
    ),
    name: fc.string({ maxLength: 20, unit: 'grapheme' }),
    createdAt: fc.oneof(fc.integer({ min: 0, max: 2_000_000_000 }), fc.constant('2024-02-30T00:00:00Z')),
    description: fc.option(fc.string({ unit: 'binary' })),
    descriptionMentions: fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 3 }),
    descriptionMentionsPositions: fc.array(fc.nat(), { maxLength: 3 }),
    leadFid: fc.option(fc.integer({ min: 1, max: 9 })),
    moderatorFids: fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 4 }),
    followerCount: fc.integer({ min: -1, max: 2_147_483_647 }),
    publicCasting: fc.option(fc.boolean()),
  },
  { requiredKeys: ['id', 'url', 'name', 'createdAt'] },
);

test('any list read twice gives the same rows, whatever was stored before', async () => {
  const list = fc.array(arbitraryChannel, { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(list, list, async (earlier, later) => {
      await clear();
      await sync(...earlier);
      await sync(...later);
      const before = await versions();
      await sync(...later);
      expect(await versions()).toEqual(before);
    }),
    { numRuns: rounds(60) },
  );
});
