import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { toUnixMs } from '../src/protocol/time.js';
import { sampleTime } from '../src/sample/clock.js';
import type { Signed } from '../src/sample/signed-message.js';
import { createSecondApp } from './support/app.js';
import { storeChannels } from './support/channel.js';
import { forYouModel, trendingModel } from './support/feed-model.js';
import { type Network, startNetwork, type TestResponse } from './support/network.js';
import { CHANNEL_URL, FIDS, type Seeded, seedBasics } from './support/seed.js';

/** The feeds that are ranked: what is trending, and what is for a user. */

const HOUR = 3600;
const DAY = 24 * HOUR;
const WINDOWS = { '1h': HOUR, '6h': 6 * HOUR, '12h': 12 * HOUR, '24h': DAY, '7d': 7 * DAY } as const;
const TRENDING = '/v2/social/feed/trending/';
const FOR_YOU = '/v2/social/feed/for_you/';
const SPELLINGS = [CHANNEL_URL, 'https://warpcast.com/~/channel/garden'];
const { alice: ALICE, bob: BOB, carol: CAROL, dan: DAN, erin: ERIN, heidi: HEIDI } = FIDS;

/** The time of the service, protocol seconds. */
const NOW = sampleTime();
let seconds = NOW;
let network: Network;
let seeded: Seeded;
const casts: Signed[] = [];

/** Whole numbers below `below`, always the same ones. */
const numbers = () => {
  let state = 7;
  return (below: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
};

/** Eight days of casts, replies, likes and recasts, some of them dated after the time of the service. */
const writeNetwork = async (): Promise<void> => {
  const next = numbers();
  const { alice, bob, carol, dan, erin, frank, grace, heidi } = seeded;
  const all = [alice, bob, carol, dan, erin, frank, grace];
  const some = <T>(list: readonly T[]): T => list[next(list.length)] as T;
  const messages: Signed[] = [];
  const spans = [HOUR, 6 * HOUR, DAY, 8 * DAY];
  for (let n = 0; n < 160; n++) {
    const at = NOW + 100 - next(some(spans));
    const parent = next(3) === 0 ? some(SPELLINGS) : next(4) === 0 && casts.length > 0 ? some(casts) : undefined;
    const cast = some(all).cast({ text: `Number ${n}`, at, ...(parent !== undefined && { parent }) });
    messages.push(cast);
    casts.push(cast);
  }
  for (let n = 0; n < 500; n++) {
    const target = some(casts);
    messages.push(some(all).react(next(3) === 0 ? 'recast' : 'like', target, target.timestamp + next(2 * HOUR)));
  }
  for (const target of casts.slice(0, 5)) messages.push(some(all).removeCast(target.hash, NOW));
  messages.push(alice.follow(carol.fid), ...[erin, frank].map((who) => bob.follow(who.fid)), dan.follow(erin.fid));
  messages.push(carol.follow(erin.fid), carol.follow(grace.fid), heidi.follow(heidi.fid, NOW + 60));
  expect((await network.load(messages.map(({ item }) => item))).invalid).toEqual({});
};

beforeAll(async () => {
  network = await startNetwork({}, undefined, { clock: () => toUnixMs(seconds) });
  seeded = await seedBasics((items) => network.load(items));
  await storeChannels(network.app.core.db, [{ id: 'garden', parentUrl: CHANNEL_URL }]);
  await writeNetwork();
  await network.sql("insert into channel_follow (channel_id, fid, followed_at) values ('garden', $1, '2024-01-20')", [
    ALICE,
  ]);
}, 60_000);
afterAll(() => network.stop());
beforeEach(async () => {
  seconds = NOW;
  await network.sql('update account set score = case when fid % 2 = 0 then 0.1 else 0.05 end');
});

const get = async (path: string, headers?: Record<string, string>): Promise<TestResponse> => {
  const answer = await network.get(path, headers);
  expect({ path, status: answer.status, message: answer.body.message }).toEqual({ path, status: 200 });
  return answer;
};
const hashesOf = ({ body }: TestResponse): string[] => body.casts.map(({ hash }: { hash: string }) => hash);
const authorsOf = ({ body }: TestResponse): number[] =>
  body.casts.map((cast: { author: { fid: number } }) => cast.author.fid);
const hashOf = ({ hash }: Signed): string => `0x${Buffer.from(hash).toString('hex')}`;
const withQuery = (path: string, more: string): string => `${path}${path.includes('?') ? '&' : '?'}${more}`;

/** Reads a feed to its end. @param between is called after each page */
const walk = async (path: string, limit: number, between: () => unknown = () => undefined): Promise<string[]> => {
  const found: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: TestResponse = await get(withQuery(path, `limit=${limit}&cursor=${cursor}`));
    if (page.body.next.cursor !== null) expect(page.body.casts).toHaveLength(limit);
    found.push(...hashesOf(page));
    cursor = page.body.next.cursor;
    await between();
  }
  return found;
};

