import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { author } from '../src/sample/author.js';
import { selectBans } from '../src/store/query/ban.js';
import { selectMutes } from '../src/store/query/mute.js';
import { createSecondApp, keyWith, type SecondApp } from './support/app.js';
import { nextMillisecond } from './support/delay.js';
import { type Network, startNetwork, type TestResponse } from './support/network.js';
import { checkPaging, pageOverHttp } from './support/paging.js';
import { expectIndexed, explainReads, planNodes } from './support/plan.js';
import { FIDS, SEED, type Seeded, seedBasics } from './support/seed.js';

const BAN = '/v2/social/ban/';
const LIST = '/v2/social/ban/list/';
const UNKNOWN = 4_000_001;

let network: Network;
let seeded: Seeded;
let other: SecondApp;
beforeAll(async () => {
  network = await startNetwork();
  seeded = await seedBasics((items) => network.load(items));
  other = await createSecondApp(network);
});
afterAll(() => network.stop());
afterEach(() => network.app.core.db.run('delete from ban'));

const ban = (fids: unknown, headers?: Record<string, string>) => network.send('POST', BAN, { fids }, headers);
const unban = (fids: unknown, headers?: Record<string, string>) => network.send('DELETE', BAN, { fids }, headers);
const banned = ({ body }: TestResponse): (number | undefined)[] =>
  body.bans.map((one: { banned?: { fid: number } }) => one.banned?.fid);

test('the newest ban comes first, each with its time and the whole user', async () => {
  const before = Date.now();
  for (const fid of [FIDS.bob, FIDS.alice]) {
    const answer = await ban([fid]);
    expect([answer.status, answer.body]).toEqual([200, { success: true }]);
    await nextMillisecond();
  }
  const { body } = await network.get(LIST, { 'x-service-experimental': 'false' });
  expect(body.next).toEqual({ cursor: null });
  expect(body.bans).toMatchObject([
    { object: 'ban', banned: { object: 'user', fid: FIDS.alice, username: 'alice', profile: { bio: {} } } },
    { object: 'ban', banned: { object: 'user', fid: FIDS.bob, username: 'bob' } },
  ]);
  for (const { banned_at } of body.bans) {
    expect(Date.parse(banned_at)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(banned_at)).toBeLessThanOrEqual(Date.now());
  }
});

test('bans of one call are listed by descending fid, and a repeated fid is banned once', async () => {
  expect((await ban([FIDS.bob, FIDS.dan, FIDS.bob, FIDS.carol])).status).toBe(200);
  expect(banned(await network.get(LIST))).toEqual([FIDS.dan, FIDS.carol, FIDS.bob]);
});

test('a repeated ban keeps the time of the first, and lifting a missing ban is no error', async () => {
  await ban([FIDS.bob]);
  const first = (await network.get(LIST)).body.bans;
  await nextMillisecond();
  expect((await ban([FIDS.bob, FIDS.carol])).body).toEqual({ success: true });
  expect((await network.get(LIST)).body.bans.at(-1)).toEqual(first[0]);
  for (let turn = 0; turn < 2; turn++) {
    expect((await unban([FIDS.bob, FIDS.carol, FIDS.erin, UNKNOWN])).body).toEqual({ success: true });
    expect(banned(await network.get(LIST))).toEqual([]);
  }
});

test('a fid without an account is banned too, and listed with it', async () => {
  expect((await ban([UNKNOWN])).status).toBe(200);
  const [record] = (await network.get(LIST)).body.bans;
  expect(record).toMatchObject({ object: 'ban', banned: { fid: UNKNOWN, username: `!${UNKNOWN}` } });
  await seeded.send(author({ seed: SEED, fid: UNKNOWN, clock: seeded.clock }).register());
  expect((await network.get(LIST)).body.bans).toMatchObject([
    { banned_at: record.banned_at, banned: { fid: UNKNOWN } },
  ]);
  expect((await network.get(LIST)).body.bans[0].banned.custody_address).not.toBe(record.banned.custody_address);
});

test('bans belong to the app, whichever of its keys is used', async () => {
  await ban([FIDS.bob]);
  await ban([FIDS.carol], other.headers);
  expect(banned(await network.get(LIST))).toEqual([FIDS.bob]);
  expect(banned(await network.get(LIST, await keyWith(network, 'read')))).toEqual([FIDS.bob]);
  expect(banned(await network.get(LIST, other.headers))).toEqual([FIDS.carol]);
  await unban([FIDS.bob], other.headers);
  expect(banned(await network.get(LIST))).toEqual([FIDS.bob]);
  await unban([FIDS.bob], await keyWith(network, 'write'));
  expect(banned(await network.get(LIST))).toEqual([]);
});

test('many calls at once over the same fids, in any order, all succeed', async () => {
  const fids = Array.from({ length: 100 }, (_, n) => n + 1);
  const calls = Array.from({ length: 12 }, (_, n) => (n % 3 === 2 ? unban : ban)(n % 2 ? fids : fids.toReversed()));
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(calls.map(() => 200));
  await ban(fids);
  expect((await network.get(`${LIST}?limit=100`)).body.bans).toHaveLength(100);
});

