import { UserDataType } from '@farcaster/core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Database } from '../src/db/database.js';
import { insertLocations } from '../src/store/protocol/account.js';
import { type NeighbourRow, selectNeighbours } from '../src/store/query/location.js';
import { contractAvailable, validateAgainstContract } from './support/contract.js';
import { type Network, startNetwork, type TestResponse } from './support/network.js';
import { checkPaging, pageOverHttp } from './support/paging.js';
import { expectIndexed, explainReads, type PlanNode, planNodes } from './support/plan.js';
import { watchDatabase } from './support/read-cache.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';

type Point = readonly [latitude: number, longitude: number];

/** Accounts that the tests move about. */
const FIRST = 10_000;
const LARGE_NETWORK = 400;

let network: Network;
let seeded: Seeded;
beforeAll(async () => {
  network = await startNetwork();
  seeded = await seedBasics((items) => network.load(items));
  await network.sql('insert into account (fid, first_ts) select f, 1 from generate_series($1::int, $2::int) f', [
    FIRST,
    FIRST + LARGE_NETWORK - 1,
  ]);
});
afterAll(() => network.stop());

/** Puts the first accounts of the crowd where these points are, and the others nowhere. */
const place = async (points: readonly Point[], first = FIRST): Promise<void> => {
  await network.sql('update account set latitude = null, longitude = null where fid >= $1 and latitude is not null', [
    FIRST,
  ]);
  await put(points.map((point, index) => [first + index, point]));
};
const put = async (accounts: readonly (readonly [fid: number, point: Point])[]): Promise<void> => {
  const { db } = network.app.core;
  const fids = accounts.map(([fid]) => fid);
  await network.sql(
    `update account a set latitude = u.latitude, longitude = u.longitude
       from unnest($1::bigint[], $2::float8[], $3::float8[]) as u(fid, latitude, longitude) where a.fid = u.fid`,
    [fids, accounts.map(([, [latitude]]) => latitude), accounts.map(([, [, longitude]]) => longitude)],
  );
  await insertLocations(db, fids);
};
beforeEach(() => place([]));

const ask = async (query: string): Promise<TestResponse> => {
  const answer = await network.get(`/v2/social/user/by_location/?${query}`);
  if (contractAvailable) {
    expect(validateAgainstContract('fetch-users-by-location', answer.status, answer.body)).toEqual([]);
  }
  return answer;
};
const near = ([latitude, longitude]: Point, more = ''): Promise<TestResponse> =>
  ask(`latitude=${latitude}&longitude=${longitude}${more}`);
const fidsOf = ({ body }: TestResponse): number[] => body.users.map((user: { fid: number }) => user.fid);
const largeNetworkOf = (answer: TestResponse): number[] => fidsOf(answer).filter((fid) => fid >= FIRST);

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
/** Great-circle distance, as a part of the sphere's radius. */
const arc = ([aLat, aLon]: Point, [bLat, bLon]: Point): number => {
  const half = (from: number, to: number) => Math.sin(radians(to - from) / 2) ** 2;
  return (
    2 * Math.asin(Math.sqrt(half(aLat, bLat) + Math.cos(radians(aLat)) * Math.cos(radians(bLat)) * half(aLon, bLon)))
  );
};

test('the nearest come first, with where they are, and nobody who says nothing', async () => {
  const answer = await near([40, -4]);
  expect(fidsOf(answer)).toEqual([FIDS.alice, FIDS.bob, FIDS.dan]);
  expect(answer.body.users[0].profile.location).toMatchObject({
    latitude: 38.72,
    longitude: -9.14,
    address: { city: 'Lisbon', country: 'Portugal', country_code: 'PT' },
  });
  expect(answer.body.users[0].viewer_context).toBeUndefined();
  expect(answer.body.next).toEqual({ cursor: null });
  expect(fidsOf(await near([36, 140]))).toEqual([FIDS.dan, FIDS.bob, FIDS.alice]);
});

