import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { scoreMiniApps } from '../src/job/mini-app-score.js';
import { fromUnixMs } from '../src/protocol/time.js';
import { createSecondApp } from './support/app.js';
import { storeMiniApps } from './support/mini-app-catalog.js';
import { type Network, startNetwork } from './support/network.js';
import { checkPaging, pageOverHttp } from './support/paging.js';
import { rounds } from './support/rounds.js';

/** The catalog and the search of mini apps, and the score that orders them. */

const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2026, 5, 1, 12);
const DOMAINS = ['a.example', 'b.example', 'c.example'] as const;
const CATALOG = '/v2/social/frame/catalog/';

let network: Network;
/** Unix milliseconds of the service. */
let now = NOW;
beforeAll(async () => {
  network = await startNetwork({}, undefined, { clock: () => now });
});
afterAll(() => network.stop());
beforeEach(async () => {
  now = NOW;
  for (const table of ['catalog_domain', 'catalog_score', '"cast"', 'account', 'host_token', 'ban']) {
    await network.sql(`delete from ${table}`);
  }
});

const score = (at = NOW) => scoreMiniApps(network.app.core.db, at);

// biome-ignore lint/suspicious/noExplicitAny: a body of the service
const domainsOf = (body: any): string[] =>
  body.frames.map(({ frames_url }: { frames_url: string }) => new URL(frames_url).host);
const catalog = async (query = ''): Promise<string[]> => {
  const { status, body } = await network.get(`${CATALOG}${query}`);
  expect([status, body.message]).toEqual([200, undefined]);
  return domainsOf(body);
};

interface Share {
  readonly fid: number;
  readonly domain: number;
  /** Seconds before the count. */
  readonly age: number;
  /** How the cast spells the address. */
  readonly spelling: number;
}

const WEEK = 7 * 86_400;
const spell = ({ domain, spelling }: Share): string => {
  const name = DOMAINS[domain] ?? 'unknown.example';
  return [
    `https://${name}`,
    `https://${name}/game?x=1`,
    `HTTP://${name.toUpperCase()}#top`,
    // Other hosts: they share nothing.
    `https://x.${name}/`,
    `https://${name}.evil.example/`,
    `https://evil.example/${name}`,
  ][spelling] as string;
};
const share: fc.Arbitrary<Share> = fc.record({
  fid: fc.integer({ min: 1, max: 6 }),
  domain: fc.integer({ min: 0, max: DOMAINS.length }),
  age: fc.oneof(fc.integer({ min: -5, max: 8 * 86_400 }), fc.constantFrom(0, WEEK - 1, WEEK, WEEK + 1)),
  spelling: fc.integer({ min: 0, max: 5 }),
});
interface Add {
  readonly fid: number;
  readonly domain: number;
  readonly isLive: boolean;
  readonly isClosed: boolean;
}
const add: fc.Arbitrary<Add> = fc.record({
  fid: fc.integer({ min: 1, max: 6 }),
  domain: fc.integer({ min: 0, max: DOMAINS.length }),
  isLive: fc.boolean(),
  isClosed: fc.boolean(),
});

const storeShares = async (shares: readonly Share[], at: number): Promise<void> => {
  await network.sql('delete from "cast"');
  await network.sql(
    `insert into "cast" (fid, hash, ts, text, root_fid, root_hash, embeds, signer)
     select fid, sha256(n::text::bytea), $4 - age, '', fid, '\\x00', jsonb_build_array(jsonb_build_object('url', url)), '\\x00'
       from unnest($1::bigint[], $2::integer[], $3::text[]) with ordinality c(fid, age, url, n)`,
    [shares.map(({ fid }) => fid), shares.map(({ age }) => age), shares.map(spell), fromUnixMs(at)],
  );
};
const storeAdds = async (adds: readonly Add[]): Promise<void> => {
  await network.sql('delete from host_token');
  await network.sql(
    `insert into host_token (hash, app_id, fid, domain, minted_at, live_at, closed_at)
     select sha256(n::text::bytea), (select id from app limit 1), fid, domain, now(),
            case when live then now() end, case when closed then now() end
       from unnest($1::bigint[], $2::text[], $3::boolean[], $4::boolean[]) with ordinality t(fid, domain, live, closed, n)`,
    [
      adds.map(({ fid }) => fid),
      adds.map(({ domain }) => DOMAINS[domain] ?? 'unknown.example'),
      adds.map(({ isLive }) => isLive),
      adds.map(({ isClosed }) => isClosed),
    ],
  );
};
const storeAccounts = async (trusted: ReadonlySet<number>): Promise<void> => {
  await network.sql('delete from account');
  await network.sql(
    `insert into account (fid, score)
     select f, case when f = any($1) then 0.1::real else 0.09::real end from generate_series(1, 6) f`,
    [[...trusted]],
  );
};

