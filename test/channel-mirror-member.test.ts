import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { audit } from '../src/ingest/pipeline/audit.js';
import { createTestMirror, type TestMirror } from './support/channel-mirror.js';
import { type FakeChannelClient, listedChannel, startFakeChannelClient } from './support/fake-channel-client.js';
import { type Network, startNetwork } from './support/network.js';
import { FIDS, seedBasics } from './support/seed.js';

/** Members, followers, invites and restrictions of the channels of a client. */

let client: FakeChannelClient;
let network: Network;
let mirror: TestMirror;

beforeAll(async () => {
  client = await startFakeChannelClient();
  network = await startNetwork({ CASTELLAN_CHANNEL_SOURCE: 'client', CASTELLAN_CHANNEL_CLIENT_URL: client.url });
  await seedBasics((items) => network.load(items));
});
// Whatever the client listed, the counts are those of the rows.
afterEach(async () => expect(await audit(network.app.core.db)).toEqual([]));
afterAll(async () => {
  await network.stop();
  await client.stop();
});

const TABLES = ['channel_member', 'channel_follow', 'channel_invite', 'channel_restriction'] as const;
const db = () => network.app.core.db;
const rows = <Row = object>(table: string) => db().run<Row>(`select * from ${table} order by 1, 2`);
const versions = () =>
  Promise.all(
    [...TABLES, 'channel', 'change'].map((table) =>
      db().run(`select *, xmin::text, xmax::text from ${table} order by 1, 2`),
    ),
  );

const SECOND = 1_712_685_000;
const users = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => ({ fid: from + n, followedAt: SECOND - n }));
/** Counts a cast, so that the channels are in use. */
const use = (...ids: readonly string[]) =>
  network.sql(
    `insert into channel_activity (counted_at, channel_id, cast_count_1d, cast_count_7d, cast_count_30d)
     select '2026-01-01', id, 1, 1, n from unnest($1::text[]) with ordinality as k(id, n)`,
    [ids],
  );
const pages = (path: string) => client.received.filter((request) => request.path.startsWith(path)).length;
const fidsOf = async (path: string): Promise<number[]> =>
  (await network.get(path)).body.users.map(({ fid }: { fid: number }) => fid);

beforeEach(async () => {
  await network.sql(`truncate ${TABLES.join()}, channel, channel_parent_url, channel_sync, channel_activity`);
  client.answer = () => undefined;
  client.lists.clear();
  client.maxPage = 1000;
  client.channels = ['garden', 'kitchen', 'attic'].map((id) => listedChannel(id, { moderatorFids: [FIDS.bob] }));
  mirror = createTestMirror(network);
  await mirror.syncChannels();
});

test('followers of a channel in use are read page by page, and replaced by what differs', async () => {
  client.maxPage = 100;
  client.lists.set('/v1/channel-followers garden', users(1000, 250));
  client.lists.set('/v1/channel-followers kitchen', users(1000, 5));
  await use('garden');
  const before = pages('/v1/channel-followers');
  await mirror.syncDetails();
  // The first request is for a larger page than this client gives.
  expect(pages('/v1/channel-followers') - before).toBe(4);
  expect(await rows('channel_follow')).toHaveLength(250);
  const [garden] = await db().run("select follower_count, listed_follower_count from channel where id = 'garden'");
  expect(garden).toEqual({ follower_count: 250, listed_follower_count: 10 });

  const stored = await versions();
  mirror.ahead = 7 * 3_600_000;
  await mirror.syncDetails();
  expect(await versions()).toEqual(stored);

  client.lists.set('/v1/channel-followers garden', [...users(1000, 240), { fid: 9000, followedAt: SECOND + 5 }]);
  mirror.ahead *= 2;
  await mirror.syncDetails();
  const fids = (await rows<{ fid: number }>('channel_follow')).map(({ fid }) => fid);
  expect([fids.length, fids.includes(9000), fids.includes(1245)]).toEqual([241, true, false]);
});

test('newly read followers and members replace cached responses at once', async () => {
  const list = '/v2/social/channel/followers/?id=garden';
  const member = `/v2/social/channel/member/list/?channel_id=garden&fid=${FIDS.dan}`;
  const followed = `/v2/social/user/channels/?fid=${FIDS.dan}`;
  const ask = async () => [
    await fidsOf(list),
    (await network.get(member)).body.members.length,
    (await network.get(followed)).body.channels.length,
  ];
  await use('garden');
  for (let turn = 0; turn < 3; turn++) expect(await ask()).toEqual([[], 0, 0]);
  client.lists.set('/v1/channel-followers garden', [
    { fid: FIDS.dan, followedAt: SECOND },
    { fid: FIDS.erin, followedAt: SECOND - 1 },
    // Moved to a later page meanwhile.
    { fid: FIDS.dan, followedAt: SECOND },
  ]);
  client.lists.set('/fc/channel-members garden', [{ fid: FIDS.dan, memberAt: SECOND }]);
  await mirror.syncDetails();
  for (let turn = 0; turn < 3; turn++) expect(await ask()).toEqual([[FIDS.dan, FIDS.erin], 1, 1]);
});