test('the order is that of the great circle, at the poles and across the 180th meridian too', async () => {
  const points: Point[] = [];
  for (let n = 0; n < 300; n++)
    points.push([Math.round(((n * 7919) % 18001) - 9000) / 100, ((n * 104_729) % 36_001) / 100 - 180]);
  points.push([90, 12], [-90, -77], [0, 180], [0, -180], [0.01, 179.99], [0.01, -179.99], [89.99, 0], [89.99, 180]);
  await place(points);
  for (const here of [
    [0, 180],
    [0, -180],
    [12.3, 179.99],
    [90, 0],
    [-90, 55],
    [89.99, -100],
    [52.5, 13.4],
  ] as Point[]) {
    const found = largeNetworkOf(await near(here, '&limit=100'));
    const distances = found.map((fid) => arc(here, points[fid - FIRST] as Point));
    for (const [index, distance] of distances.entries()) {
      expect(distance).toBeGreaterThanOrEqual((distances[index - 1] ?? 0) - 1e-9);
    }
    const all = points.map((point) => arc(here, point)).sort((a, b) => a - b);
    expect(Math.abs((distances.at(-1) as number) - (all[found.length - 1] as number))).toBeLessThan(1e-9);
  }
});

test('one point has many spellings: a pole has any longitude, the 180th meridian two', async () => {
  await place([
    [90, 100],
    [90, -20],
    [90, 0],
    [0, 180],
    [0, -180],
    [0, 180],
  ]);
  expect(largeNetworkOf(await near([90, 55]))).toEqual([0, 1, 2, 3, 4, 5].map((n) => FIRST + n));
  expect(largeNetworkOf(await near([0, -180])).slice(0, 3)).toEqual([3, 4, 5].map((n) => FIRST + n));
});

test('those equally far come by fid, however many share a place', async () => {
  const here: Point = [10.5, 20.5];
  await place(Array.from({ length: LARGE_NETWORK }, (_, n): Point => (n % 2 === 0 ? here : [10.5, 21])));
  const seen: number[] = [];
  const page = pageOverHttp(
    network.get,
    `/v2/social/user/by_location/?latitude=${here[0]}&longitude=${here[1]}`,
    (body) => body.users.map((user: { fid: number }) => String(user.fid)),
  );
  for (let cursor: string | null = null, turn = 0; turn === 0 || cursor !== null; turn++) {
    const one = await page(cursor, 37);
    seen.push(...one.keys.map(Number).filter((fid) => fid >= FIRST));
    cursor = one.next;
  }
  const fids = Array.from({ length: LARGE_NETWORK }, (_, n) => FIRST + n);
  expect(seen).toEqual([...fids.filter((fid) => fid % 2 === 0), ...fids.filter((fid) => fid % 2 === 1)]);
});

test('who takes the location away vanishes at once', async () => {
  const { heidi } = seeded;
  await seeded.send(heidi.userData(UserDataType.LOCATION, 'geo:-45.00,170.00'));
  expect(fidsOf(await near([-45, 170]))[0]).toBe(FIDS.heidi);
  await seeded.send(heidi.userData(UserDataType.LOCATION, 'geo:60.17,24.94'));
  expect(fidsOf(await near([-45, 170]))[0]).toBe(FIDS.dan);
  await seeded.send(heidi.userData(UserDataType.LOCATION, ''));
  const answer = await near([60, 25]);
  expect(fidsOf(answer)).not.toContain(FIDS.heidi);
  const { body } = await network.get(`/v2/social/user/bulk/?fids=${FIDS.heidi}`);
  expect(body.users[0].profile.location).toBeUndefined();
});

