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
  url: CHANNEL_URL,
  name: 'Garden',
  description: null,
  imageUrl: null,
  leadFid: FIDS.carol,
  createdAt: new Date('2024-01-15T00:00:00Z'),
};

beforeAll(async () => {
  // Without a cache, each page shows all that it costs.
  network = await startNetwork({ CASTELLAN_CACHE_MB: '0' });
  await network.app.core.db.transaction((session) => storeChannels(session, [garden]));
  seeded = await seedBasics(async (items) => {
    expect((await network.load(items)).invalid).toEqual({});
  });
});
afterAll(() => network.stop());

const OPERATIONS: Record<string, string> = {
  '/v2/social/feed/': 'fetch-feed',
  '/v2/social/feed/following/': 'fetch-user-following-feed',
  '/v2/social/feed/channels/': 'fetch-feed-by-channel-ids',
  '/v2/social/feed/parent_urls/': 'fetch-feed-by-parent-urls',
  '/v2/social/feed/user/casts/': 'fetch-casts-for-user',
  '/v2/social/feed/user/popular/': 'fetch-popular-casts-by-user',
  '/v2/social/feed/user/replies_and_recasts/': 'fetch-replies-and-recasts-for-user',
  '/v2/social/cast/quotes/': 'fetch-cast-quotes',
};

const ask = async (path: string): Promise<TestResponse> => {
  const answer = await network.get(path);
  const operationId = OPERATIONS[path.split('?')[0] as string] as string;
  if (contractAvailable && answer.status !== 501) {
    expect(validateAgainstContract(operationId, answer.status, answer.body)).toEqual([]);
  }
  return answer;
};
const hashOf = (cast: { readonly hash: Uint8Array }): string => `0x${Buffer.from(cast.hash).toString('hex')}`;
const hashesOf = ({ body }: TestResponse): string[] => body.casts.map((cast: { hash: string }) => cast.hash);
/** The names of the casts that a list holds, in its order. */
const listed = async (path: string, names: Record<string, Signed>): Promise<string[]> => {
  const answer = await ask(path);
  expect({ status: answer.status, message: answer.body.message }).toEqual({ status: 200 });
  const known = new Map(Object.entries(names).map(([name, cast]) => [hashOf(cast), name]));
  return hashesOf(answer).map((hash) => known.get(hash) ?? hash);
};
const refused = async (path: string, property: string, status = 400): Promise<void> => {
  const answer = await ask(path);
  expect({ path, status: answer.status, property: answer.body.property }).toEqual({ path, status, property });
};
const { alice: ALICE, bob: BOB, carol: CAROL, dan: DAN, erin: ERIN, frank: FRANK, grace: GRACE, heidi: HEIDI } = FIDS;
const appId = async (): Promise<string> => {
  const rows = await network.sql<{ id: string }>('select id from app limit 1');
  return (rows[0] as { id: string }).id;
};

test('the casts of a user come latest first, with or without replies, by app and by channel', async () => {
  const { casts, bob } = seeded;
  const inThread = bob.cast({ text: 'Also here', parent: casts.channel });
  const other = bob.withKey(3).cast({ text: 'By another app' });
  await network.app.core.ingest.submit([other.item], { source: 'file', announce: false, trustSigners: true });
  await seeded.send(inThread);
  const names = { ...casts, inThread, other };
  const of = (more: string) => listed(`/v2/social/feed/user/casts/?fid=${BOB}${more}`, names);
  expect(await of('')).toEqual(['other', 'inThread', 'reply', 'channel']);
  expect(await of('&include_replies=false')).toEqual(['other', 'channel']);
  expect(await of(`&app_fid=${FIDS.app}`)).toEqual(['inThread', 'reply', 'channel']);
  expect(await of('&app_fid=12345')).toEqual([]);
  expect(await of('&channel_id=garden')).toEqual(['inThread', 'channel']);
  expect(await of(`&parent_url=${encodeURIComponent(CHANNEL_URL)}&include_replies=false`)).toEqual(['channel']);
  expect(await of('&channel_id=nowhere')).toEqual([]);
  expect(await listed('/v2/social/feed/user/casts/?fid=99999', names)).toEqual([]);
  await refused(`/v2/social/feed/user/casts/?fid=${BOB}&channel_id=garden&parent_url=x`, 'channel_id');
  await seeded.send(bob.removeCast(inThread.hash), bob.removeCast(other.hash));
});