const trending = (more: { seconds: number; urls?: readonly string[]; horizon?: number }) =>
  trendingModel(network.app.core.db, { horizon: NOW, ...more });

test.each(Object.entries(WINDOWS))('trending casts of %s are those of the formula', async (window, length) => {
  const expected = await trending({ seconds: length });
  expect(expected.length).toBeGreaterThan(3);
  expect(hashesOf(await get(`${TRENDING}?time_window=${window}&limit=100`))).toEqual(expected.slice(0, 100));
});

test('every account counts where none has the score', async () => {
  const some = await trending({ seconds: DAY });
  await network.sql('update account set score = 0');
  const all = await trending({ seconds: DAY });
  expect(all.length).toBeGreaterThan(some.length);
  expect(await walk(TRENDING, 100)).toEqual(all);
});

test('pages of one and two show each cast once, whatever happens after the first page', async () => {
  const expected = await trending({ seconds: DAY });
  expect(await walk(TRENDING, 1)).toEqual(expected);
  expect(await walk(TRENDING, 2)).toEqual(expected);
  // What the app's own account does counts, but only for those who begin later.
  await network.sql('update account set score = 0.9 where fid = $1', [FIDS.app]);
  const recasted = casts.filter(({ timestamp }) => timestamp < NOW).slice(-20);
  const moved = await walk(TRENDING, 2, async () => {
    seconds += 60;
    const target = recasted.pop();
    if (target !== undefined) await seeded.send(seeded.app.react('recast', target, seconds));
  });
  expect(moved).toEqual(expected);
  const later = await trending({ seconds: DAY, horizon: seconds });
  expect(later).not.toEqual(expected);
  expect(await walk(TRENDING, 100)).toEqual(later);
});

test('equal scores: the later cast first, and none is skipped', async () => {
  const at = NOW - 60;
  const twins = Array.from({ length: 5 }, (_, n) => seeded.heidi.cast({ text: `Twin ${n}`, at }));
  await seeded.send(...twins);
  const likes = twins.flatMap((twin) => [seeded.alice, seeded.carol].map((who) => who.react('like', twin, NOW - 30)));
  await seeded.send(...likes);
  const order = twins.map(hashOf).sort().reverse();
  const isTwin = (hash: string) => order.includes(hash);
  for (const limit of [1, 2, 3])
    expect((await walk(`${TRENDING}?time_window=1h`, limit)).filter(isTwin)).toEqual(order);
  await seeded.send(...twins.map((twin) => seeded.heidi.removeCast(twin.hash)));
});

test('a channel has its own trending feed, by id and by any of its URLs', async () => {
  const expected = await trending({ seconds: 7 * DAY, urls: SPELLINGS });
  expect(expected.length).toBeGreaterThan(5);
  for (const place of ['channel_id=garden', ...SPELLINGS.map((url) => `parent_url=${encodeURIComponent(url)}`)])
    expect(await walk(`${TRENDING}?time_window=7d&${place}`, 2)).toEqual(expected);
  const own = await trending({ seconds: HOUR, urls: SPELLINGS });
  expect(await walk(`${TRENDING}?time_window=1h&channel_id=garden`, 1)).toEqual(own);
  expect((await get(`${TRENDING}?channel_id=nowhere`)).body).toEqual({ casts: [], next: { cursor: null } });
  const { status, body } = await network.get(`${TRENDING}?channel_id=garden&parent_url=x`);
  expect([status, body.property]).toEqual([400, 'channel_id']);
});

test('ten casts unless more are asked for, under both paths, whatever the provider', async () => {
  const { body } = await get(`${TRENDING}?provider=anything`);
  expect(body.casts).toHaveLength(10);
  expect(hashesOf(await get('/v2/farcaster/feed/trending?provider=other'))).toEqual(hashesOf({ body } as TestResponse));
  for (const wrong of ['limit=101', 'limit=0', 'time_window=2h', 'viewer_fid=x', 'cursor=AAAA'])
    expect([wrong, (await network.get(`${TRENDING}?${wrong}`)).status]).toEqual([wrong, 400]);
  const { cursor } = body.next;
  for (const other of ['time_window=6h', 'channel_id=garden', `viewer_fid=${BOB}`])
    expect([other, (await network.get(`${TRENDING}?${other}&cursor=${cursor}`)).status]).toEqual([other, 400]);
});

test('filter_type global_trending is the trending feed of 24 hours', async () => {
  const expected = await trending({ seconds: DAY });
  const path = '/v2/social/feed/?feed_type=filter&filter_type=global_trending';
  expect(await walk(path, 2)).toEqual(expected);
  expect(hashesOf(await get(path))).toEqual(expected.slice(0, 25));
});

