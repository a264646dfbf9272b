import { UserDataType } from '@farcaster/core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { fromUnixMs } from '../src/protocol/time.js';
import { author } from '../src/sample/author.js';
import { contractAvailable, validateAgainstContract } from './support/contract.js';
import { type Network, startNetwork, type TestResponse } from './support/network.js';
import { checkPaging, pageOverHttp } from './support/paging.js';
import { FIDS, SEED, type Seeded, seedBasics } from './support/seed.js';

let network: Network;
let seeded: Seeded;
let appId: string;

beforeAll(async () => {
  network = await startNetwork();
  seeded = await seedBasics(async (items) => {
    expect((await network.load(items)).invalid).toEqual({});
  });
  appId = (await network.app.core.db.run<{ id: string }>('select id from app'))[0]?.id as string;
});
afterAll(() => network.stop());
beforeEach(async () => {
  await network.app.core.db.run('delete from ban');
  await network.app.core.db.run('delete from mute');
});

const { app, alice, bob, carol, dan, erin, frank, grace } = FIDS;
const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;
const ask = async (operationId: string, path: string): Promise<TestResponse> => {
  const answer = await network.get(path);
  if (contractAvailable) expect(validateAgainstContract(operationId, answer.status, answer.body)).toEqual([]);
  return answer;
};
const search = (q: string, more = '') =>
  ask('search-user', `/v2/social/user/search/?q=${encodeURIComponent(q)}${more}`);
const verifications = (query: string) => ask('fetch-verifications', `/v2/social/user/verifications/?${query}`);
const friends = (query: string) => ask('get-user-best-friends', `/v2/social/user/best_friends/?${query}`);
const byX = (name: string, more = '') =>
  ask('lookup-users-by-x-username', `/v2/social/user/by_x_username/?x_username=${encodeURIComponent(name)}${more}`);
const fidsOf = (users: { fid: number }[]): number[] => users.map((user) => user.fid);
const found = async (q: string, more = ''): Promise<number[]> => fidsOf((await search(q, more)).body.result.users);
const ban = (fid: number) => network.app.core.db.run('insert into ban (fid, app_id) values ($1, $2)', [fid, appId]);
const mute = (fid: number, muted: number) =>
  network.app.core.db.run('insert into mute (fid, app_id, muted_fid) values ($1, $2, $3)', [fid, appId, muted]);

/** Accounts as they stand in the store, for names and scores that a test chooses; nobody else sees them afterwards. */
const FIRST = 5000;
const insertUsers = (people: readonly { fid: number; username: string | null; display?: string; score: number }[]) =>
  network.app.core.db.run(
    `insert into account (fid, first_ts, username, display_name, score)
     select t.fid, 1, t.username, t.display_name, t.score
       from unnest($1::bigint[], $2::text[], $3::text[], $4::real[]) as t(fid, username, display_name, score)`,
    [
      people.map((one) => one.fid),
      people.map((one) => one.username),
      people.map((one) => one.display ?? null),
      people.map((one) => one.score),
    ],
  );
const removeUsers = async (): Promise<void> => {
  await network.app.core.db.run('delete from account where fid >= $1', [FIRST]);
  await network.app.core.db.run('insert into change (is_all) values (true)');
};

test('search: the very name first, then names that begin so by score, then names that are like it', async () => {
  await insertUsers([
    { fid: 5001, username: 'garden', score: 0.1 },
    { fid: 5002, username: 'gardener', score: 0.4 },
    { fid: 5003, username: 'gardens.eth', score: 0.8 },
    { fid: 5004, username: 'the-garden', score: 0.9 },
    { fid: 5005, username: 'xyz', display: 'My Gardening club', score: 0.9 },
    { fid: 5006, username: 'gadren', score: 0.9 },
    { fid: 5007, username: 'unrelated', score: 0.9 },
  ]);
  const { status, body } = await search('garden', '&limit=10');
  expect(status).toBe(200);
  const fids = fidsOf(body.result.users);
  expect(fids.slice(0, 3)).toEqual([5001, 5003, 5002]);
  expect(fids.slice(3)).toEqual(expect.arrayContaining([5004, 5005]));
  expect(fids).not.toContain(5007);
  expect(body.result.next).toEqual({ cursor: null });
  expect(await found('GARDEN', '&limit=2')).toEqual([5001, 5003]);
  expect(await found('@gard', '&limit=3')).toEqual([5003, 5002, 5001]);
  expect((await found('gardneer', '&limit=10'))[0]).toBe(5002);
  await removeUsers();
});

test('search: a number is a fid, and may begin a name', async () => {
  await insertUsers([
    { fid: 5001, username: '2pac', score: 0.9 },
    { fid: 5002, username: null, score: 0.1 },
  ]);
  expect(await found(String(alice))).toEqual([alice, 5001]);
  expect(await found('!5002')).toEqual([5002]);
  expect(await found('5002')).toEqual([5002]);
  expect(await found('99999')).toEqual([]);
  expect(await found('999999999999999')).toEqual([]);
  expect(await found('99999999999999999999')).toEqual([]);
  await removeUsers();
});