test('a page is full while people come, go and move', async () => {
  const rows = 30;
  const point = (row: number): Point => [20 + (row % 3), 40];
  const move = (rowsOf: readonly number[], away: boolean) =>
    away
      ? network.sql('update account set latitude = null, longitude = null where fid = any($1)', [
          rowsOf.map((row) => FIRST + row),
        ])
      : put(rowsOf.map((row) => [FIRST + row, point(row)]));
  await seeded.send(...[seeded.alice, seeded.bob, seeded.dan].map((who) => who.userData(UserDataType.LOCATION, '')));
  const order = Array.from({ length: rows }, (_, row) => row).sort((a, b) => (a % 3) - (b % 3) || a - b);
  await checkPaging({
    rows,
    order,
    key: (row) => String(FIRST + row),
    insert: (these) => move(these, false),
    remove: (these) => move(these, true),
    page: pageOverHttp(network.get, '/v2/social/user/by_location/?latitude=19&longitude=40', (body) =>
      body.users.map((user: { fid: number }) => String(user.fid)),
    ),
  });
  await seeded.send(seeded.alice.userData(UserDataType.LOCATION, 'geo:38.72,-9.14'));
});

test('hidden accounts leave no gap in a page, and the viewer is named', async () => {
  const here: Point = [-33.45, -70.67];
  await place(Array.from({ length: 20 }, () => here));
  const appId = await appIdOf();
  await network.sql('insert into ban (fid, app_id) values ($1, $2)', [FIRST, appId]);
  await network.sql(
    'insert into mute (fid, app_id, muted_fid) select $1, $2, f from generate_series($3::int, $4::int) f',
    [FIDS.carol, appId, FIRST + 2, FIRST + 10],
  );
  const answer = await near(here, `&limit=5&viewer_fid=${FIDS.carol}`);
  expect(fidsOf(answer)).toEqual([1, 11, 12, 13, 14].map((n) => FIRST + n));
  expect(answer.body.users[0].viewer_context).toMatchObject({ following: false });
  expect(fidsOf(await near(here, '&limit=2'))).toEqual([FIRST + 1, FIRST + 2]);
  await network.sql('delete from ban');
  await network.sql('delete from mute');
});
const appIdOf = async (): Promise<string> =>
  ((await network.sql<{ id: string }>('select app_id as id from api_key limit 1'))[0] as { id: string }).id;

test('what is asked wrongly is refused with the member at fault', async () => {
  const cursor = (await near([0, 0], '&limit=1')).body.next.cursor;
  const cases: [string, string][] = [
    ['longitude=0', 'latitude'],
    ['latitude=0', 'longitude'],
    ['latitude=90.01&longitude=0', 'latitude'],
    ['latitude=-91&longitude=0', 'latitude'],
    ['latitude=0&longitude=180.5', 'longitude'],
    ['latitude=0&longitude=-181', 'longitude'],
    ['latitude=x&longitude=0', 'latitude'],
    ['latitude=NaN&longitude=0', 'latitude'],
    ['latitude=&longitude=0', 'latitude'],
    ['latitude=0&longitude=0&limit=0', 'limit'],
    ['latitude=0&longitude=0&limit=101', 'limit'],
    ['latitude=0&longitude=0&viewer_fid=0', 'viewer_fid'],
    ['latitude=0&longitude=0&cursor=abc', 'cursor'],
    ...(cursor === null
      ? []
      : ([
          [`latitude=1&longitude=0&cursor=${cursor}`, 'cursor'],
          [`latitude=0&longitude=0&viewer_fid=2&cursor=${cursor}`, 'cursor'],
        ] as [string, string][])),
  ];
  for (const [query, property] of cases) {
    expect(await ask(query), query).toMatchObject({ status: 400, body: { code: 'InvalidField', property } });
  }
});

