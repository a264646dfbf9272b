import { UserDataType } from '@farcaster/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetchUserFollowers } from '../src/api/follow/fetch-user-followers.js';
import type { Operation, OperationRequest } from '../src/api/operation.js';
import { fetchUsersByLocation } from '../src/api/user/fetch-users-by-location.js';
import type { Signed } from '../src/sample/signed.js';
import { insertPlacesOf } from '../src/store/account.js';
import type { Rendered } from '../src/view/rendered.js';
import { openTestHydrate, watchDatabase } from './support/hydrate.js';
import { type Network, startNetwork } from './support/network.js';
import { CHANNEL_URL, FIDS, type Seeded, seedBasics } from './support/seed.js';

let network: Network;
let seeded: Seeded;
let appId: string;
let own: Signed;
let quoting: Signed;
let deep: Signed;
const hex = (cast: Signed): string => `0x${Buffer.from(cast.hash).toString('hex')}`;
const run = (sql: string, params: (string | number)[] = []) => network.app.core.db.run(sql, params);

/** frank is the one who is hidden, from heidi or from all; he does whatever a list is made of. */
beforeAll(async () => {
  network = await startNetwork();
  seeded = await seedBasics((items) => network.load(items));
  const { alice, carol, erin, frank, heidi, casts } = seeded;
  own = frank.cast({ text: 'Zebra crossing', parent: CHANNEL_URL });
  quoting = carol.cast({ text: 'Look at that', embeds: [own] });
  deep = erin.cast({ text: 'And at that', embeds: [quoting] });
  await seeded.send(
    own,
    quoting,
    deep,
    frank.cast({ text: 'Ripe too', parent: casts.hello }),
    frank.cast({ text: 'Well said', embeds: [casts.hello] }),
    frank.react('like', casts.hello),
    frank.follow(alice.fid),
    alice.follow(frank.fid),
    heidi.follow(frank.fid),
    heidi.react('like', own),
    frank.userData(UserDataType.LOCATION, 'geo:38.72,-9.14'),
  );
  const [key] = await network.app.core.db.run<{ app_id: string }>('select app_id from api_key limit 1');
  appId = (key as { app_id: string }).app_id;
});
afterAll(() => network.stop());

const lists = (viewer: number): string[] =>
  [
    `followers/?fid=${FIDS.alice}`,
    `following/?fid=${FIDS.alice}`,
    `followers/reciprocal/?fid=${FIDS.alice}`,
    `reactions/cast/?hash=${hex(seeded.casts.hello)}&types=likes`,
    `reactions/user/?fid=${FIDS.heidi}&type=likes`,
    `feed/?feed_type=filter&filter_type=fids&fids=${FIDS.frank}`,
    `feed/following/?fid=${FIDS.heidi}`,
    `feed/parent_urls/?parent_urls=${encodeURIComponent(CHANNEL_URL)}`,
    `feed/user/casts/?fid=${FIDS.carol}`,
    `cast/quotes/?identifier=${hex(seeded.casts.hello)}&type=hash`,
    `cast/conversation/?identifier=${hex(seeded.casts.hello)}&type=hash&reply_depth=2`,
    'cast/search/?q=zebra',
    'user/search/?q=frank',
    'user/by_location/?latitude=38.7&longitude=-9.1',
    `casts/?casts=${hex(quoting)}`,
    `casts/?casts=${hex(deep)}`,
    `cast/?identifier=${hex(quoting)}&type=hash`,
  ].map((path) => `/v2/social/${path}${viewer === 0 ? '' : `&viewer_fid=${viewer}`}`);

/** @returns the lists in which frank, or a cast of his, is to be seen. */
const showing = async (paths: readonly string[]): Promise<string[]> => {
  const shown: string[] = [];
  for (const path of paths) {
    const { status, body } = await network.get(path);
    expect({ path, status, message: body.message }).toEqual({ path, status: 200 });
    if (JSON.stringify(body).includes('"username":"frank"')) shown.push(path);
  }
  return shown;
};

const WAYS: [string, () => Promise<unknown>, () => Promise<unknown>, forAll: boolean][] = [
  [
    'muted by the viewer',
    () => run('insert into mute (fid, app_id, muted_fid) values ($1, $2, $3)', [FIDS.heidi, appId, FIDS.frank]),
    () => run('delete from mute'),
    false,
  ],
  [
    'blocked by the viewer',
    () => seeded.send(seeded.heidi.link('block', FIDS.frank)),
    () => seeded.send(seeded.heidi.unlink('block', FIDS.frank)),
    false,
  ],
  [
    'blocking the viewer',
    () => seeded.send(seeded.frank.link('block', FIDS.heidi)),
    () => seeded.send(seeded.frank.unlink('block', FIDS.heidi)),
    false,
  ],
  [
    'banned by the app',
    () => run('insert into ban (fid, app_id) values ($1, $2)', [FIDS.frank, appId]),
    () => run('delete from ban'),
    true,
  ],
];