test('viewer_context is there exactly when a viewer is named', async () => {
  const path = `/v2/social/feed/user/casts/?fid=${ALICE}`;
  expect((await ask(path)).body.casts[0].viewer_context).toBeUndefined();
  const [cast] = (await ask(`${path}&viewer_fid=${CAROL}`)).body.casts;
  expect(cast.viewer_context).toEqual({ liked: true, recasted: true });
  expect(cast.author.viewer_context).toMatchObject({ following: true });
});

test('popular casts have the most replies, recasts and likes, ten at most', async () => {
  const { grace, erin, dan } = seeded;
  const casts = Array.from({ length: 12 }, (_, index) => grace.cast({ text: `Opus ${index}` }));
  await seeded.send(...casts);
  const [one, two, three] = casts as [Signed, Signed, Signed];
  await seeded.send(erin.react('like', one), dan.react('like', one), erin.react('recast', two), dan.react('like', two));
  const replies = [erin, dan].map((who) => who.cast({ text: 'Oh', parent: three }));
  await seeded.send(...replies);
  const path = `/v2/social/feed/user/popular/?fid=${GRACE}`;
  const hashes = hashesOf(await ask(path));
  expect(hashes).toHaveLength(10);
  expect(hashes.slice(0, 4)).toEqual([three, two, one, casts.at(-1) as Signed].map(hashOf));
  expect((await ask('/v2/social/feed/user/popular/?fid=99999')).body).toEqual({ casts: [] });
  for (const cast of casts) await seeded.send(grace.removeCast(cast.hash));
  await seeded.send(...[erin, dan].map((who, index) => who.removeCast((replies[index] as Signed).hash)));
});

test('replies and recasts stand at the time at which they were made', async () => {
  const { casts, heidi, frank } = seeded;
  const top = heidi.cast({ text: 'No reply' });
  const reply = heidi.cast({ text: 'A reply', parent: casts.hello });
  await seeded.send(top, reply, heidi.react('recast', casts.channel), heidi.react('like', casts.quote));
  const late = heidi.cast({ text: 'Late', parent: casts.quote });
  const unknown = { fid: FRANK, hash: Buffer.alloc(20, 3) };
  await seeded.send(late, heidi.react('recast', unknown), heidi.react('recast', top));
  const of = (more: string) =>
    listed(`/v2/social/feed/user/replies_and_recasts/?fid=${HEIDI}${more}`, { ...casts, top, reply, late });
  expect(await of('')).toEqual(['top', 'late', 'channel', 'reply']);
  expect(await of('&filter=all&limit=2')).toEqual(['top', 'late']);
  expect(await of('&filter=replies')).toEqual(['late', 'reply']);
  expect(await of('&filter=recasts')).toEqual(['top', 'channel']);
  await seeded.send(heidi.react('recast', reply));
  expect(await of('')).toEqual(['reply', 'top', 'late', 'channel']);
  await seeded.send(heidi.unreact('recast', reply), frank.react('recast', late));
  expect(await of('')).toEqual(['top', 'late', 'channel', 'reply']);
  await seeded.send(...[top, reply, late].map((cast) => heidi.removeCast(cast.hash)), frank.unreact('recast', late));
});