test('places come out of the index in order: nothing is read whole, and only ties are sorted', async () => {
  const { db } = network.app.core;
  await network.sql(
    `insert into account (fid, first_ts, latitude, longitude)
     select f, 1, round((f::bigint * 7919 % 18000)::numeric / 100 - 90, 2), round((f::bigint * 104729 % 36000)::numeric / 100 - 180, 2)
       from generate_series(1000000, 1030000) f`,
  );
  await network.sql(
    'insert into place (latitude, longitude) select distinct latitude, longitude from account where latitude is not null on conflict do nothing',
  );
  await network.sql('insert into ban (fid, app_id) select f, gen_random_uuid() from generate_series(1, 5000) f');
  await network.sql(
    'insert into mute (fid, app_id, muted_fid) select f, gen_random_uuid(), 7 from generate_series(1, 5000) f',
  );
  await network.sql(
    `insert into block (fid, blocked_fid, ts, hash) select f, 1, 1, '' from generate_series(1, 5000) f`,
  );
  await db.script('analyze account; analyze place; analyze ban; analyze mute; analyze block');
  const audience = { appId: await appIdOf(), viewer: 5 };
  const plans = await explainReads(db, (watched) =>
    selectNeighbours(watched, audience, { latitude: 1, longitude: 2 }, { after: { distance: 0.5, fid: 7 }, limit: 26 }),
  );
  expectIndexed(plans);
  for (const { custom, generic } of plans) {
    for (const plan of [custom, generic]) {
      const nodes = planNodes(plan);
      expect(nodes.map((node) => node['Index Name'])).toEqual(
        expect.arrayContaining(['place_point', 'account_location']),
      );
      expect(nodes.filter((node) => node['Node Type'] === 'Sort')).toEqual([]);
    }
  }
  await db.script(
    'delete from account where fid >= 1000000; delete from ban; delete from mute; delete from block where ts = 1',
  );
});

test('a deep page reads the accounts that it shows, and passes over the places before it in the index alone', async () => {
  const { db } = network.app.core;
  await network.sql(
    `insert into account (fid, first_ts, latitude, longitude)
     select f, 1, (f * 7919 % 6000) / 100.0, (f * 104729 % 6000) / 100.0 from generate_series(2000000::bigint, 2004999) f`,
  );
  await network.sql(
    'insert into place (latitude, longitude) select distinct latitude, longitude from account where fid >= 2000000 on conflict do nothing',
  );
  await db.script('analyze account; analyze place');
  const audience = { appId: await appIdOf(), viewer: null };
  const here = { latitude: 30, longitude: 30 };
  const rowsOf = async (after: NeighbourRow | undefined): Promise<Record<string, number>> => {
    const read: Database['read'] = (sent, params) => {
      return db.run(`explain (analyze, timing off, format json) ${sent.text}`, params);
    };
    const watched = new Proxy(db, { get: (target, name) => (name === 'read' ? read : Reflect.get(target, name)) });
    const [row] = (await selectNeighbours(watched, audience, here, { after, limit: 26 })) as unknown as [
      { 'QUERY PLAN': [{ Plan: PlanNode }] },
    ];
    const nodes = planNodes(row['QUERY PLAN'][0].Plan) as (PlanNode & Record<string, number>)[];
    const rowsIn = (index: string) =>
      nodes
        .filter((node) => node['Index Name'] === index)
        .reduce((sum, node) => sum + (node['Actual Rows'] ?? 0) * (node['Actual Loops'] ?? 0), 0);
    return { places: rowsIn('place_point'), accounts: rowsIn('account_location') };
  };
  const before = await selectNeighbours(db, audience, here, { after: undefined, limit: 39 * 25 });
  const [first, deep] = [await rowsOf(undefined), await rowsOf(before.at(-1))];
  expect(deep.accounts).toBeLessThanOrEqual((first.accounts as number) + 25);
  expect(deep.places).toBeLessThanOrEqual((first.places as number) + 25);
  await network.sql('delete from account where fid >= 2000000');
});

test('a page costs one statement for its ids whatever its size', async () => {
  await place(Array.from({ length: 150 }, (_, n): Point => [n / 10, n / 10]));
  const watched = watchDatabase(network.app.core.db);
  const audience = { appId: await appIdOf(), viewer: FIDS.carol };
  for (const limit of [1, 101]) {
    const rows = await selectNeighbours(
      watched.db,
      audience,
      { latitude: 0, longitude: 0 },
      { after: undefined, limit },
    );
    expect([rows.length, watched.sent()]).toEqual([limit, ['account_by_distance']]);
  }
});