test('nobody is hidden without a reason', async () => {
  expect(await showing(lists(FIDS.heidi))).toEqual(lists(FIDS.heidi));
  expect(await showing(lists(0))).toEqual(lists(0));
});

test.each(WAYS)('who is %s is in no list, nor are his casts where others embed them', async (_, hide, show, forAll) => {
  await hide();
  // What is believed of an app's bans may be a second old.
  if (forAll) await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(await showing(lists(FIDS.heidi))).toEqual([]);
  expect(await showing(lists(forAll ? 0 : FIDS.grace))).toEqual(forAll ? [] : lists(FIDS.grace));
  await show();
  expect(await showing(lists(FIDS.heidi))).toEqual(lists(FIDS.heidi));
});

test('who is asked for by an id is there, hidden or not', async () => {
  await run('insert into ban (fid, app_id) values ($1, $2)', [FIDS.frank, appId]);
  const paths = [
    `user/bulk/?fids=${FIDS.frank}`,
    'user/by_username/?username=frank',
    `casts/?casts=${hex(own)}`,
    `cast/?identifier=${hex(own)}&type=hash`,
  ].map((path) => `/v2/social/${path}&viewer_fid=${FIDS.heidi}`);
  expect(await showing(paths)).toEqual(paths);
  await run('delete from ban');
});

test('a hidden actor is in no notification', async () => {
  const path = `/v2/social/notifications/?fid=${FIDS.alice}`;
  expect(await showing([path])).toEqual([path]);
  await run('insert into mute (fid, app_id, muted_fid) values ($1, $2, $3)', [FIDS.alice, appId, FIDS.frank]);
  expect(await showing([path])).toEqual([]);
  await run('delete from mute');
});

test('the embeds of a cast are what is left, and others see all of them', async () => {
  const embedsOf = async (cast: Signed, viewer: number) =>
    (await network.get(`/v2/social/casts/?casts=${hex(cast)}&viewer_fid=${viewer}`)).body.result.casts[0].embeds;
  await run('insert into mute (fid, app_id, muted_fid) values ($1, $2, $3)', [FIDS.heidi, appId, FIDS.frank]);
  for (let turn = 0; turn < 2; turn++) {
    expect(await embedsOf(quoting, FIDS.heidi)).toEqual([]);
    expect(await embedsOf(quoting, FIDS.grace)).toMatchObject([{ cast: { text: 'Zebra crossing' } }]);
    expect(await embedsOf(deep, FIDS.heidi)).toMatchObject([{ cast: { text: 'Look at that', embeds: [] } }]);
    expect(await embedsOf(deep, FIDS.grace)).toMatchObject([{ cast: { embeds: [{ cast: { hash: hex(own) } }] } }]);
  }
  await run('delete from mute');
});

test('ten thousand mutes: the page is full and costs as many statements as any', async () => {
  const first = 500_000;
  await run(
    'insert into account (fid, first_ts, latitude, longitude) select f, 1, 10, 10 from generate_series($1::int, $2::int) f',
    [first, first + 10_099],
  );
  await insertPlacesOf(network.app.core.db, [first]);
  await run(
    `insert into link (target_fid, type, ts, hash, fid)
     select $1, 1, 1000000 - (f - $2::int), decode(lpad(to_hex(f), 40, '0'), 'hex'), f from generate_series($2::int, $3::int) f`,
    [FIDS.grace, first, first + 10_099],
  );
  const { db } = network.app.core;
  const { services } = network.app;
  const watched = watchDatabase(db);
  const { hydrate } = openTestHydrate(watched.db, 0);
  const page = async (operation: Operation, query: object): Promise<{ fids: number[]; sent: string[] }> => {
    watched.sent();
    const request = { query: { ...query, viewer_fid: FIDS.dan }, caller: { appId } } as unknown as OperationRequest;
    const { body } = (await operation.handle(request, { ...services, db: watched.db, hydrate })) as Rendered;
    const users = JSON.parse(body.toString()).users as { fid?: number; user?: { fid: number } }[];
    return { fids: users.map((one) => one.user?.fid ?? (one.fid as number)), sent: watched.sent().sort() };
  };
  const pages = async () => [
    await page(fetchUserFollowers, { fid: FIDS.grace, limit: 100 }),
    await page(fetchUsersByLocation, { latitude: 10, longitude: 10, limit: 100 }),
  ];
  const before = await pages();
  await run('insert into mute (fid, app_id, muted_fid) select $1, $2, f from generate_series($3::int, $4::int) f', [
    FIDS.dan,
    appId,
    first,
    first + 9_999,
  ]);
  const after = await pages();
  const left = Array.from({ length: 100 }, (_, n) => first + 10_000 + n);
  for (const [index, { fids, sent }] of after.entries()) {
    expect(fids).toEqual(left);
    expect(sent).toEqual(before[index]?.sent);
  }
});
