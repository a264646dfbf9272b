import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createSecondApp, keyWith, type SecondApp } from './support/app.js';
import { nextMillisecond } from './support/delay.js';
import { type Network, startNetwork, type TestResponse } from './support/network.js';
import { checkPaging, pageOverHttp } from './support/paging.js';
import { FIDS, seedBasics } from './support/seed.js';

const MUTE = '/v2/social/mute/';
const UNKNOWN = 4_000_001;

let network: Network;
let other: SecondApp;
beforeAll(async () => {
  network = await startNetwork();
  await seedBasics((items) => network.load(items));
  other = await createSecondApp(network);
});
afterAll(() => network.stop());
afterEach(() => network.app.core.db.run('delete from mute'));

const mute = (fid: number, muted_fid: number, headers?: Record<string, string>) =>
  network.send('POST', MUTE, { fid, muted_fid }, headers);
const unmute = (fid: number, muted_fid: number, headers?: Record<string, string>) =>
  network.send('DELETE', MUTE, { fid, muted_fid }, headers);
const listOf = (fid: number, headers?: Record<string, string>) =>
  network.get(`/v2/social/mute/list/?fid=${fid}`, headers);
const muted = ({ body }: TestResponse): number[] => body.mutes.map((one: { muted: { fid: number } }) => one.muted.fid);

test('the newest mute comes first, each with its time and the whole user', async () => {
  const before = Date.now();
  for (const fid of [FIDS.bob, FIDS.carol]) {
    const answer = await mute(FIDS.alice, fid);
    expect([answer.status, answer.body]).toEqual([200, { success: true }]);
    await nextMillisecond();
  }
  const { body } = await listOf(FIDS.alice);
  expect(body.next).toEqual({ cursor: null });
  expect(body.mutes).toMatchObject([
    { object: 'mute', muted: { object: 'user', fid: FIDS.carol, username: 'carol' } },
    { object: 'mute', muted: { object: 'user', fid: FIDS.bob, username: 'bob' } },
  ]);
  for (const { muted_at } of body.mutes) {
    expect(Date.parse(muted_at)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(muted_at)).toBeLessThanOrEqual(Date.now());
  }
  expect(muted(await listOf(FIDS.bob))).toEqual([]);
});

test('a second mute keeps the time of the first, and what is not muted needs no ending', async () => {
  await mute(FIDS.alice, FIDS.bob);
  const first = (await listOf(FIDS.alice)).body;
  await nextMillisecond();
  expect((await mute(FIDS.alice, FIDS.bob)).body).toEqual({ success: true });
  expect((await listOf(FIDS.alice)).body).toEqual(first);
  for (let turn = 0; turn < 2; turn++) {
    expect((await unmute(FIDS.alice, FIDS.bob)).body).toEqual({ success: true });
    expect(muted(await listOf(FIDS.alice))).toEqual([]);
  }
});

test('mutes belong to the app, whichever of its keys is used', async () => {
  await mute(FIDS.alice, FIDS.bob);
  await mute(FIDS.alice, FIDS.carol, other.headers);
  expect(muted(await listOf(FIDS.alice))).toEqual([FIDS.bob]);
  expect(muted(await listOf(FIDS.alice, other.headers))).toEqual([FIDS.carol]);
  await unmute(FIDS.alice, FIDS.bob, other.headers);
  expect(muted(await listOf(FIDS.alice, await keyWith(network, 'read')))).toEqual([FIDS.bob]);
  expect((await unmute(FIDS.alice, FIDS.bob, await keyWith(network, 'mute'))).status).toBe(200);
  expect(muted(await listOf(FIDS.alice))).toEqual([]);
});

test('nobody mutes themselves', async () => {
  const answer = await mute(FIDS.alice, FIDS.alice);
  expect([answer.status, answer.body]).toMatchObject([400, { code: 'InvalidField', property: 'muted_fid' }]);
});

