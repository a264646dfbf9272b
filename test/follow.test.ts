import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { author } from '../src/sample/author.js';
import { followKey } from '../src/store/query/follow.js';
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
  appId = (await network.sql<{ id: string }>('select id from app'))[0]?.id as string;
});
afterAll(() => network.stop());
beforeEach(async () => {
  await network.sql('delete from ban');
  await network.sql('delete from mute');
});

const { app, alice, bob, carol, dan, erin, frank, grace, heidi } = FIDS;
const ask = async (operationId: string, path: string): Promise<TestResponse> => {
  const answer = await network.get(path);
  if (contractAvailable) expect(validateAgainstContract(operationId, answer.status, answer.body)).toEqual([]);
  return answer;
};
const followers = (query: string) => ask('fetch-user-followers', `/v2/social/followers/?${query}`);
const following = (query: string) => ask('fetch-user-following', `/v2/social/following/?${query}`);
const reciprocal = (query: string) =>
  ask('fetch-user-reciprocal-followers', `/v2/social/followers/reciprocal/?${query}`);
const relevant = (query: string) => ask('fetch-relevant-followers', `/v2/social/followers/relevant/?${query}`);
const suggested = (query: string) => ask('fetch-follow-suggestions', `/v2/social/following/suggested/?${query}`);
const fidsOf = ({ body }: TestResponse): number[] =>
  body.users.map((entry: { fid?: number; user?: { fid: number } }) => entry.user?.fid ?? entry.fid);

/** Scores as the job would write them, from what a test wants. */
const score = async (scores: Record<number, number>): Promise<void> => {
  for (const [fid, value] of Object.entries(scores)) {
    await network.sql('update account set score = $2 where fid = $1', [Number(fid), value]);
  }
  await network.sql('insert into change (is_all) values (true)');
};
const ban = (fid: number) => network.sql('insert into ban (fid, app_id) values ($1, $2)', [fid, appId]);
const mute = (fid: number, muted: number) =>
  network.sql('insert into mute (fid, app_id, muted_fid) values ($1, $2, $3)', [fid, appId, muted]);

test('followers come newest first, each with the app that signed the follow', async () => {
  const { status, body } = await followers(`fid=${alice}`);
  expect(status).toBe(200);
  expect(body.next).toEqual({ cursor: null });
  expect(fidsOf({ body } as TestResponse)).toEqual([dan, carol, bob]);
  expect(body.users[0]).toMatchObject({
    object: 'follower',
    user: { object: 'user', fid: dan, username: 'dan' },
    app: { object: 'user_dehydrated', fid: app, username: 'app' },
  });
  expect(body.users[0].user.viewer_context).toBeUndefined();
});

test('following comes newest first, without whom the user no longer follows', async () => {
  const answer = await following(`fid=${alice}&viewer_fid=${dan}`);
  expect(fidsOf(answer)).toEqual([dan, bob]);
  expect(answer.body.users[0]).toMatchObject({ app: { fid: app } });
  expect(answer.body.users.map((one: { user: { viewer_context: object } }) => one.user.viewer_context)).toEqual([
    { following: false, followed_by: false, blocking: false, blocked_by: false },
    { following: false, followed_by: false, blocking: false, blocked_by: false },
  ]);
  expect(fidsOf(await following(`fid=${carol}`))).toEqual([alice]);
});

test('a follow signed with a key that nobody asked for has no app', async () => {
  const stray = author({ seed: SEED, fid: 700, clock: seeded.clock });
  await network.load([stray.register(), stray.rent(1)]);
  const items = [stray.follow(grace).item];
  await network.app.core.ingest.submit(items, { source: 'file', announce: false, trustSigners: true });
  expect((await followers(`fid=${grace}`)).body.users).toEqual([
    { object: 'follower', user: expect.objectContaining({ fid: 700 }) },
  ]);
  await network.sql('delete from link where fid = 700');
});

test('algorithmic ranks by score, then by time', async () => {
  await score({ [bob]: 0.3, [carol]: 0.9, [dan]: 0.3 });
  expect(fidsOf(await followers(`fid=${alice}&sort_type=algorithmic`))).toEqual([carol, dan, bob]);
  expect(fidsOf(await followers(`fid=${alice}&sort_type=desc_chron`))).toEqual([dan, carol, bob]);
  await score({ [bob]: 0.4 });
  expect(fidsOf(await following(`fid=${alice}&sort_type=algorithmic`))).toEqual([bob, dan]);
});