test('the following feed merges what the followed wrote and recast, each cast once at its newest place', async () => {
  const { casts, erin, bob, dan, alice, frank } = seeded;
  await seeded.send(erin.follow(BOB), erin.follow(DAN));
  const old = frank.cast({ text: 'Recast by both' });
  await seeded.send(old);
  const feed = (more = '') =>
    listed(`/v2/social/feed/following/?fid=${ERIN}&with_replies=true${more}`, { ...casts, old, young });
  await seeded.send(bob.react('recast', old));
  const young = bob.cast({ text: 'Young' });
  await seeded.send(young);
  expect(await feed()).toEqual(['young', 'old', 'emoji', 'quote', 'reply', 'channel']);
  await seeded.send(dan.react('recast', old));
  expect(await feed()).toEqual(['old', 'young', 'emoji', 'quote', 'reply', 'channel']);
  await seeded.send(alice.react('recast', casts.channel), dan.react('recast', casts.channel));
  expect(await feed('&limit=3')).toEqual(['channel', 'old', 'young']);
  expect(await feed('&with_recasts=false')).toEqual(['young', 'emoji', 'quote', 'reply', 'channel']);
  expect(await listed(`/v2/social/feed/?fid=${ERIN}&limit=2&with_replies=true`, { ...casts, old })).toEqual([
    'channel',
    'old',
  ]);
  await seeded.send(dan.unreact('recast', casts.channel), dan.unreact('recast', old), bob.unreact('recast', old));
  expect(await feed()).toEqual(['young', 'emoji', 'quote', 'reply', 'channel']);
  expect(await listed('/v2/social/feed/following/?fid=99999', {})).toEqual([]);
  await seeded.send(alice.unreact('recast', casts.channel), bob.removeCast(young.hash), frank.removeCast(old.hash));
  await seeded.send(erin.unfollow(BOB), erin.unfollow(DAN));
});

test('the following feed has replies, also recast ones, on request only, and full pages without them', async () => {
  const { casts, heidi, bob, dan } = seeded;
  const roots = Array.from({ length: 4 }, (_, n) => bob.cast({ text: `Root ${n}` }));
  const replies = roots.flatMap((root, n) => [0, 1].map((m) => bob.cast({ text: `Reply ${n}.${m}`, parent: root })));
  const sent = [0, 1, 2, 3].flatMap((n) => [roots[n] as Signed, ...replies.slice(2 * n, 2 * n + 2)]);
  await seeded.send(heidi.follow(BOB), heidi.follow(DAN), ...sent, dan.react('recast', casts.reply));
  await seeded.send(dan.react('recast', casts.hello));
  const expected = [casts.hello, ...[...roots].reverse()].map(hashOf);
  for (const path of ['/v2/social/feed/following/?', '/v2/social/feed/?feed_type=following&']) {
    const feed = (more: string) => ask(`${path}fid=${HEIDI}${more}`);
    const seen = new Set(sent.map(hashOf));
    const first = await feed('&limit=3');
    expect(hashesOf(first)).toEqual(expected.slice(0, 3));
    const second = await feed(`&limit=2&cursor=${first.body.next.cursor}`);
    expect(hashesOf(second)).toEqual(expected.slice(3));
    const all = hashesOf(await feed('&with_replies=true&limit=100'));
    expect(all.filter((hash) => seen.has(hash))).toHaveLength(12);
    expect(all).toContain(hashOf(casts.reply));
    const replied = (await feed('&limit=100')).body.casts.filter((cast: { parent_hash: unknown }) => cast.parent_hash);
    expect(replied).toEqual([]);
    expect(hashesOf(await feed('&with_recasts=false&limit=4'))).toEqual([...roots].reverse().map(hashOf));
    // A cursor belongs to one of the two lists.
    await refused(`${path}fid=${HEIDI}&with_replies=true&cursor=${first.body.next.cursor}`, 'cursor');
  }
  await seeded.send(dan.unreact('recast', casts.reply), dan.unreact('recast', casts.hello));
  await seeded.send(heidi.unfollow(BOB), heidi.unfollow(DAN));
  for (const cast of [...roots, ...replies]) await seeded.send(bob.removeCast(cast.hash));
});

test('a page of the following feed leaves out what was recast after the first page', async () => {
  const { heidi, bob, grace } = seeded;
  const casts = Array.from({ length: 6 }, (_, index) => bob.cast({ text: `Row ${index}` }));
  await seeded.send(heidi.follow(BOB), ...casts);
  const path = `/v2/social/feed/following/?fid=${HEIDI}&limit=3`;
  const first = await ask(path);
  expect(hashesOf(first)).toEqual([...casts].reverse().slice(0, 3).map(hashOf));
  const now = Math.floor(Date.now() / 1000) - Date.UTC(2021, 0, 1) / 1000;
  await seeded.send(bob.react('recast', casts[0] as Signed, now + 60), grace.react('recast', casts[1] as Signed));
  const second = await ask(`${path}&cursor=${first.body.next.cursor}`);
  expect(hashesOf(second)).toEqual([...casts].reverse().slice(3).map(hashOf));
  await seeded.send(bob.unreact('recast', casts[0] as Signed, now + 61), heidi.unfollow(BOB));
  for (const cast of casts) await seeded.send(bob.removeCast(cast.hash));
});