test.each([
  ['no fids', {}, 'fids'],
  ['an empty list', { fids: [] }, 'fids'],
  ['101 fids', { fids: Array.from({ length: 101 }, (_, n) => n + 1) }, 'fids'],
  ['one fid', { fids: 3 }, 'fids'],
  ['fids as text', { fids: ['3'] }, 'fids'],
  ['fid 0', { fids: [1, 0] }, 'fids'],
  ['a broken fid', { fids: [1.5] }, 'fids'],
  ['a fid beyond 53 bits', { fids: [2 ** 53] }, 'fids'],
  ['null', { fids: null }, 'fids'],
  ['no object', [1], 'body'],
])('%s is a bad request, and nobody is banned', async (_, body, property) => {
  for (const method of ['POST', 'DELETE']) {
    const answer = await network.send(method, BAN, body);
    expect([answer.status, answer.body]).toMatchObject([400, { code: 'InvalidField', property }]);
  }
  expect(banned(await network.get(LIST))).toEqual([]);
});

test.each([
  ['limit=0', 'limit'],
  ['limit=101', 'limit'],
  ['limit=two', 'limit'],
  ['cursor=AAAA', 'cursor'],
])('?%s is a bad request', async (query, property) => {
  expect(await network.get(`${LIST}?${query}`)).toMatchObject({ status: 400, body: { property } });
});

test('a cursor serves the app and the list that it was made for, unaltered', async () => {
  await ban([FIDS.bob, FIDS.carol]);
  await ban([FIDS.bob, FIDS.carol], other.headers);
  const { cursor } = (await network.get(`${LIST}?limit=1`)).body.next;
  expect(banned(await network.get(`${LIST}?limit=1&cursor=${cursor}`))).toEqual([FIDS.bob]);
  const refused = { status: 400, body: { property: 'cursor' } };
  expect(await network.get(`${LIST}?limit=1&cursor=${cursor}`, other.headers)).toMatchObject(refused);
  const altered = `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}`;
  expect(await network.get(`${LIST}?limit=1&cursor=${altered}`)).toMatchObject(refused);
  expect(await network.get(`/v2/social/mute/list/?fid=${FIDS.bob}&cursor=${cursor}`)).toMatchObject(refused);
});

test('pages of a list that changes hold every ban that stays, once', async () => {
  const { db } = network.app.core;
  const [key] = await db.run<{ app_id: string }>(`select app_id from api_key where name <> 'of a test' limit 1`);
  const appId = (key as { app_id: string }).app_id;
  const first = 900;
  const rows = 16;
  await db.run('insert into account (fid, first_ts) select f, 1 from generate_series($1::int, $2::int) f', [
    first,
    first + rows - 1,
  ]);
  // Pairs share a microsecond, and neighbours are one apart.
  const at = (row: number) => `2026-01-01T00:00:00.00000${row >> 1}Z`;
  await checkPaging({
    rows,
    key: (row) => String(first + row),
    order: Array.from({ length: rows }, (_, n) => rows - 1 - n),
    insert: (some) =>
      db.run(
        'insert into ban (fid, app_id, banned_at) select * from unnest($1::bigint[], $2::uuid[], $3::timestamptz[])',
        [some.map((row) => first + row), some.map(() => appId), some.map(at)],
      ),
    remove: (some) => unban(some.map((row) => first + row)),
    page: pageOverHttp(network.get, LIST, (body) => banned({ body } as TestResponse).map(String)),
  });
});

test('the lists of bans and of mutes are read from their indexes in order, however long they are', async () => {
  const { db } = network.app.core;
  const many = `from generate_series(1, 20000) f`;
  await db.run(`insert into ban (fid, app_id, banned_at) select f, $1, now() - f * interval '1 second' ${many}`, [
    other.id,
  ]);
  await db.run(
    `insert into mute (fid, app_id, muted_fid, muted_at) select $1, $2, f, now() - f * interval '1 second' ${many}`,
    [FIDS.bob, other.id],
  );
  await db.run(`insert into account (fid, first_ts) select f, 1 ${many} on conflict do nothing`);
  await db.script('analyze ban; analyze mute; analyze account');
  const after = { at: (Date.now() - 5_000_000) * 1000, fid: 7 };
  const plans = await explainReads(db, async (watched) => {
    await selectBans(watched, other.id, after, 21);
    await selectMutes(watched, { fid: FIDS.bob, appId: other.id }, after, 21);
  });
  await db.run('delete from mute');
  expect(plans.map(({ name }) => name)).toEqual(['ban_by_app', 'mute_by_account']);
  expectIndexed(plans);
  for (const plan of plans.flatMap(({ custom, generic }) => [custom, generic])) {
    expect(planNodes(plan).map((node) => node['Node Type'])).not.toContain('Sort');
  }
});