test('reciprocal: whom the user follows and who follows back, by score unless told otherwise', async () => {
  await score({ [bob]: 0.5, [dan]: 0.1 });
  const answer = await reciprocal(`fid=${alice}&viewer_fid=${bob}`);
  expect(fidsOf(answer)).toEqual([bob, dan]);
  expect(answer.body.users[0]).toMatchObject({
    object: 'reciprocal_follower',
    timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
    user: { fid: bob, viewer_context: { following: false } },
  });
  expect(fidsOf(await reciprocal(`fid=${alice}&sort_type=desc_chron`))).toEqual([dan, bob]);
  expect(fidsOf(await reciprocal(`fid=${carol}`))).toEqual([]);
  await seeded.send(seeded.alice.follow(carol));
  expect(fidsOf(await reciprocal(`fid=${carol}`))).toEqual([alice]);
  await seeded.send(seeded.alice.unfollow(carol));
  expect(fidsOf(await reciprocal(`fid=${carol}`))).toEqual([]);
});

test('banned, muted and blocked accounts are left out of every list', async () => {
  await ban(carol);
  expect(fidsOf(await followers(`fid=${alice}`))).toEqual([dan, bob]);
  expect(fidsOf(await followers(`fid=${alice}&sort_type=algorithmic`))).not.toContain(carol);
  await network.sql('delete from ban');
  await mute(grace, bob);
  expect(fidsOf(await followers(`fid=${alice}&viewer_fid=${grace}`))).toEqual([dan, carol]);
  expect(fidsOf(await followers(`fid=${alice}&viewer_fid=${heidi}`))).toEqual([dan, carol, bob]);
  await seeded.send(seeded.grace.link('block', dan), seeded.carol.link('block', grace));
  for (const [sort, list] of ['desc_chron', 'algorithmic'].flatMap((one) => [
    [one, followers] as const,
    [one, reciprocal] as const,
    [one, following] as const,
  ])) {
    expect(fidsOf(await list(`fid=${alice}&viewer_fid=${grace}&sort_type=${sort}`))).toEqual([]);
  }
  await seeded.send(seeded.grace.unlink('block', dan), seeded.carol.unlink('block', grace));
  expect(fidsOf(await followers(`fid=${alice}&viewer_fid=${grace}`))).toEqual([dan, carol]);
});

test('an unknown account has empty lists, and is listed by its fid where it is followed', async () => {
  for (const list of [followers, following, reciprocal, suggested]) {
    expect((await list('fid=99999')).body).toEqual({ next: { cursor: null }, users: [] });
  }
  expect((await relevant('target_fid=99999&viewer_fid=99998')).body).toEqual({
    top_relevant_followers_hydrated: [],
    all_relevant_followers_dehydrated: [],
  });
  await seeded.send(seeded.heidi.follow(777_777));
  expect(fidsOf(await following(`fid=${heidi}`))).toEqual([777_777]);
  expect(fidsOf(await following(`fid=${heidi}&sort_type=algorithmic`))).toEqual([777_777]);
  await seeded.send(seeded.heidi.unfollow(777_777));
});

test('relevant followers: followers of the target that the viewer follows, the best in full, all as faces', async () => {
  await seeded.send(seeded.erin.follow(bob), seeded.erin.follow(carol), seeded.erin.follow(grace));
  await score({ [bob]: 0.2, [carol]: 0.6 });
  const { status, body } = await relevant(`target_fid=${alice}&viewer_fid=${erin}`);
  expect(status).toBe(200);
  const fids = (entries: { user: { fid: number } }[]) => entries.map((entry) => entry.user.fid);
  expect(fids(body.top_relevant_followers_hydrated)).toEqual([carol, bob]);
  expect(fids(body.all_relevant_followers_dehydrated)).toEqual([carol, bob]);
  expect(body.top_relevant_followers_hydrated[0]).toMatchObject({
    object: 'follower',
    app: { fid: app },
    user: { object: 'user', fid: carol, viewer_context: { following: true, followed_by: false } },
  });
  expect(body.all_relevant_followers_dehydrated[0]).toEqual({
    object: 'follower_dehydrated',
    user: expect.objectContaining({ object: 'user_dehydrated', fid: carol, username: 'carol' }),
  });
  await mute(erin, carol);
  const muted = await relevant(`target_fid=${alice}&viewer_fid=${erin}`);
  expect(fids(muted.body.all_relevant_followers_dehydrated)).toEqual([bob]);
  expect(fids(muted.body.top_relevant_followers_hydrated)).toEqual([bob]);
});