test('who is banned, muted or blocked is in no feed, neither as author nor as recaster', async () => {
  const { casts, grace, bob, frank } = seeded;
  const app = await appId();
  const fresh = frank.cast({ text: 'By frank' });
  await seeded.send(grace.follow(BOB), grace.follow(FRANK), fresh, bob.react('recast', casts.emoji));
  await seeded.send(frank.react('recast', casts.quote));
  const path = `/v2/social/feed/following/?fid=${GRACE}&with_replies=true`;
  const names = { ...casts, fresh };
  const all = ['quote', 'emoji', 'fresh', 'reply', 'channel'];
  expect(await listed(path, names)).toEqual(all);
  // Erin blocks frank.
  expect(await listed(`${path}&viewer_fid=${ERIN}`, names)).toEqual(['emoji', 'reply', 'channel']);
  expect(await listed(`${path}&viewer_fid=${FRANK}`, names)).toEqual(all);
  const mute = 'insert into mute (fid, app_id, muted_fid) values ($1, $2, $3)';
  await network.sql(mute, [GRACE, app, DAN]);
  expect(await listed(`${path}&viewer_fid=${GRACE}`, names)).toEqual(['fresh', 'reply', 'channel']);
  expect(await listed(path, names)).toEqual(all);
  await network.sql('insert into ban (fid, app_id) values ($1, $2)', [BOB, app]);
  expect(await listed(path, names)).toEqual(['quote', 'fresh']);
  expect(await listed(`/v2/social/feed/user/casts/?fid=${BOB}`, names)).toEqual([]);
  expect(await listed(`/v2/social/feed/user/popular/?fid=${BOB}`, names)).toEqual([]);
  await network.sql('delete from ban');
  await network.sql('delete from mute');
  await seeded.send(frank.removeCast(fresh.hash), bob.unreact('recast', casts.emoji));
  await seeded.send(frank.unreact('recast', casts.quote), grace.unfollow(BOB), grace.unfollow(FRANK));
});

test('feeds by fids, parent URLs and channels', async () => {
  const { casts, carol, dan } = seeded;
  const inThread = dan.cast({ text: 'In the thread', parent: casts.channel });
  const elsewhere = dan.cast({ text: 'Elsewhere', parent: 'https://channel.example/other' });
  await seeded.send(inThread, elsewhere, carol.react('like', casts.channel), dan.react('recast', casts.channel));
  const names = { ...casts, inThread, elsewhere };
  const url = encodeURIComponent(CHANNEL_URL);
  const of = (path: string) => listed(`/v2/social/feed/${path}`, names);
  expect(await of(`?feed_type=filter&filter_type=fids&fids=${BOB},${DAN}&limit=3`)).toEqual([
    'channel',
    'elsewhere',
    'inThread',
  ]);
  expect(await of(`?feed_type=filter&filter_type=parent_url&parent_url=${url}`)).toEqual(['channel']);
  expect(await of('?filter_type=channel_id&channel_id=garden')).toEqual(['channel']);
  expect(await of(`parent_urls/?parent_urls=${url},https://channel.example/other`)).toEqual(['elsewhere', 'channel']);
  expect(await of(`parent_urls/?parent_urls=${url}&with_replies=true`)).toEqual(['inThread', 'channel']);
  expect(await of('channels/?channel_ids=garden,nowhere')).toEqual(['channel']);
  expect(await of('channels/?channel_ids=garden&with_replies=true')).toEqual(['inThread', 'channel']);
  expect(await of('channels/?channel_ids=garden&with_replies=true&should_moderate=true')).toEqual(['channel']);
  expect(await of(`channels/?channel_ids=garden&fids=${DAN}`)).toEqual(['channel']);
  expect(await of(`channels/?channel_ids=garden&fids=${DAN}&with_recasts=false`)).toEqual([]);
  expect(await of(`channels/?channel_ids=garden&fids=${DAN}&with_replies=true`)).toEqual(['channel', 'inThread']);
  expect(await of('channels/?channel_ids=nowhere')).toEqual([]);
  await seeded.send(dan.removeCast(inThread.hash), dan.removeCast(elsewhere.hash));
  await seeded.send(carol.unreact('like', casts.channel), dan.unreact('recast', casts.channel));
});