test.each([
  [TRENDING, 'time_window=7d&'],
  [FOR_YOU, `fid=${ALICE}&`],
])(
  '%s hides whom the app banned and whom the viewer muted or blocks, and who blocks the viewer',
  async (feed, query) => {
    const other = await createSecondApp(network);
    const path = `${feed}?${query}limit=50`;
    const viewed = `${path}&viewer_fid=${HEIDI}`;
    const withoutViewer = await get(path, other.headers);
    const authors = new Set(authorsOf(withoutViewer));
    expect(authors).toContain(BOB);
    expect(authors).toContain(CAROL);
    const isShown = async (fid: number) => authorsOf(await get(viewed, other.headers)).includes(fid);
    await network.sql('insert into ban (fid, app_id) values ($1, $2)', [BOB, other.id]);
    expect(authorsOf(await get(path, other.headers))).not.toContain(BOB);
    expect(authorsOf(await get(path))).toContain(BOB);
    expect(await isShown(CAROL)).toBe(true);
    await network.sql('insert into mute (fid, app_id, muted_fid) values ($1, $2, $3)', [HEIDI, other.id, CAROL]);
    expect(await isShown(CAROL)).toBe(false);
    expect(await isShown(DAN)).toBe(true);
    await seeded.send(seeded.heidi.link('block', DAN));
    expect(await isShown(DAN)).toBe(false);
    await seeded.send(seeded.heidi.unlink('block', DAN), seeded.dan.link('block', HEIDI));
    expect(await isShown(DAN)).toBe(false);
    await seeded.send(seeded.dan.unlink('block', HEIDI));
    expect(await isShown(DAN)).toBe(true);
  },
);

const forYou = (fid: number, spellings: readonly string[] = []) =>
  forYouModel(network.app.core.db, { fid, horizon: NOW, spellings });

/** All spellings of the channel, also the one that no cast has. */
const followed = [...SPELLINGS, 'https://farcaster.xyz/~/channel/garden'];

test('the feed for a user is that of the formula, page by page', async () => {
  const expected = await forYou(ALICE, followed);
  expect(expected.length).toBeGreaterThan(20);
  expect(await walk(`${FOR_YOU}?fid=${ALICE}`, 50)).toEqual(expected);
  expect(await walk(`${FOR_YOU}?fid=${ALICE}`, 1)).toEqual(expected);
  expect(await walk(`${FOR_YOU}?fid=${ALICE}&provider=x`, 2)).toEqual(expected);
  expect(await walk(`${FOR_YOU}?fid=${CAROL}`, 7)).toEqual(await forYou(CAROL));
  // Bob, Carol and Dan are followed; of those whom they follow, two follow Erin and one each the others.
  const authors = new Set(authorsOf(await get(`${FOR_YOU}?fid=${ALICE}&limit=50`)));
  for (const fid of [BOB, CAROL, DAN, ERIN]) expect(authors).toContain(fid);
  expect(authors).not.toContain(ALICE);
  const following = hashesOf(await get(`/v2/social/feed/following/?fid=${ALICE}&limit=50`));
  expect(following).not.toEqual(expected.slice(0, 50));
});

test('follows after the first page change nothing on later ones', async () => {
  const expected = await forYou(CAROL);
  let isFirst = true;
  const found = await walk(`${FOR_YOU}?fid=${CAROL}`, 3, async () => {
    seconds += 60;
    if (isFirst) await seeded.send(seeded.carol.follow(FIDS.frank, NOW + 30));
    isFirst = false;
  });
  expect(found).toEqual(expected);
});

test('an account that follows nobody yet is shown what is trending, without those hidden from it', async () => {
  const expected = await trending({ seconds: DAY });
  const path = `${FOR_YOU}?fid=${HEIDI}`;
  expect(await walk(path, 2)).toEqual(expected);
  expect(await walk(`${FOR_YOU}?fid=2000000001`, 50)).toEqual(expected);
  const found = await walk(path, 3, async () => {
    seconds += 61;
  });
  expect(found).toEqual(expected);
  const [row] = await network.sql<{ id: string }>('select app_id as id from api_key order by created_at limit 1');
  await network.sql('insert into mute (fid, app_id, muted_fid) values ($1, $2, $3)', [HEIDI, row?.id ?? '', BOB]);
  expect(authorsOf(await get(`${path}&limit=50`))).not.toContain(BOB);
  await network.sql('delete from mute');
});

test('limits of the feed for a user', async () => {
  expect((await get(`${FOR_YOU}?fid=${ALICE}`)).body.casts).toHaveLength(25);
  for (const wrong of ['', `?fid=${ALICE}&limit=51`, '?fid=x', `?fid=${ALICE}&cursor=AAAA`])
    expect([wrong, (await network.get(`${FOR_YOU}${wrong}`)).status]).toEqual([wrong, 400]);
  const { cursor } = (await get(`${FOR_YOU}?fid=${ALICE}&limit=1`)).body.next;
  expect((await network.get(`${FOR_YOU}?fid=${CAROL}&cursor=${cursor}`)).status).toBe(400);
});