/** The score as docs/ranking.md explains it. */
const expectedScore = (
  domain: number,
  shares: readonly Share[],
  adds: readonly Add[],
  trusted: ReadonlySet<number>,
): number => {
  const counts = (fid: number): boolean => trusted.size === 0 || trusted.has(fid);
  const youngest = new Map<number, number>();
  for (const one of shares) {
    if (one.domain !== domain || one.spelling > 2 || !counts(one.fid) || one.age < 0 || one.age >= WEEK) continue;
    youngest.set(one.fid, Math.min(youngest.get(one.fid) ?? WEEK, one.age));
  }
  const users = new Set(
    adds.filter((one) => one.domain === domain && one.isLive && !one.isClosed && counts(one.fid)).map(({ fid }) => fid),
  );
  return [...youngest.values()].reduce((sum, age) => sum + 0.5 ** (age / (2 * 86_400)), 0) + users.size;
};

test('the score is that of the stored casts and tokens, and the catalog sorts by its change', async () => {
  const scene = fc.record({
    shares: fc.array(share, { maxLength: 40 }),
    adds: fc.array(add, { maxLength: 8 }),
    trust: fc.uniqueArray(fc.integer({ min: 1, max: 6 })),
  });
  await fc.assert(
    fc.asyncProperty(scene, scene, async (before, after) => {
      await network.sql('delete from catalog_domain');
      await network.sql('delete from catalog_score');
      await storeMiniApps(
        network,
        DOMAINS.map((domain) => ({ domain })),
      );
      const scores: number[][] = [];
      for (const [at, { shares, adds, trust }] of [
        [NOW - 24 * HOUR_MS, before],
        [NOW, after],
      ] as const) {
        const trusted = new Set(trust);
        await storeAccounts(trusted);
        await storeShares(shares, at);
        await storeAdds(adds);
        await score(at);
        scores.push(DOMAINS.map((_, domain) => expectedScore(domain, shares, adds, trusted)));
      }
      const rows = await network.sql<{ domain: string; score: number; change_6h: number; change_7d: number }>(
        'select domain, score, change_6h, change_7d from catalog_score where counted_at = $1 order by domain',
        [new Date(NOW)],
      );
      const [old = [], young = []] = scores;
      expect(rows.map(({ domain }) => domain)).toEqual([...DOMAINS]);
      for (const [n, row] of rows.entries()) {
        expect(row.score).toBeCloseTo(young[n] as number, 5);
        expect(row.change_6h).toBeCloseTo((young[n] as number) - (old[n] as number), 5);
        // There is no count that is seven days old.
        expect(row.change_7d).toBeCloseTo(young[n] as number, 5);
      }
      for (const window of ['6h', '7d'] as const) {
        const sorted = [...rows].sort(
          (a, b) => b[`change_${window}`] - a[`change_${window}`] || (a.domain < b.domain ? -1 : 1),
        );
        expect(await catalog(`?time_window=${window}`)).toEqual(sorted.map(({ domain }) => domain));
      }
    }),
    { numRuns: rounds(20), endOnFailure: true },
  );
});

test('counts are stored for eight days', async () => {
  await storeMiniApps(network, [{ domain: 'a.example' }]);
  for (const hours of [193, 192, 100, 0]) await score(NOW - hours * HOUR_MS);
  const rows = await network.sql<{ at: Date }>('select counted_at as at from catalog_score order by 1');
  expect(rows.map(({ at }) => (NOW - at.getTime()) / HOUR_MS)).toEqual([192, 100, 0]);
});

test('the catalog keeps what names a category or network, and leaves out hidden and banned ones', async () => {
  await storeMiniApps(network, [
    { domain: 'none.example', authorFid: 7 },
    { domain: 'base.example', networks: ['base', 'zora'], category: 'games' },
    { domain: 'celo.example', networks: ['celo'], category: 'music' },
    // Requires a network without a name here.
    { domain: 'other.example', networks: [], category: 'games' },
    { domain: 'hidden.example', placement: 'hidden', category: 'games' },
    { domain: 'z-first.example', placement: 'featured' },
  ]);
  const all = ['z-first.example', 'base.example', 'celo.example', 'none.example', 'other.example'];
  expect(await catalog()).toEqual(all);
  expect(await catalog('?categories=games,music')).toEqual(['base.example', 'celo.example', 'other.example']);
  expect(await catalog('?categories=games&categories=art-creativity')).toEqual(['base.example', 'other.example']);
  expect(await catalog('?networks=base')).toEqual(['z-first.example', 'base.example', 'none.example']);
  expect(await catalog('?networks=celo,zora&categories=games')).toEqual(['base.example']);
  await network.send('POST', '/v2/social/ban/', { fids: [7] });
  expect(await catalog()).toEqual(all.filter((domain) => domain !== 'none.example'));
  const other = await createSecondApp(network);
  expect(domainsOf((await network.get(CATALOG, other.headers)).body)).toEqual(all);
  for (const query of ['categories=gambling', 'networks=moon', 'time_window=2h', 'limit=101', 'cursor=x']) {
    const { status, body } = await network.get(`${CATALOG}?${query}`);
    expect([query, status, body.property]).toEqual([query, 400, query.split('=', 1)[0]]);
  }
});