test('a channel whose members are known shows what they and its lead wrote, unless all is asked for', async () => {
  const { casts, dan, carol } = seeded;
  const inThread = dan.cast({ text: 'A member', parent: casts.channel });
  const byLead = carol.cast({ text: 'The lead', parent: casts.channel });
  await seeded.send(inThread, byLead, dan.react('recast', casts.channel));
  const names = { ...casts, inThread, byLead };
  const of = (path: string) => listed(`/v2/social/feed/${path}`, names);
  const all = ['byLead', 'inThread', 'channel'];
  expect(await of('channels/?channel_ids=garden&with_replies=true')).toEqual(all);
  await network.sql(
    `insert into channel_member (channel_id, fid, role, since) values ('garden', $1, 'member', now())`,
    [DAN],
  );
  expect(await of('channels/?channel_ids=garden&with_replies=true')).toEqual(['byLead', 'inThread']);
  expect(await of('channels/?channel_ids=garden&with_replies=true&members_only=false')).toEqual(all);
  expect(await of('channels/?channel_ids=garden')).toEqual([]);
  expect(await of(`channels/?channel_ids=garden&fids=${DAN}&with_replies=true`)).toEqual(['inThread']);
  expect(await of('?filter_type=channel_id&channel_id=garden')).toEqual([]);
  expect(await of('?filter_type=channel_id&channel_id=garden&members_only=false')).toEqual(['channel']);
  await network.sql("update channel_member set fid = $1 where role = 'member'", [BOB]);
  expect(await of('channels/?channel_ids=garden')).toEqual(['channel']);
  await network.sql("delete from channel_member where role = 'member'");
  await seeded.send(dan.removeCast(inThread.hash), carol.removeCast(byLead.hash), dan.unreact('recast', casts.channel));
});

test('feeds by embedded URL and by the file extension of embedded URLs', async () => {
  const { casts, erin } = seeded;
  const picture = erin.cast({ text: 'Look', embeds: ['https://image.example/a/b/tomato.PNG?size=2'] });
  const film = erin.cast({ text: 'Watch', embeds: ['https://image.example/a/film.m3u8', 'https://other.example'] });
  const capitals = erin.cast({ text: 'Buy', embeds: ['HTTPS://Shop.Example/Seeds?q=1'] });
  await seeded.send(capitals, picture, film);
  const of = (value: string) =>
    listed(`/v2/social/feed/?feed_type=filter&filter_type=${value}`, { ...casts, capitals, picture, film });
  expect(await of('embed_url&embed_url=https://news.example/be')).toEqual(['channel']);
  expect(await of('embed_url&embed_url=news.example')).toEqual(['channel']);
  expect(await of('embed_url&embed_url=image.example/a/')).toEqual(['film', 'picture']);
  expect(await of('embed_url&embed_url=image.example/a/b')).toEqual(['picture']);
  expect(await of('embed_url&embed_url=image.example/b')).toEqual([]);
  expect(await of('embed_url&embed_url=other.example')).toEqual(['film']);
  expect(await of('embed_url&embed_url=image')).toEqual([]);
  // Hosts and schemes are the same in any case, paths are not (RFC 3986, 6.2.2.1).
  for (const same of ['News.Example', 'NEWS.EXAMPLE/be', 'HTTPS://News.Example/beans'])
    expect(await of(`embed_url&embed_url=${same}`), same).toEqual(['channel']);
  for (const same of ['shop.example', 'https://shop.example/Seeds', 'SHOP.example/Se'])
    expect(await of(`embed_url&embed_url=${same}`), same).toEqual(['capitals']);
  expect(await of('embed_url&embed_url=shop.example/seeds')).toEqual([]);
  expect(await of('embed_types&embed_types=image')).toEqual(['picture']);
  expect(await of('embed_types&embed_types=video,image/png')).toEqual(['film', 'picture']);
  expect(await of('embed_types&embed_types=application/pdf')).toEqual([]);
  await refused('/v2/social/feed/?filter_type=embed_url&embed_url=https://', 'embed_url');
  await refused('/v2/social/feed/?filter_type=embed_types&embed_types=sound', 'embed_types');
  expect(await of('embed_types&embed_types=text/html')).toEqual([]);
  await seeded.send(...[picture, film, capitals].map(({ hash }) => erin.removeCast(hash)));
});