test('search: display names in other scripts, and characters that mean something to SQL, are mere text', async () => {
  await insertUsers([
    { fid: 5001, username: 'a_b', display: '100% real', score: 0.5 },
    { fid: 5002, username: 'axb', display: 'Ünïcödé ñame', score: 0.5 },
  ]);
  expect(await found('a_b')).toEqual([5001]);
  expect(await found('ünïcödé')).toEqual([5002]);
  for (const q of ['%', '_', '\\', "'", '100%', "x'; drop table account", '🌱', '🌱🌱🌱🌱', '写真', '   a  ']) {
    expect((await search(q)).status).toBe(200);
  }
  expect(await found('%')).toEqual([]);
  expect(await found('100%')).toEqual([5001]);
  await removeUsers();
});

test('search leaves out whom app and viewer do not see, and shows how the viewer stands to the others', async () => {
  expect(await found('bob')).toEqual([bob]);
  await ban(bob);
  expect(await found('bob')).toEqual([]);
  await mute(alice, carol);
  expect(await found('carol')).toEqual([carol]);
  expect(await found('carol', `&viewer_fid=${alice}`)).toEqual([]);
  // erin blocks frank.
  expect(await found('erin', `&viewer_fid=${frank}`)).toEqual([]);
  const { body } = await search('dan', `&viewer_fid=${alice}`);
  expect(body.result.users[0].viewer_context).toMatchObject({ following: true, followed_by: true });
});

test('search: everybody is seen once while others come and go', async () => {
  const people = Array.from({ length: 14 }, (_, row) => ({
    fid: FIRST + row,
    username: row < 8 ? `paging${'abcdefgh'[row]}` : `my-paging${row}`,
    score: (row % 3) / 10,
  }));
  await checkPaging({
    rows: people.length,
    key: (row) => String(FIRST + row),
    insert: (rows) => insertUsers(rows.map((row) => people[row] as (typeof people)[number])),
    remove: (rows) =>
      network.app.core.db.run('delete from account where fid = any($1::bigint[])', [rows.map((row) => FIRST + row)]),
    page: pageOverHttp(
      async (path) => {
        // Rows that tests put in by hand tell nobody.
        await network.app.core.db.run('insert into change (is_all) values (true)');
        const answer = await network.get(path);
        return { ...answer, body: answer.body.result ?? answer.body };
      },
      '/v2/social/user/search/?q=paging',
      (body) => fidsOf(body.users).map(String),
    ),
  });
});

test('verifications: both chains, oldest first, with the app that each was added through', async () => {
  await seeded.send(await seeded.bob.verifyEthereum(seeded.bob.wallet(2)));
  const { status, body } = await verifications(`fid=${bob}`);
  expect(status).toBe(200);
  const one = { object: 'verification', app: { object: 'user_dehydrated', fid: app, username: 'app' } };
  expect(body.verifications).toMatchObject([
    { ...one, protocol: 'solana', address: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/) },
    { ...one, protocol: 'evm', address: hex(seeded.bob.wallet(2).address) },
  ]);
  expect(body.verifications[0].verified_at).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  for (const fid of [0, carol, 99999]) expect((await verifications(`fid=${fid}`)).body).toEqual({ verifications: [] });
  await seeded.send(seeded.bob.removeVerification(0, seeded.bob.wallet(2).address));
  expect((await verifications(`fid=${bob}`)).body.verifications).toHaveLength(1);
});

test('a verification signed with a key that nobody asked for has no app', async () => {
  const stray = author({ seed: SEED, fid: 700, clock: seeded.clock });
  const items = [(await stray.verifyEthereum(stray.wallet(1))).item];
  await network.app.core.ingest.submit(items, { source: 'file', announce: false, trustSigners: true });
  const { body } = await verifications('fid=700');
  expect(body.verifications).toHaveLength(1);
  expect(body.verifications[0].app).toBeUndefined();
});

test('best friends: what both sides did counts, the closest first', async () => {
  const { hello, reply, quote } = seeded.casts;
  // Seeded: alice mentioned bob; bob replied to her. carol and dan reacted to alice, who never answered carol.
  // dan mentioned alice; she likes a cast of his.
  await seeded.send(seeded.alice.react('like', quote));
  const { status, body } = await friends(`fid=${alice}&limit=10`);
  expect(status).toBe(200);
  // bob: out 2 (mention), in 3 (reply). dan: out 1 (like), in 1 (like) + 2 (mention).
  expect(body).toEqual({
    users: [
      { fid: bob, mutual_affinity_score: 2.4495, username: 'bob' },
      { fid: dan, mutual_affinity_score: 1.7321, username: 'dan' },
    ],
    next: { cursor: null },
  });
  await seeded.send(seeded.alice.react('recast', quote), seeded.bob.react('recast', hello));
  // bob: sqrt(2 * 5); dan: sqrt(3 * 3).
  expect((await friends(`fid=${alice}`)).body.users).toMatchObject([
    { fid: bob, mutual_affinity_score: 3.1623 },
    { fid: dan, mutual_affinity_score: 3 },
  ]);
  // carol replied to bob and he answers.
  await seeded.send(
    seeded.bob.cast({ text: 'You get two', parent: seeded.casts.deepReply }),
    seeded.dan.react('like', reply),
  );
  expect(fidsOf((await friends(`fid=${carol}`)).body.users)).toEqual([bob]);
  await mute(alice, bob);
  await ban(dan);
  expect((await friends(`fid=${alice}`)).body.users).toEqual([]);
  expect((await friends('fid=99999')).body).toEqual({ users: [], next: { cursor: null } });
});