test('pages go on with the count that they began with, as long as it is stored', async () => {
  await storeMiniApps(
    network,
    DOMAINS.map((domain) => ({ domain })),
  );
  const insert = (at: number, changes: readonly number[]) =>
    network.sql(
      `insert into catalog_score select to_timestamp($1), d, c, 0, 0, c, c, c, c, c from unnest($2::text[], $3::float8[]) u(d, c)`,
      [at / 1000, [...DOMAINS], changes],
    );
  await insert(NOW, [3, 2, 1]);
  const first = (await network.get(`${CATALOG}?limit=1`)).body;
  await insert(NOW + HOUR_MS, [1, 2.5, 3]);
  expect(domainsOf(first)).toEqual(['a.example']);
  expect(await catalog(`?limit=5&cursor=${first.next.cursor}`)).toEqual(['b.example', 'c.example']);
  expect(await catalog()).toEqual(['c.example', 'b.example', 'a.example']);
  await network.sql('delete from catalog_score where counted_at = $1', [new Date(NOW)]);
  const late = await network.get(`${CATALOG}?limit=1&cursor=${first.next.cursor}`);
  expect([late.status, late.body.property]).toEqual([400, 'cursor']);
});

const rows = Array.from({ length: 12 }, (_, row) => row);
const walkDomain = (row: number): string => `walk${String(row).padStart(2, '0')}.example`;
const walk = async (path: string, order: readonly number[]): Promise<void> => {
  await storeMiniApps(network, [{ domain: 'a.example' }]);
  await network.sql(
    `insert into catalog_score select to_timestamp($1), 'walk' || lpad(n::text, 2, '0') || '.example', n / 3, 0, 0, 0, 0, 0, 0, n / 3
       from generate_series(0, 11) n`,
    [NOW / 1000],
  );
  await network.sql('delete from catalog_domain');
  await checkPaging({
    rows: rows.length,
    key: walkDomain,
    insert: (chosen) =>
      storeMiniApps(
        network,
        chosen.map((row) => ({
          domain: walkDomain(row),
          name: row % 2 ? 'Walk along' : 'Along',
          ...(row > 9 ? { placement: 'featured' as const } : {}),
        })),
      ),
    remove: (chosen) => network.sql('delete from catalog_domain where domain = any($1)', [chosen.map(walkDomain)]),
    order,
    page: pageOverHttp(network.get, path, domainsOf),
    runs: 5,
  });
};
const change = (row: number): number => Math.floor(row / 3);

test('the catalog walks to its end while mini apps come and go', () =>
  walk(
    CATALOG,
    [...rows].sort((a, b) => Number(b > 9) - Number(a > 9) || change(b) - change(a) || a - b),
  ));

test('a search walks to its end while mini apps come and go', () =>
  walk(
    '/v2/social/frame/search/?q=walk',
    [...rows].sort((a, b) => (b % 2) - (a % 2) || change(b) - change(a) || a - b),
  ));

const search = async (q: string, more = ''): Promise<string[]> => {
  const { status, body } = await network.get(`/v2/social/frame/search/?q=${encodeURIComponent(q)}${more}`);
  expect([q, status, body.message]).toEqual([q, 200, undefined]);
  return domainsOf(body);
};

test('a search finds names, tags, subtitles and beginnings of domains, the closest first', async () => {
  await storeMiniApps(network, [
    { domain: 'one.example', name: 'Chess' },
    { domain: 'two.example', name: 'Chess Club', networks: ['base'] },
    { domain: 'chess.example', name: 'Board' },
    { domain: 'three.example', name: 'Play chess' },
    { domain: 'four.example', name: 'Games', tags: ['chess'] },
    { domain: 'five.example', name: 'Puzzle', subtitle: 'For speedchess lovers' },
    { domain: 'six.example', name: '100% fun_', tags: ['Ünder'] },
    { domain: 'seven.example', name: 'Chess, hidden', placement: 'hidden' },
    { domain: 'eight.example', name: 'Chess of a stranger', authorFid: 8 },
  ]);
  await network.send('POST', '/v2/social/ban/', { fids: [8] });
  const all = ['one.example', 'two.example', 'chess.example', 'four.example', 'three.example', 'five.example'];
  expect(await search('Chess')).toEqual(all);
  expect(await search('  chess ')).toEqual(all);
  expect(await search('chess', '&networks=celo')).toEqual(all.filter((domain) => domain !== 'two.example'));
  expect(await search('speedch')).toEqual(['five.example']);
  expect(await search('hess.ex')).toEqual([]);
  expect(await search('c')).toEqual(['one.example', 'two.example', 'chess.example', 'four.example', 'three.example']);
  expect(await search('%')).toEqual([]);
  expect(await search('100%')).toEqual(['six.example']);
  expect(await search('fun_')).toEqual(['six.example']);
  expect(await search('ünder')).toEqual(['six.example']);
  for (const q of ['', '%20', '%E3%80%80', 'x'.repeat(33)]) {
    const { status, body } = await network.get(`/v2/social/frame/search/?q=${q}`);
    expect([q, status, body.property]).toEqual([q, 400, 'q']);
  }
});