test('relevant followers in full are ten at most, as faces all of them', async () => {
  const people = await crowd(800, 12);
  await seeded.send(...people.map((one) => one.follow(heidi)), ...people.map((one) => seeded.frank.follow(one.fid)));
  const { body } = await relevant(`target_fid=${heidi}&viewer_fid=${frank}`);
  expect(body.top_relevant_followers_hydrated).toHaveLength(10);
  expect(body.all_relevant_followers_dehydrated).toHaveLength(12);
  await seeded.send(
    ...people.map((one) => one.unfollow(heidi)),
    ...people.map((one) => seeded.frank.unfollow(one.fid)),
  );
});

test('suggestions: whom most of those follow that the user follows, then by score; not whom the user follows', async () => {
  const { alice: a, bob: b, dan: d } = seeded;
  await seeded.send(b.follow(heidi), b.follow(grace), b.follow(dan), d.follow(heidi), d.follow(carol), d.follow(grace));
  await seeded.send(b.follow(erin));
  await score({ [heidi]: 0.1, [grace]: 0.2, [carol]: 0.3, [erin]: 0.9 });
  // bob and dan both follow grace and heidi; one of them erin, one carol. alice herself and dan are left out.
  const answer = await suggested(`fid=${alice}&viewer_fid=${carol}`);
  expect(fidsOf(answer)).toEqual([grace, heidi, erin, carol]);
  expect(answer.body.users[0].viewer_context).toBeDefined();
  expect(fidsOf(await suggested(`fid=${alice}&limit=2`))).toEqual([grace, heidi]);
  await mute(carol, grace);
  expect(fidsOf(await suggested(`fid=${alice}&viewer_fid=${carol}`))).toEqual([heidi, erin, carol]);
  await seeded.send(a.link('block', heidi));
  expect(fidsOf(await suggested(`fid=${alice}`))).toEqual([grace, erin, carol]);
  await seeded.send(a.unlink('block', heidi), a.follow(erin));
  expect(fidsOf(await suggested(`fid=${alice}`))).not.toContain(erin);
  await seeded.send(a.unfollow(erin));
});

/** Registered accounts without names. */
const crowd = async (firstFid: number, count: number) => {
  const people = Array.from({ length: count }, (_, n) =>
    author({ seed: SEED, fid: firstFid + n, clock: seeded.clock }),
  );
  const requester = { fid: app, wallet: seeded.app.custody };
  for (const one of people) {
    expect((await network.load([one.register(), one.rent(1), await one.addSigner({ requester })])).invalid).toEqual({});
  }
  return people;
};

test('every follower is seen once while others come and go, in both orders', async () => {
  const people = await crowd(900, 12);
  const target = 950;
  const start = seeded.clock.tick(1000);
  const rows = people.map((_, row) => row);
  await score(Object.fromEntries(people.map((one, row) => [one.fid, ((row * 7) % 4) / 10])));
  // Rows of the list itself: a follow that comes back by a message would have another time, so another place.
  const hashOf = (row: number) => Buffer.alloc(20, row + 1);
  const insert = (some: readonly number[]) =>
    network.sql(
      `insert into link (target_fid, type, ts, hash, fid)
       select $1, 1, t.ts, t.hash, t.fid from unnest($2::integer[], $3::bytea[], $4::bigint[]) as t(ts, hash, fid)`,
      [target, some.map((row) => start - (row >> 1)), some.map(hashOf), some.map((row) => people[row]?.fid as number)],
    );
  const remove = (some: readonly number[]) =>
    network.sql('delete from link where target_fid = $1 and hash = any($2::bytea[])', [target, some.map(hashOf)]);
  const list = { rows: rows.length, key: (row: number) => String(people[row]?.fid), insert, remove };
  for (const sort of ['desc_chron', 'algorithmic']) {
    const path = `/v2/social/followers/?fid=${target}&sort_type=${sort}`;
    const page = pageOverHttp(network.get, path, (body) => fidsOf({ body } as TestResponse).map(String));
    await checkPaging({ ...list, page });
  }
});