test('members keep the roles of the list of channels; invites, bans and removals are stored', async () => {
  await use('garden');
  client.lists.set('/fc/channel-members garden', [
    { fid: FIDS.alice, memberAt: SECOND },
    { fid: FIDS.bob, memberAt: SECOND + 1 },
    { fid: FIDS.dan, memberAt: SECOND + 2 },
  ]);
  client.lists.set('/fc/channel-invites garden', [
    { channelId: 'garden', invitedFid: FIDS.erin, inviterFid: FIDS.bob, invitedAt: SECOND, role: 'member' },
  ]);
  client.lists.set('/fc/channel-restricted-users garden', [
    { fid: FIDS.frank, channelId: 'garden', restrictedAt: SECOND },
    { fid: FIDS.grace, channelId: 'garden', restrictedAt: SECOND },
  ]);
  client.lists.set('/fc/channel-bans garden', [{ fid: FIDS.grace, channelId: 'garden', bannedAt: SECOND + 9 }]);
  await mirror.syncDetails();
  const since = (seconds: number) => new Date((SECOND + seconds) * 1000);
  const members = async () =>
    (await rows<{ channel_id: string }>('channel_member')).filter((row) => row.channel_id === 'garden');
  expect(await members()).toMatchObject([
    { fid: FIDS.alice, role: 'owner', since: since(0) },
    { fid: FIDS.bob, role: 'moderator', since: since(1) },
    { fid: FIDS.dan, role: 'member', since: since(2) },
  ]);
  expect(await rows('channel_invite')).toEqual([
    { channel_id: 'garden', fid: FIDS.erin, inviter_fid: FIDS.bob, role: 'member', invited_at: since(0) },
  ]);
  expect(await rows('channel_restriction')).toEqual([
    { channel_id: 'garden', fid: FIDS.frank, kind: 'restricted', since: since(0) },
    { channel_id: 'garden', fid: FIDS.grace, kind: 'banned', since: since(9) },
  ]);
  const [garden] = await db().run("select member_count from channel where id = 'garden'");
  expect(garden).toEqual({ member_count: 3 });
  // Reading the list of channels again does not undo it.
  const stored = await versions();
  await mirror.syncChannels();
  expect(await versions()).toEqual(stored);
  client.lists.clear();
  mirror.ahead = 2 * 3_600_000;
  await mirror.syncDetails();
  expect(await members()).toMatchObject([{ fid: FIDS.alice }, { fid: FIDS.bob }]);
  expect([await rows('channel_invite'), await rows('channel_restriction')]).toEqual([[], []]);
});

test('a follow and an invite that are newer than the list stay', async () => {
  await use('garden');
  client.lists.set('/v1/channel-followers garden', users(1000, 2));
  const later = new Date(Date.now() + 60_000);
  await network.sql("insert into channel_follow values ('garden', $1, $2)", [FIDS.dan, later]);
  await network.sql("insert into channel_invite values ('garden', $1, $2, 'member', $3)", [FIDS.erin, FIDS.bob, later]);
  await mirror.syncDetails();
  expect((await rows<{ fid: number }>('channel_follow')).map(({ fid }) => fid)).toEqual([FIDS.dan, 1000, 1001]);
  expect(await rows('channel_invite')).toHaveLength(1);
});

test('only channels in use are read, those first whose lists are the oldest, then the busiest', async () => {
  const asked = async (): Promise<string[]> => {
    const before = client.received.length;
    await mirror.syncDetails();
    return client.received
      .slice(before)
      .filter(({ path }) => path.startsWith('/fc/channel-members'))
      .map(({ path }) => new URL(path, client.url).searchParams.get('channelId') as string);
  };
  expect(await asked()).toEqual([]);
  await use('kitchen', 'garden');
  expect(await asked()).toEqual(['garden', 'kitchen']);
  expect(await asked()).toEqual([]);
  await network.sql("insert into channel_follow values ('attic', 7, now())");
  client.lists.set('/v1/channel-followers attic', [{ fid: 7, followedAt: SECOND }]);
  await network.sql(
    "update channel_sync set members_at = members_at - interval '3 hours' where channel_id = 'kitchen'",
  );
  await network.sql("update channel_sync set members_at = members_at - interval '2 hours' where channel_id = 'garden'");
  expect(await asked()).toEqual(['attic', 'kitchen', 'garden']);
  await network.sql("update channel set gone_at = now() where id = 'garden'");
  mirror.ahead = 3_700_000;
  expect((await asked()).sort()).toEqual(['attic', 'kitchen']);
});

test('nothing is replaced unless all pages were read; another channel has its turn', async () => {
  await use('garden', 'kitchen');
  client.maxPage = 1000;
  for (const id of ['garden', 'kitchen']) client.lists.set(`/v1/channel-followers ${id}`, users(1000, 1500));
  await mirror.syncDetails();
  const stored = await versions();
  for (const id of ['garden', 'kitchen']) client.lists.set(`/v1/channel-followers ${id}`, users(5000, 1500));

  const answers = [
    { status: 500 },
    { status: 429, headers: { 'retry-after': '1' } },
    { status: 200, body: '<html>' },
    { status: 200, body: '{"result": {"users": [{"fid": "1", "followedAt": 1}]}}' },
    { status: 200, body: '{"result": {"users": []}, "next": {"cursor": "1000"}}' },
    { status: 404, body: '{}' },
  ];
  for (const answer of answers) {
    mirror.ahead += 7 * 3_600_000;
    // The second page of garden, which is asked for by its cursor.
    client.answer = ({ path }) => (/cursor=.*/.test(path) && path.includes('garden') ? answer : undefined);
    await mirror.syncDetails().catch((error: unknown) => expect(error).toMatchObject({ kind: 'bad_gateway' }));
    const garden = (await rows<{ channel_id: string; fid: number }>('channel_follow')).filter(
      (row) => row.channel_id === 'garden',
    );
    expect([garden.length, garden[0]?.fid], JSON.stringify(answer)).toEqual([1500, 1000]);
  }
  expect(mirror.warnings().length).toBe(4);
  const kitchen = (await rows<{ channel_id: string; fid: number }>('channel_follow')).filter(
    (row) => row.channel_id === 'kitchen',
  );
  expect([kitchen.length, kitchen[0]?.fid]).toEqual([1500, 5000]);
  expect(await versions()).not.toEqual(stored);
});
