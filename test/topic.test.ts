import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createModel, type Model } from '../src/model/client.js';
import { fromUnixMs } from '../src/protocol/time.js';
import { countTopics } from '../src/topic/run.js';
import { FAULTS, type FakeModel, hang, say, startFakeModel } from './support/fake-model.js';
import { type Network, startNetwork } from './support/network.js';
import { pageOverHttp } from './support/paging.js';
import { newTopic, storeTopics } from './support/topic.js';

/** Trending topics: the job that counts them, the list, and the feed of one. */

const NOW = Date.UTC(2026, 5, 1, 12);
/** The job of the service counts at its start, at `NOW`; the tests count later. */
const LATER = NOW + 60_000;
const HOUR = 3600;
const DAY = 24 * HOUR;

let network: Network;
beforeAll(async () => {
  network = await startNetwork({}, undefined, { clock: () => NOW });
});
afterAll(() => network.stop());

interface CastAt {
  readonly fid: number;
  /** Seconds before the count. */
  readonly age: number;
  readonly text: string;
}

const store = async (casts: readonly CastAt[]): Promise<void> => {
  for (const table of ['"cast"', 'account', 'topic_run']) await network.sql(`delete from ${table}`);
  const columns = [casts.map(({ fid }) => fid), casts.map(({ age }) => age), casts.map(({ text }) => text)] as const;
  await network.sql(
    `with c as (
       select fid, substring(sha256(n::text::bytea) for 20) as hash, $4 - age as ts, text
         from unnest($1::bigint[], $2::integer[], $3::text[]) with ordinality c(fid, age, text, n)
     )
     insert into "cast" (fid, hash, ts, text, root_fid, root_hash, signer)
     select fid, hash, ts, text, fid, hash, '\\x00' from c`,
    [...columns, fromUnixMs(LATER)],
  );
  const fids = [...new Set(casts.map(({ fid }) => fid))];
  await network.sql(
    `insert into account (fid, first_ts, score, username) select f, 1, 0.5, 'user' || f from unnest($1::bigint[]) f`,
    [fids],
  );
};

const warnings: object[] = [];
const count = async (options: { model?: Model; now?: number } = {}): Promise<void> => {
  const { app } = network;
  await countTopics({
    db: app.core.db,
    now: options.now ?? LATER,
    model: options.model,
    changed: app.invalidate,
    warn: (details) => warnings.push(details),
    signal: new AbortController().signal,
  });
};
beforeEach(() => {
  warnings.length = 0;
});