test('quotes of a cast, latest first; of a cast that is not stored: 404', async () => {
  const { casts, erin } = seeded;
  const again = erin.cast({ text: 'And that', embeds: [casts.reply] });
  await seeded.send(again);
  const of = (more: string) => `/v2/social/cast/quotes/?${more}`;
  const names = { ...casts, again };
  expect(await listed(of(`type=hash&identifier=${hashOf(casts.reply)}`), names)).toEqual(['again', 'quote']);
  const address = encodeURIComponent(`https://client.example/bob/${hashOf(casts.reply).slice(0, 10)}`);
  expect(await listed(of(`type=url&identifier=${address}&limit=1`), names)).toEqual(['again']);
  await refused(of(`type=hash&identifier=0x${'0'.repeat(40)}`), 'identifier', 404);
  await refused(of('type=hash&identifier=0x12'), 'identifier');
  await seeded.send(erin.removeCast(again.hash));
});

test('what is asked wrongly is refused with the member at fault', async () => {
  const first = await ask(`/v2/social/feed/following/?fid=${ALICE}&limit=1`);
  const cursor = first.body.next.cursor as string;
  const altered = `${cursor.slice(0, 20)}${cursor[20] === 'A' ? 'B' : 'A'}${cursor.slice(21)}`;
  const bad: [string, string][] = [
    ['', 'fid'],
    ['?feed_type=best', 'feed_type'],
    ['?feed_type=filter', 'filter_type'],
    ['?feed_type=filter&filter_type=fids', 'fids'],
    ['?feed_type=filter&filter_type=fids&fids=1,x', 'fids'],
    ['?feed_type=filter&filter_type=parent_url', 'parent_url'],
    ['?feed_type=filter&filter_type=channel_id', 'channel_id'],
    ['?feed_type=filter&filter_type=embed_url', 'embed_url'],
    ['?feed_type=filter&filter_type=embed_types', 'embed_types'],
    ['following/', 'fid'],
    ['following/?fid=0', 'fid'],
    [`following/?fid=${ALICE}&limit=0`, 'limit'],
    [`following/?fid=${ALICE}&limit=101`, 'limit'],
    [`following/?fid=${ALICE}&viewer_fid=0`, 'viewer_fid'],
    [`following/?fid=${BOB}&cursor=${cursor}`, 'cursor'],
    [`following/?fid=${ALICE}&with_recasts=false&cursor=${cursor}`, 'cursor'],
    [`following/?fid=${ALICE}&viewer_fid=${BOB}&cursor=${cursor}`, 'cursor'],
    [`following/?fid=${ALICE}&cursor=${altered}`, 'cursor'],
    [`user/casts/?fid=${ALICE}&cursor=${cursor}`, 'cursor'],
    [`user/casts/?fid=${ALICE}&limit=151`, 'limit'],
    [`user/replies_and_recasts/?fid=${ALICE}&filter=likes`, 'filter'],
    [`user/replies_and_recasts/?fid=${ALICE}&limit=51`, 'limit'],
    ['user/popular/', 'fid'],
    ['channels/', 'channel_ids'],
    [`channels/?channel_ids=${Array(11).fill('a').join(',')}`, 'channel_ids'],
    [`channels/?channel_ids=a&fids=${Array(11).fill('1').join(',')}`, 'fids'],
    ['parent_urls/', 'parent_urls'],
  ];
  for (const [path, property] of bad) await refused(`/v2/social/feed/${path}`, property);
  expect(await ask(`/v2/social/feed/following/?fid=${ALICE}&limit=2&cursor=${cursor}`)).toMatchObject({ status: 200 });
});
