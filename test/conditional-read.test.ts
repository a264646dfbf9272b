import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromUnixMs } from '../src/protocol/time.js';
import { wirePath } from '../src/schema/wire-names.js';
import { createSecondApp } from './support/app.js';
import { storeChannels, storeCommunity } from './support/channel.js';
import { metered, usageRecordsOf } from './support/metered-service.js';
import { storeMiniApps } from './support/mini-app-catalog.js';
import { type Network, startNetwork } from './support/network.js';
import { UNREGISTERED_FID } from './support/network-event.js';
import { CHANNEL_ID, type QueryEnvironment, readCasesOf, readOperations } from './support/read-query.js';
import { CHANNEL_URL, FIDS, type Seeded, seedBasics } from './support/seed.js';
import { newTopic, storeTopics } from './support/topic.js';

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** '' without one. */
  readonly tag: string;
}

type Ask = (path: string, headers?: Record<string, string>, method?: string) => Promise<Answer>;

const asker =
  (network: Network): Ask =>
  async (path, headers = {}, method = 'GET') => {
    // `fetch` accepts compression unless told otherwise, and compressed responses have weak tags (test/compression.test.ts).
    const sent = { 'x-api-key': network.apiKey, 'accept-encoding': 'identity', ...headers };
    const response = await fetch(`${network.url}${path}`, { method, headers: sent });
    const tag = response.headers.get('etag') ?? '';
    return { status: response.status, headers: response.headers, text: await response.text(), tag };
  };