test('an unknown account mutes and is muted; ending its mutes changes nothing, its list is empty', async () => {
  expect((await unmute(UNKNOWN, FIDS.alice)).body).toEqual({ success: true });
  expect((await listOf(UNKNOWN)).body).toEqual({ mutes: [], next: { cursor: null } });
  expect((await mute(UNKNOWN, FIDS.alice)).body).toEqual({ success: true });
  expect(muted(await listOf(UNKNOWN))).toEqual([FIDS.alice]);
  expect((await mute(FIDS.alice, UNKNOWN)).body).toEqual({ success: true });
  expect(muted(await listOf(FIDS.alice))).toEqual([UNKNOWN]);
});

test.each([
  ['no muted_fid', { fid: 2 }, 'muted_fid'],
  ['no fid', { muted_fid: 2 }, 'fid'],
  ['fid 0', { fid: 0, muted_fid: 2 }, 'fid'],
  ['a fid as text', { fid: 2, muted_fid: '3' }, 'muted_fid'],
  ['a list', { fid: 2, muted_fid: [3] }, 'muted_fid'],
  ['a fid beyond 53 bits', { fid: 2, muted_fid: 2 ** 53 }, 'muted_fid'],
  ['no object', 'alice', 'body'],
])('%s is a bad request', async (_, body, property) => {
  for (const method of ['POST', 'DELETE']) {
    const answer = await network.send(method, MUTE, body);
    expect([answer.status, answer.body]).toMatchObject([400, { code: 'InvalidField', property }]);
  }
});

test.each([
  ['', 'fid'],
  ['fid=0', 'fid'],
  ['fid=2&limit=0', 'limit'],
  ['fid=2&limit=101', 'limit'],
  ['fid=2&cursor=AAAA', 'cursor'],
])('list/?%s is a bad request', async (query, property) => {
  expect(await network.get(`/v2/social/mute/list/?${query}`)).toMatchObject({ status: 400, body: { property } });
});

test('a cursor serves the account and the app that it was made for', async () => {
  for (const owner of [FIDS.alice, FIDS.bob]) for (const fid of [FIDS.carol, FIDS.dan]) await mute(owner, fid);
  await mute(FIDS.alice, FIDS.carol, other.headers);
  const path = '/v2/social/mute/list/?limit=1';
  const { cursor } = (await network.get(`${path}&fid=${FIDS.alice}`)).body.next;
  expect(muted(await network.get(`${path}&fid=${FIDS.alice}&cursor=${cursor}`))).toEqual([FIDS.carol]);
  const refused = { status: 400, body: { property: 'cursor' } };
  expect(await network.get(`${path}&fid=${FIDS.bob}&cursor=${cursor}`)).toMatchObject(refused);
  expect(await network.get(`${path}&fid=${FIDS.alice}&cursor=${cursor}`, other.headers)).toMatchObject(refused);
});

test('pages of a list that changes hold every mute that stays, once, of unknown accounts as well', async () => {
  const { db } = network.app.core;
  const [key] = await db.run<{ app_id: string }>(`select app_id from api_key where name <> 'of a test' limit 1`);
  const appId = (key as { app_id: string }).app_id;
  const first = 900;
  const rows = 16;
  // Of every other one nothing is known.
  await db.run('insert into account (fid, first_ts) select f, 1 from generate_series($1::int, $2::int, 2) f', [
    first,
    first + rows - 1,
  ]);
  const at = (row: number) => `2026-01-01T00:00:00.00000${row >> 1}Z`;
  await checkPaging({
    rows,
    key: (row) => String(first + row),
    order: Array.from({ length: rows }, (_, n) => rows - 1 - n),
    insert: (some) =>
      db.run(
        `insert into mute (fid, app_id, muted_fid, muted_at)
         select $1, $2, f, t from unnest($3::bigint[], $4::timestamptz[]) as r(f, t)`,
        [FIDS.grace, appId, some.map((row) => first + row), some.map(at)],
      ),
    remove: (some) => Promise.all(some.map((row) => unmute(FIDS.grace, first + row))),
    page: pageOverHttp(network.get, `/v2/social/mute/list/?fid=${FIDS.grace}`, (body) =>
      muted({ body } as TestResponse).map(String),
    ),
  });
});