interface Topic {
  readonly name: string;
  readonly slug: string;
  readonly top_level_topic: string;
  readonly summary: string | null;
  readonly authors: readonly { readonly fid: number }[];
}
const topics = async (more = 'limit=25'): Promise<Topic[]> => {
  const { status, body } = await network.get(`/v2/social/topic/trending/?${more}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.topics;
};
const slugs = async (): Promise<string[]> => (await topics()).map(({ slug }) => slug);

/** Casts by `authors` (fids) today, an hour apart from each other's time, the first author earliest. */
const today = (authors: readonly number[], text: string): CastAt[] =>
  authors.map((fid, index) => ({ fid, age: 20 * HOUR - index * 60, text }));
const range = (from: number, size: number): number[] => Array.from({ length: size }, (_, index) => from + index);
/** All keys of a list, page by page. */
const walk = async (path: string, limit: number, keysOf: Parameters<typeof pageOverHttp>[2]): Promise<string[]> => {
  const read = pageOverHttp(network.get, path, keysOf);
  const seen: string[] = [];
  for (let cursor: string | null = null; ; ) {
    const page = await read(cursor, limit);
    seen.push(...page.keys);
    if (page.next === null) return seen;
    expect(page.keys).toHaveLength(limit);
    cursor = page.next;
  }
};
/** Each author casts once on each of the eight days. */
const everyDay = (authors: readonly number[], text: string): CastAt[] =>
  authors.flatMap((fid) => range(0, 8).map((day) => ({ fid, age: day * DAY + 2 * HOUR, text })));

/** A network of 40 authors with a festival, an eclipse, and a greeting as every day. */
const burst: CastAt[] = [
  ...everyDay(range(1, 40), 'gm and #coffee'),
  ...today(range(1, 12), 'Tickets for Moon Festival, what a concert, what music'),
  ...today(range(13, 2), '#MoonFestival tonight'),
  ...today(range(20, 7), 'The Solar Eclipse through my telescope #science'),
  ...range(20, 7).map((fid) => ({ fid, age: 3 * DAY, text: '#science as usual' })),
  // Four authors are no topic, however often they cast.
  ...range(0, 30).flatMap((n) => today(range(30, 4), `#spam ${n}`)),
];

describe('the job', () => {
  test('finds what more authors write about, and its strength is that of an independent count', async () => {
    await store(burst);
    await count();
    const found = await topics();
    // 40 authors cast today, and 40 on each of the seven days before; nobody named the first two before.
    const strength = (authors: number, before: number): number => {
      const [a, b, of, ofBefore] = [authors, before, 40, 280];
      const share = (a + b) / (of + ofBefore);
      const cell = (observed: number, expected: number) =>
        observed === 0 ? 0 : observed * Math.log(observed / expected);
      const cells = [
        cell(a, of * share),
        cell(b, ofBefore * share),
        cell(of - a, of * (1 - share)),
        cell(ofBefore - b, ofBefore * (1 - share)),
      ];
      return authors * 2 * cells.reduce((sum, one) => sum + one, 0);
    };
    expect(strength(14, 0)).toBeGreaterThan(strength(7, 0));
    expect(strength(7, 7)).toBeGreaterThan(7 * 10.83);
    // `#science` rose, too, but all its casts of today are about the eclipse; `#coffee` did not rise.
    expect(found.map(({ name, slug, top_level_topic, summary }) => [name, slug, top_level_topic, summary])).toEqual([
      ['Moon Festival', 'moon_festival', 'music', null],
      ['Solar Eclipse', 'solar_eclipse', 'science_technology', null],
    ]);
    // The latest first: the two with the hashtag cast at the times of the first two with the words.
    expect(found[1]?.authors.map(({ fid }) => fid)).toEqual([26, 25, 24, 23, 22]);
    expect(found[0]?.authors).toHaveLength(5);
    const rows = await network.sql<{ slug: string; query: string }>('select slug, query from topic order by place');
    expect(rows).toEqual([
      { slug: 'moon_festival', query: '"moon festival" | "moonfestival"' },
      { slug: 'solar_eclipse', query: '"solar eclipse"' },
    ]);
  });

  test('counts each author once a day, and a rise alone', async () => {
    await store([
      ...everyDay(range(1, 40), 'gm'),
      ...today(range(1, 9), 'Look at #alpha'),
      // Each of the authors used it on four of the days before; once each or thirty times is the same.
      ...range(1, 9).flatMap((fid) => range(2, 4).map((day) => ({ fid, age: day * DAY, text: 'Look at #alpha' }))),
      ...today(range(10, 9), 'Look at #beta'),
      ...range(0, 30).map((n) => ({ fid: 10, age: 4 * DAY + n, text: 'Look at #beta' })),
    ]);
    await count();
    expect(await slugs()).toEqual(['beta']);
  });

  test('leaves out authors with a low score, unless nobody has a higher one', async () => {
    await store(burst);
    await network.sql('update account set score = 0.05 where fid between 1 and 14');
    await count();
    expect(await slugs()).toEqual(['solar_eclipse']);
    await network.sql('update account set score = 0');
    await count({ now: LATER + 1000 });
    expect(await slugs()).toEqual(['moon_festival', 'solar_eclipse']);
  });

  test('counts 24 hours and seven days, to the second', async () => {
    const at = (age: number) => range(1, 9).map((fid) => ({ fid, age, text: 'Look at #alpha' }));
    const others = everyDay(range(1, 40), 'gm');
    for (const [age, expected] of [
      [0, ['alpha']],
      [DAY - 1, ['alpha']],
      [DAY, []],
      [-1, []],
    ] as const) {
      await store([...others, ...at(age)]);
      await count();
      expect(await slugs(), String(age)).toEqual(expected);
    }
    for (const [age, expected] of [
      [8 * DAY, ['alpha']],
      [8 * DAY - 1, []],
    ] as const) {
      // As many authors a day as today, on each of the days before but in the last case.
      const before = range(0, 7)
        .flatMap((day) => at(age - day * DAY))
        .filter((cast) => cast.age >= DAY);
      await store([...others, ...at(HOUR), ...(expected.length > 0 ? at(age) : before)]);
      await count();
      expect(await slugs(), String(age)).toEqual(expected);
    }
  });

  test('gives the same result again, and an empty list for a quiet day and for a network without a past', async () => {
    await store(burst);
    await count();
    const first = await topics();
    await count({ now: LATER + 500 });
    expect(await topics()).toEqual(first);
    await count({ now: LATER + 9 * DAY * 1000 });
    expect(await topics()).toEqual([]);
    await store(today(range(1, 20), '#alpha'));
    await count();
    expect(await topics()).toEqual([]);
  });

  test('leaves no rows of runs older than seven days', async () => {
    await store(burst);
    await count();
    await count({ now: LATER + 7 * DAY * 1000 });
    expect(await network.sql('select from topic')).toHaveLength(2);
    await count({ now: LATER + 7 * DAY * 1000 + 1 });
    expect(await network.sql('select from topic')).toHaveLength(0);
    expect(await network.sql('select from topic_run')).toHaveLength(2);
  });

  test('stops with its signal', async () => {
    await store(burst);
    const { app } = network;
    const signal = AbortSignal.abort(new Error('the service stops'));
    const options = { db: app.core.db, now: LATER, model: undefined, changed: app.invalidate, warn: () => undefined };
    await expect(countTopics({ ...options, signal })).rejects.toThrow('the service stops');
    expect(await network.sql('select from topic_run')).toEqual([]);
  });
});

describe('the job with a language model', () => {
  let fake: FakeModel;
  beforeAll(async () => {
    fake = await startFakeModel();
    await store(burst);
  });
  beforeEach(() => network.sql('delete from topic_run'));
  afterAll(() => fake.stop());
  const model = () => createModel({ url: fake.url, name: 'small', key: undefined }, 300);
  const deterministic = [
    ['moon_festival', 'music', null],
    ['solar_eclipse', 'science_technology', null],
  ];
  const shown = async () => (await topics()).map((one) => [one.slug, one.top_level_topic, one.summary]);

  test('shows its labels and summaries, from one call with texts as data', async () => {
    const answers = [
      { id: 1, label: 'travel_adventure', summary: 'People travel to a festival.\u0000' },
      { id: 2, label: 'news_social_concern', summary: 'x'.repeat(1000) },
      { id: 3, label: 'music', summary: 'There is no such topic.' },
    ];
    fake.answer = say(`\`\`\`json\n${JSON.stringify({ topics: answers })}\n\`\`\``);
    await count({ model: model() });
    expect(await shown()).toEqual([
      ['moon_festival', 'travel_adventure', 'People travel to a festival.'],
      ['solar_eclipse', 'news_social_concern', 'x'.repeat(200)],
    ]);
    expect(warnings).toEqual([]);
    expect(fake.asked()).toHaveLength(1);
    const [system, user] = fake.asked()[0]?.messages ?? [];
    expect(system?.content).not.toContain('telescope');
    expect(JSON.parse(user?.content ?? '').topics[1]).toEqual({
      id: 2,
      name: 'Solar Eclipse',
      texts: Array.from({ length: 5 }, () => 'The Solar Eclipse through my telescope #science'),
    });
  });

  test('keeps what it found itself where an answer is not valid, with a warning', async () => {
    const answers = [
      { id: 1, label: 'no_such_label', summary: 'Bad' },
      { id: 2, label: 'sports', summary: 'Fine.' },
    ];
    fake.answer = say(JSON.stringify({ topics: answers }));
    await count({ model: model() });
    expect(await shown()).toEqual([deterministic[0], ['solar_eclipse', 'sports', 'Fine.']]);
    expect(warnings).toMatchObject([{ topics: 1 }]);
  });

  test.each([
    ...Object.entries(FAULTS),
    ['a model that hangs', hang] as const,
    ['words', say('I would rather not.')] as const,
    ['no list', say('{"topics": {"id": 1}}')] as const,
    ['entries of another shape', say('{"topics": [null, 3, [], {"id": "1"}]}')] as const,
  ])('keeps what it found itself after %s, with a warning', async (_, answer) => {
    fake.answer = answer;
    await count({ model: model() });
    expect(await shown()).toEqual(deterministic);
    expect(warnings).toMatchObject([{ topics: 2 }]);
  });
});

describe('the list', () => {
  const many = Array.from({ length: 30 }, (_, index) => newTopic(`topic_${index}`, [1, 2, 3, 4, 5, 6]));

  test('has pages that belong to one run', async () => {
    await store([{ fid: 1, age: 1, text: 'x' }]);
    const { db } = network.app.core;
    await storeTopics(db, many, network.app.invalidate, new Date(LATER));
    for (const limit of [1, 7, 25]) {
      const seen = await walk('/v2/social/topic/trending/', limit, (body) => body.topics.map((one: Topic) => one.slug));
      expect(seen).toEqual(many.map(({ slug }) => slug));
    }
    const first = await network.get('/v2/social/topic/trending/?limit=20');
    await storeTopics(db, [newTopic('other')], network.app.invalidate, new Date(LATER + 1000));
    expect(await slugs()).toEqual(['other']);
    const rest = await network.get(`/v2/social/topic/trending/?limit=20&cursor=${first.body.next.cursor}`);
    expect(rest.body.topics.map((one: Topic) => one.slug)).toEqual(many.slice(20).map(({ slug }) => slug));
    expect(rest.body.next.cursor).toBeNull();
    await network.sql('delete from topic_run where counted_at = $1', [new Date(LATER)]);
    const late = await network.get(`/v2/social/topic/trending/?limit=20&cursor=${first.body.next.cursor}`);
    expect([late.status, late.body.property]).toEqual([400, 'cursor']);
  });

  test('leaves out authors whom the app banned, and shows those who are not stored by fid', async () => {
    await store(range(1, 4).map((fid) => ({ fid, age: 1, text: 'x' })));
    await storeTopics(network.app.core.db, [newTopic('one', range(1, 8))], network.app.invalidate, new Date(LATER));
    expect((await network.send('POST', '/v2/social/ban/', { fids: [2, 3] })).status).toBe(200);
    const [topic] = await topics();
    expect(topic?.authors.map(({ fid }) => fid)).toEqual([1, 4, 5, 6, 7]);
    expect(topic?.authors[0]).toMatchObject({ object: 'user_dehydrated', username: 'user1' });
    await network.send('DELETE', '/v2/social/ban/', { fids: [2, 3] });
    expect((await topics())[0]?.authors.map(({ fid }) => fid)).toEqual([1, 2, 3, 4, 5]);
  });
});

describe('the feed of a topic', () => {
  beforeAll(async () => {
    await store([...burst, { fid: 40, age: 30 * DAY, text: 'The moon  festival, years ago' }]);
    await count();
  });
  const feed = async (query: string) => network.get(`/v2/social/feed/topic/?${query}`);
  const texts = async (query: string): Promise<string[]> => {
    const { status, body } = await feed(query);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.casts.map((cast: { text: string }) => cast.text);
  };

  test('has all casts with the words in any spelling, latest first, page by page', async () => {
    const rows = await network.sql<{ hash: string; ts: number }>(
      `select '0x' || encode(hash, 'hex') as hash from "cast" where text ~* 'moon ?festival|moon  festival'
        order by ts desc, encode(hash, 'hex') desc`,
    );
    expect(rows).toHaveLength(15);
    for (const limit of [1, 4, 100]) {
      const seen = await walk('/v2/social/feed/topic/?slug=moon_festival', limit, (body) =>
        body.casts.map((cast: { hash: string }) => cast.hash),
      );
      expect(seen).toEqual(rows.map(({ hash }) => hash));
    }
    expect(await texts('slug=solar_eclipse&with_recasts=false')).toHaveLength(7);
  });

  test('leaves out deleted casts and hidden authors', async () => {
    const size = async (more = '') => (await texts(`slug=solar_eclipse${more}`)).length;
    expect((await network.send('POST', '/v2/social/ban/', { fids: [20] })).status).toBe(200);
    expect(await size()).toBe(6);
    expect((await network.send('POST', '/v2/social/mute/', { fid: 1, muted_fid: 21 })).status).toBe(200);
    expect([await size(), await size('&viewer_fid=1')]).toEqual([6, 5]);
    await network.sql(`insert into block (fid, blocked_fid, ts, hash) values (22, 1, 1, '\\x00'), (1, 23, 1, '\\x01')`);
    expect([await size(), await size('&viewer_fid=1')]).toEqual([6, 3]);
    await network.sql(`delete from "cast" where fid = 24 and text like 'The Solar%'`);
    expect([await size(), await size('&viewer_fid=1')]).toEqual([5, 2]);
    await network.send('DELETE', '/v2/social/ban/', { fids: [20] });
  });

  test('is empty for a slug that no topic has, and refuses other characters', async () => {
    expect(await texts('slug=nothing_of_the_kind')).toEqual([]);
    expect(await texts(`slug=${'x'.repeat(500)}`)).toEqual([]);
    for (const slug of ['', 'Moon', 'moon-festival', 'moon festival', 'm%C3%96on', "x'", 'moon%00', 'x%0A']) {
      const { status, body } = await feed(`slug=${slug}`);
      expect([slug, status, body.property]).toEqual([slug, 400, 'slug']);
    }
    expect((await feed('limit=5')).status).toBe(400);
  });
});