const ifNoneMatch = (...tags: string[]): Record<string, string> => ({ 'if-none-match': tags.join(', ') });
const cursorIn = (text: string): string | undefined =>
  /"next":\{"cursor":"([^"]+)"\}/.exec(text)?.[1] ?? (/"nextPageToken":"([^"]+)"/.exec(text)?.[1] || undefined);

const expectNotModified = ({ status, headers, text, tag }: Answer, expected: string, path: string): void => {
  expect([path, status, tag, text]).toEqual([path, 304, expected, '']);
  expect(headers.get('content-type')).toBeNull();
  expect(headers.get('cache-control')).toBe('private, no-cache');
  expect(headers.get('vary')).toBe('x-api-key, api_key, authorization, origin, accept-encoding');
  expect(headers.get('x-compute-units')).toBe('0');
};

let network: Network;
let seeded: Seeded;
let ask: Ask;
let world: QueryEnvironment;
/** Milliseconds that the service's clock is ahead. */
let ahead = 0;
const noon = Date.now();

/** At least two items for each list of which the seed has fewer. */
const seedLists = async (): Promise<void> => {
  const { alice, bob, carol, dan, erin, grace, casts } = seeded;
  const text = 'An event about beans';
  const inChannel = bob.cast({ text, parent: CHANNEL_URL });
  await seeded.send(inChannel);
  for (const one of [carol, dan]) {
    const own = one.cast({ text, parent: CHANNEL_URL });
    await seeded.send(
      own,
      one.cast({ text, parent: inChannel }),
      bob.cast({ text, parent: own }),
      one.cast({ text, parent: casts.hello }),
      one.cast({ text, parent: casts.reply }),
      one.cast({ text, embeds: [casts.reply] }),
      one.react('like', casts.reply),
      bob.react('like', own),
      one.follow(alice.fid),
      alice.follow(one.fid),
      alice.link('block', one.fid),
    );
    await network.send('POST', '/v2/social/mute/', { fid: alice.fid, muted_fid: one.fid });
  }
  await network.send('POST', '/v2/social/ban/', { fids: [erin.fid, grace.fid] });
  // Ranked feeds show casts of the last days.
  const now = fromUnixMs(noon);
  for (const age of [3600, 7200]) {
    const recent = bob.cast({ text: 'Later', at: now - age });
    await seeded.send(recent, alice.react('like', recent, now - 600), dan.react('like', recent, now - 600));
  }
};

const emptyCaches = (): Promise<unknown> => network.sql('select 1');

beforeAll(async () => {
  network = await startNetwork({}, undefined, { clock: () => noon + ahead });
  ask = asker(network);
  await storeChannels(network.app.core.db, [{ id: CHANNEL_ID, parentUrl: CHANNEL_URL, leadFid: FIDS.carol }]);
  seeded = await seedBasics(network.load);
  await seedLists();
  const others = [FIDS.alice, FIDS.bob, FIDS.carol, FIDS.dan];
  const urls = await storeCommunity(network.app.core.db, CHANNEL_ID, FIDS.alice, others);
  await seeded.send(...urls.map((parent) => seeded.alice.cast({ text: 'Elsewhere', parent })));
  await storeTopics(
    network.app.core.db,
    ['topic_1', 'event'].map((slug) => newTopic(slug)),
    network.app.invalidate,
  );
  await storeMiniApps(
    network,
    ['one', 'two', 'three'].map((name) => ({ domain: `${name}.example`, name: `Chess ${name}` })),
  );
  const hashes = Object.values(seeded.casts).map(({ hash }) => `0x${Buffer.from(hash).toString('hex')}`);
  world = { seeded, fids: [...Object.values(FIDS), UNREGISTERED_FID], hashes: () => hashes };
});
afterAll(() => network.stop());

const USER = `/v2/social/user/bulk/?fids=${FIDS.alice}`;
/** The same for every caller. */
const EMPTY_LIST = `/v2/social/followers/?fid=${UNREGISTERED_FID}`;
const FEED = `/v2/social/feed/user/casts/?fid=${FIDS.alice}&limit=1`;

/** Operations of the table whose data the seed lacks. */
const UNSEEDED = new Set(['lookup-users-by-x-username']);

/** Ranked feeds, whose scores, which their cursors name, change with time. */
const isRanked = (path: string): boolean => /feed\/(trending|for_you)|global_trending/.test(path);

/** Pages of one item, so that most of them have a cursor. */
const shorter = (path: string): string => path.replace('limit=3', 'limit=1');

describe('every operation that reads from the database', () => {
  test('is a GET', () => {
    expect(readOperations.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('tags its responses, and answers 304 to the tag', async () => {
    const tagged = new Set<string>();
    for (const { operationId, path } of readCasesOf(world, [FIDS.alice])) {
      const { status, headers, text, tag } = await ask(path);
      if (status !== 200) {
        expect([path, tag, headers.get('cache-control')]).toEqual([path, '', 'no-store']);
        continue;
      }
      tagged.add(operationId);
      const form = text.includes('"next":{"cursor":"') ? /^W\/"[\da-f]{16}"$/ : /^"[\da-f]{16}"$/;
      expect([path, tag]).toEqual([path, expect.stringMatching(form)]);
      expect(headers.get('cache-control')).toBe('private, no-cache');
      expectNotModified(await ask(path, ifNoneMatch(tag)), tag, path);
    }
    const wanted = readOperations.map(({ id }) => id).filter((id) => !UNSEEDED.has(id));
    expect([...tagged].sort()).toEqual(wanted.sort());
  });

  test('gives the same tags to the same pages at another time, whose cursors differ', async () => {
    const cases = readCasesOf(world, [FIDS.alice]).filter(({ hasPages }) => hasPages);
    /** The first two pages, of one item each. */
    const pagesOf = async ({ path, page }: (typeof cases)[number]): Promise<Answer[]> => {
      const first = await ask(shorter(path));
      const cursor = cursorIn(first.text);
      return cursor === undefined ? [first] : [first, await ask(shorter(page(cursor)))];
    };
    const before: Answer[][] = [];
    for (const one of cases) before.push(await pagesOf(one));
    ahead += 60_000;
    await emptyCaches();
    const differing = new Set<string>();
    for (const [at, one] of cases.entries()) {
      const then = before[at] as Answer[];
      const now = await pagesOf(one);
      if (!isRanked(one.path))
        expect([one.path, ...now.map(({ tag }) => tag)]).toEqual([one.path, ...then.map(({ tag }) => tag)]);
      if (now.some(({ text }, page) => text !== then[page]?.text)) differing.add(one.operationId);
    }
    const paged = readOperations.filter(({ query }) => 'cursor' in (query?.properties ?? {}));
    expect([...differing].sort()).toEqual(paged.map(({ id }) => id).sort());
  });
});

describe('a write', () => {
  test.each([
    ['a user', () => USER, () => seeded.send(seeded.alice.follow(FIDS.grace))],
    ['a feed', () => FEED, () => seeded.send(seeded.alice.cast({ text: 'A new cast' }))],
    ['a list of the hub', () => `/v1/castsByFid?fid=${FIDS.bob}`, () => seeded.send(seeded.bob.cast({ text: 'News' }))],
    [
      'a page in the names of the ecosystem',
      () => wirePath(USER, 'ecosystem'),
      () => seeded.send(seeded.alice.follow(FIDS.erin)),
    ],
  ])('that changes %s changes its tag', async (_, path, write) => {
    const before = await ask(path());
    // Asked three times, so that the response comes from the cache.
    for (const _time of [1, 2]) expectNotModified(await ask(path(), ifNoneMatch(before.tag)), before.tag, path());
    await write();
    const after = await ask(path(), ifNoneMatch(before.tag));
    expect(after.status).toBe(200);
    expect(after.text).not.toBe(before.text);
    expect(after.tag).not.toBe(before.tag);
    expectNotModified(await ask(path(), ifNoneMatch(after.tag)), after.tag, path());
  });
});

describe('equal responses', () => {
  test('have different tags for each app, viewer and dialect', async () => {
    const other = await createSecondApp(network);
    const answers = await Promise.all([
      ask(EMPTY_LIST),
      ask(EMPTY_LIST, other.headers),
      ask(`${EMPTY_LIST}&viewer_fid=${FIDS.alice}`),
      ask(`${EMPTY_LIST}&viewer_fid=${FIDS.bob}`),
      ask(wirePath(EMPTY_LIST, 'ecosystem')),
    ]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(new Set(answers.map(({ tag }) => tag)).size).toBe(answers.length);
    const [own] = answers;
    expect((await ask(EMPTY_LIST, { ...other.headers, ...ifNoneMatch(own?.tag ?? '') })).status).toBe(200);
  });
});

describe('If-None-Match', () => {
  test('is a list of tags, weak or strong', async () => {
    const { tag } = await ask(USER);
    const weak = (await ask(FEED)).tag;
    expect(weak).toMatch(/^W\//);
    const many = Array.from({ length: 10_000 }, () => '"a"');
    for (const list of [[tag], ['"a"', tag], [`W/${tag}`], [tag, 'W/"b"'], [...many, tag]])
      expect([list.at(-1), (await ask(USER, ifNoneMatch(...list))).status]).toEqual([list.at(-1), 304]);
    for (const list of [[weak], [weak.slice(2)]]) expect((await ask(FEED, ifNoneMatch(...list))).status).toBe(304);
  });

  test('that lists other tags, or none at all, has no effect', async () => {
    const { tag, text } = await ask(USER);
    const many = Array.from({ length: 10_000 }, () => '"a"').join();
    const garbage = [
      '',
      '"',
      '""',
      'W/',
      tag.slice(1, -1),
      tag.slice(0, -1),
      '**',
      '\xff\xfe',
      '%00,\t,,"W/"',
      '('.repeat(50_000),
    ];
    for (const list of [many, ...garbage]) {
      const answer = await ask(USER, ifNoneMatch(list));
      expect([list.slice(0, 20), answer.status, answer.text]).toEqual([list.slice(0, 20), 200, text]);
    }
  });

  test('does not take a star, which says nothing of what the client has, for free', async () => {
    const { status, text, headers } = await ask(USER, ifNoneMatch('*'));
    expect([status, text, headers.get('x-compute-units')]).toEqual([200, (await ask(USER)).text, '1']);
  });

  test('does not turn errors into 304', async () => {
    const { tag } = await ask(USER);
    expect((await ask('/v2/social/user/bulk/?fids=none', ifNoneMatch(tag))).status).toBe(400);
    expect((await ask('/v2/social/user/by_username/?username=nobody', ifNoneMatch(tag))).status).toBe(404);
    expect((await ask(USER, { 'x-api-key': 'wrong', ...ifNoneMatch(tag) })).status).toBe(401);
  });

  test('has no effect on operations that write or read other sources', async () => {
    const info = await ask('/v1/info?dbstats=true', ifNoneMatch((await ask(USER)).tag));
    expect([info.status, info.tag, info.headers.get('cache-control')]).toEqual([200, '', 'no-store']);
  });

  test('works in HEAD requests', async () => {
    const { tag, headers, text } = await ask(USER, {}, 'HEAD');
    const length = headers.get('content-length');
    expect([text, tag, Number(length)]).toEqual(['', (await ask(USER)).tag, expect.any(Number)]);
    const again = await ask(USER, ifNoneMatch(tag), 'HEAD');
    expect([again.status, again.text, again.tag, again.headers.get('x-compute-units')]).toEqual([304, '', tag, '0']);
    // The length is that of a response to GET, never 0.
    expect(again.headers.get('content-length')).toBe(length);
  });
});

test('pages of other origins may read the tag and send it back', async () => {
  const origin = { origin: 'https://app.example' };
  const { headers, tag } = await ask(USER, origin);
  expect(headers.get('access-control-expose-headers')?.split(', ')).toContain('etag');
  const asked = {
    ...origin,
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'if-none-match',
  };
  const preflight = await ask(USER, asked, 'OPTIONS');
  expect(preflight.headers.get('access-control-allow-headers')).toContain('*');
  const again = await ask(USER, { ...origin, ...ifNoneMatch(tag) });
  expect([again.status, again.headers.get('access-control-allow-origin')]).toEqual([304, '*']);
  expect(again.headers.get('access-control-expose-headers')).toContain('etag');
});

test('the metrics count it as 304', async () => {
  const count = async (): Promise<number> => {
    const { values } = await network.app.services.metrics.requestSeconds.get();
    const wanted = values.find(
      ({ labels, metricName }) =>
        metricName?.endsWith('_count') && labels.operation === 'fetch-bulk-users' && Number(labels.status) === 304,
    );
    return wanted?.value ?? 0;
  };
  const before = await count();
  await ask(USER, ifNoneMatch((await ask(USER)).tag));
  await expect.poll(count).toBe(before + 1);
});

test('a 304 costs no units, is counted as a call, and counts against the rate limit', async () => {
  const limited = await startNetwork({ ...metered('enforce', 100), CASTELLAN_RATE_LIMIT_PER_MINUTE: '4' });
  try {
    await seedBasics(limited.load);
    const askLimited = asker(limited);
    const { tag, headers } = await askLimited(USER);
    expect(headers.get('x-compute-units')).toBe('1');
    const remaining: (string | undefined)[] = [];
    for (const _time of [1, 2, 3]) {
      const answer = await askLimited(USER, ifNoneMatch(tag));
      expectNotModified(answer, tag, USER);
      remaining.push(/remaining=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1]);
    }
    expect(remaining).toEqual(['2', '1', '0']);
    expect((await askLimited(USER, ifNoneMatch(tag))).status).toBe(429);
    await expect.poll(() => usageRecordsOf(limited)).toEqual({ used: 1, calls: 4, units: 1 });
  } finally {
    await limited.stop();
  }
});