test('everybody followed is seen once while the account follows and unfollows, and so is who follows back', async () => {
  const people = await crowd(960, 10);
  const account = 990;
  const start = seeded.clock.tick(1000);
  await score(Object.fromEntries(people.map((one, row) => [one.fid, ((row * 3) % 4) / 10])));
  await network.load(people.map((one) => one.follow(account).item));
  const keys = (some: readonly number[]) => some.map((row) => Buffer.from(followKey(people[row]?.fid as number)));
  const insert = (some: readonly number[]) =>
    network.sql(
      `insert into message (fid, message_set, key, type, subtype, ts, hash, signer, signature, data, target_fid)
       select $1, 3, t.key, 5, 1, t.ts, t.hash, '', '', '', t.fid
         from unnest($2::bytea[], $3::integer[], $4::bytea[], $5::bigint[]) as t(key, ts, hash, fid)`,
      [
        account,
        keys(some),
        some.map((row) => start - (row >> 1)),
        some.map((row) => Buffer.alloc(20, row + 1)),
        some.map((row) => people[row]?.fid as number),
      ],
    );
  const remove = (some: readonly number[]) =>
    network.sql('delete from message where fid = $1 and message_set = 3 and key = any($2::bytea[])', [
      account,
      keys(some),
    ]);
  const list = { rows: people.length, key: (row: number) => String(people[row]?.fid), insert, remove, runs: 5 };
  for (const path of ['following', 'followers/reciprocal']) {
    for (const sort of ['desc_chron', 'algorithmic']) {
      const url = `/v2/social/${path}/?fid=${account}&sort_type=${sort}`;
      const page = pageOverHttp(network.get, url, (body) => fidsOf({ body } as TestResponse).map(String));
      await checkPaging({ ...list, page });
    }
  }
});

test('what is asked wrongly is refused with the member at fault', async () => {
  const first = await followers(`fid=${alice}&limit=1`);
  const { cursor } = first.body.next;
  expect(fidsOf(await followers(`fid=${alice}&limit=2&cursor=${cursor}`))).toEqual([carol, bob]);
  const altered = `${cursor.slice(0, 20)}${cursor[20] === 'A' ? 'B' : 'A'}${cursor.slice(21)}`;
  const bad: [TestResponse, string][] = [
    [await followers(''), 'fid'],
    [await followers('fid=0'), 'fid'],
    [await followers('fid=x'), 'fid'],
    [await followers('fid=99999999999999999999'), 'fid'],
    [await followers(`fid=${alice}&viewer_fid=0`), 'viewer_fid'],
    [await followers(`fid=${alice}&limit=0`), 'limit'],
    [await followers(`fid=${alice}&limit=101`), 'limit'],
    [await followers(`fid=${alice}&sort_type=best`), 'sort_type'],
    [await followers(`fid=${alice}&cursor=${altered}`), 'cursor'],
    [await followers(`fid=${bob}&cursor=${cursor}`), 'cursor'],
    [await followers(`fid=${alice}&viewer_fid=${bob}&cursor=${cursor}`), 'cursor'],
    [await followers(`fid=${alice}&sort_type=algorithmic&cursor=${cursor}`), 'cursor'],
    [await following(`fid=${alice}&cursor=${cursor}`), 'cursor'],
    [await reciprocal(`fid=${alice}&sort_type=x`), 'sort_type'],
    [await relevant(`target_fid=${alice}`), 'viewer_fid'],
    [await relevant(`target_fid=0&viewer_fid=${bob}`), 'target_fid'],
    [await suggested('fid=-1'), 'fid'],
    [await suggested(`fid=${alice}&viewer_fid=0`), 'viewer_fid'],
  ];
  for (const [{ status, body }, property] of bad) {
    expect({ status, property: body.property }).toEqual({ status: 400, property });
  }
});