test('best friends come in pages, as they were at the first', async () => {
  const first = await friends(`fid=${alice}&limit=1`);
  expect(fidsOf(first.body.users)).toEqual([bob]);
  const cursor = first.body.next.cursor;
  const second = await friends(`fid=${alice}&limit=1&cursor=${cursor}`);
  expect(fidsOf(second.body.users)).toEqual([dan]);
  expect(second.body.next).toEqual({ cursor: null });
  const later = fromUnixMs(Date.now()) + 60;
  const answer = seeded.erin.cast({ text: 'Hear, hear', parent: seeded.casts.hello, at: later });
  await seeded.send(answer, seeded.alice.react('like', answer, later));
  expect((await friends(`fid=${alice}&limit=5&cursor=${cursor}`)).body.users).toEqual(second.body.users);
});

test('by the name on platform x: in any case, the higher score first, 404 for nobody', async () => {
  const set = (who: 'erin' | 'grace', name: string) => seeded[who].userData(UserDataType.TWITTER, name);
  await seeded.send(set('erin', 'on_air'), set('grace', 'on_air'));
  const { db } = network.app.core;
  await db.run('update account set score = 0.2 where fid = $1', [erin]);
  await db.run('update account set score = 0.4 where fid = $1', [grace]);
  for (const name of ['on_air', 'ON_AIR', '@on_air']) {
    const { status, body } = await byX(name);
    expect([status, fidsOf(body.users)]).toEqual([200, [grace, erin]]);
  }
  const { body } = await byX('on_air', `&viewer_fid=${frank}`);
  // erin blocks frank.
  expect(fidsOf(body.users)).toEqual([grace]);
  expect(body.users[0].viewer_context).toBeDefined();
  await ban(grace);
  expect(await byX('on_air', `&viewer_fid=${frank}`)).toMatchObject({
    status: 404,
    body: { code: 'NotFound', property: 'x_username' },
  });
  for (const name of ['nobody', '@', '', '%']) expect((await byX(name)).status).toBe(404);
});

test('what is asked wrongly is refused with the member at fault', async () => {
  await insertUsers(['zulu1', 'zulu2', 'zulu3'].map((username, n) => ({ fid: FIRST + n, username, score: 0.5 })));
  const { cursor } = (await search('zulu', '&limit=1')).body.result.next;
  expect(await found('@Zulu', `&limit=2&cursor=${cursor}`)).toEqual([FIRST + 1, FIRST + 2]);
  const altered = `${cursor.slice(0, 20)}${cursor[20] === 'A' ? 'B' : 'A'}${cursor.slice(21)}`;
  const bad: [TestResponse, string][] = [
    [await ask('search-user', '/v2/social/user/search/'), 'q'],
    [await search(''), 'q'],
    [await search('@'), 'q'],
    [await search('x'.repeat(101)), 'q'],
    [await search('a\0'), 'q'],
    [await search('a', '&limit=0'), 'limit'],
    [await search('a', '&limit=11'), 'limit'],
    [await search('a', '&viewer_fid=0'), 'viewer_fid'],
    [await search('a', `&cursor=${cursor}`), 'cursor'],
    [await search('zulu', `&cursor=${altered}`), 'cursor'],
    [await search('zulu', `&viewer_fid=${bob}&cursor=${cursor}`), 'cursor'],
    [await verifications(''), 'fid'],
    [await verifications('fid=-1'), 'fid'],
    [await verifications('fid=99999999999999999999'), 'fid'],
    [await byX('a', '&viewer_fid=0'), 'viewer_fid'],
  ];
  for (const [{ status, body }, property] of bad) {
    expect({ status, property: body.property }).toEqual({ status: 400, property });
  }
  const invalid: [TestResponse, string][] = [
    [await friends(''), 'fid'],
    [await friends('fid=0'), 'fid'],
    [await friends(`fid=${alice}&limit=0`), 'limit'],
    [await friends(`fid=${alice}&limit=101`), 'limit'],
    [await friends(`fid=${alice}&cursor=${cursor}`), 'cursor'],
  ];
  for (const [{ status, body }, property] of invalid) {
    expect({ status, path: body.errors[0].path }).toEqual({ status: 400, path: [property] });
  }
  await removeUsers();
});
