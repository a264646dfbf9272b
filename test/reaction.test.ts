import { afterAll, beforeAll, expect, test } from 'vitest';
import { fromUnixMs } from '../src/protocol/time.js';
import type { Signed } from '../src/sample/signed-message.js';
import { selectReactionsByCast, selectReactionsByUser } from '../src/store/query/reaction.js';
import { contractAvailable, validateAgainstContract } from './support/contract.js';
import { type Network, startNetwork, type TestResponse } from './support/network.js';
import { checkPaging, pageOverHttp } from './support/paging.js';
import { expectIndexed, explainReads } from './support/plan.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';

let network: Network;
let seeded: Seeded;
let appId: string;
beforeAll(async () => {
  network = await startNetwork();
  seeded = await seedBasics(async (items) => expect((await network.load(items)).invalid).toEqual({}));
  [{ id: appId }] = (await network.sql<{ id: string }>('select app_id as id from api_key limit 1')) as [{ id: string }];
});
afterAll(() => network.stop());

const hashOf = (cast: Signed): string => `0x${Buffer.from(cast.hash).toString('hex')}`;
const ask = async (operationId: string, path: string): Promise<TestResponse> => {
  const answer = await network.get(path);
  if (contractAvailable) expect(validateAgainstContract(operationId, answer.status, answer.body)).toEqual([]);
  return answer;
};
const ofUser = (query: string): Promise<TestResponse> =>
  ask('fetch-user-reactions', `/v2/social/reactions/user/?${query}`);
const ofCast = (query: string): Promise<TestResponse> =>
  ask('fetch-cast-reactions', `/v2/social/reactions/cast/?${query}`);
const run = (sql: string, params: (string | number)[] = []) => network.sql(sql, params);

type Item = { reaction_type: string; cast: { hash: string }; user: { fid: number } };
const castsOf = ({ body }: TestResponse): string[] =>
  body.reactions.map(({ reaction_type, cast }: Item) => `${reaction_type} ${cast.hash}`);
const usersOf = ({ body }: TestResponse): number[] => body.reactions.map(({ user }: Item) => user.fid);

test('what a user reacted to comes newest first, each with the full cast', async () => {
  const { hello, quote } = seeded.casts;
  const dan = await ofUser(`fid=${FIDS.dan}&type=all`);
  expect(castsOf(dan)).toEqual([`like ${hashOf(quote)}`, `like ${hashOf(hello)}`]);
  expect(dan.body.next).toEqual({ cursor: null });
  expect(dan.body.reactions[1]).toMatchObject({
    object: 'likes',
    reaction_type: 'like',
    reaction_timestamp: expect.stringMatching(/Z$/),
    user: { object: 'user_dehydrated', fid: FIDS.dan, username: 'dan' },
    app: { object: 'user_dehydrated', fid: FIDS.app, username: 'app' },
    cast: {
      object: 'cast',
      hash: hashOf(hello),
      author: { object: 'user', fid: FIDS.alice },
      reactions: { likes_count: 3 },
    },
  });
  expect(dan.body.reactions[1].cast.viewer_context).toBeUndefined();
});

test('the type chooses likes, recasts or both', async () => {
  const hello = hashOf(seeded.casts.hello);
  expect(castsOf(await ofUser(`fid=${FIDS.carol}&type=likes`))).toEqual([`like ${hello}`]);
  expect(castsOf(await ofUser(`fid=${FIDS.carol}&type=recasts`))).toEqual([`recast ${hello}`]);
  expect(castsOf(await ofUser(`fid=${FIDS.carol}&type=all`))).toEqual([`recast ${hello}`, `like ${hello}`]);
});

test('reactions to URLs, to absent casts and those taken back do not fill a page', async () => {
  const { erin } = seeded;
  const gone = seeded.grace.cast({ text: 'soon gone' });
  await seeded.send(
    gone,
    erin.react('like', gone),
    erin.react('like', 'https://news.example/beans'),
    erin.react('recast', { fid: FIDS.bob, hash: Buffer.alloc(20, 7) }),
    erin.react('like', seeded.casts.channel),
    erin.unreact('like', seeded.casts.channel),
    seeded.grace.removeCast(gone.hash),
  );
  const { body } = await ofUser(`fid=${FIDS.erin}&type=all&limit=1`);
  expect(castsOf({ body } as TestResponse)).toEqual([`like ${hashOf(seeded.casts.hello)}`]);
  expect(body.next.cursor).toBeNull();
  // bob took his only like back
  expect(castsOf(await ofUser(`fid=${FIDS.bob}&type=all`))).toEqual([]);
});

test('nobody and unknown fids have no reactions', async () => {
  for (const fid of [0, 4_242]) {
    expect(await ofUser(`fid=${fid}&type=all`)).toMatchObject({
      status: 200,
      body: { reactions: [], next: { cursor: null } },
    });
  }
});

test('a viewer sees their own standing and no casts of hidden authors', async () => {
  const query = `fid=${FIDS.dan}&type=all&viewer_fid=${FIDS.carol}`;
  const seen = await ofUser(query);
  const hello = seen.body.reactions.at(-1).cast;
  expect(hello.viewer_context).toEqual({ liked: true, recasted: true });
  expect(hello.author.viewer_context).toMatchObject({ following: true });
  await run('insert into mute (fid, app_id, muted_fid) values ($1, $2, $3)', [FIDS.carol, appId, FIDS.alice]);
  expect(castsOf(await ofUser(query))).toEqual([`like ${hashOf(seeded.casts.quote)}`]);
  // Another viewer is not touched by it.
  expect(castsOf(await ofUser(`fid=${FIDS.dan}&type=all&viewer_fid=${FIDS.bob}`))).toHaveLength(2);
  await run('delete from mute');
  await run('insert into ban (fid, app_id) values ($1, $2)', [FIDS.alice, appId]);
  expect(castsOf(await ofUser(`fid=${FIDS.dan}&type=all`))).toEqual([`like ${hashOf(seeded.casts.quote)}`]);
  await run('delete from ban');
  await run('insert into ban (fid, app_id) values ($1, $2)', [FIDS.dan, appId]);
  expect(castsOf(await ofUser(`fid=${FIDS.dan}&type=all`))).toEqual([]);
  await run('delete from ban');
});

test('who reacted to a cast comes newest first', async () => {
  const { hello } = seeded.casts;
  const all = await ofCast(`hash=${hashOf(hello)}&types=all`);
  expect(usersOf(all)).toEqual([FIDS.carol, FIDS.erin, FIDS.dan, FIDS.carol]);
  expect(all.body.reactions[0]).toMatchObject({
    object: 'recasts',
    reaction_type: 'recast',
    app: { fid: FIDS.app },
    user: { object: 'user', fid: FIDS.carol },
  });
  expect(
    usersOf(await ofCast(`hash=${Buffer.from(hello.hash).toString('hex').toUpperCase()}&types=likes`)),
  ).toHaveLength(3);
  expect(usersOf(await ofCast(`hash=${hashOf(hello)}&types=likes,recasts`))).toHaveLength(4);
  expect(usersOf(await ofCast(`hash=0x${'9'.repeat(40)}&types=all`))).toEqual([]);
});

test('reactions of those a block stands between are left out', async () => {
  const { hello } = seeded.casts;
  await seeded.send(seeded.frank.react('like', hello));
  const likes = (more: string) => ofCast(`hash=${hashOf(hello)}&types=likes${more}`);
  expect(usersOf(await likes(''))).toContain(FIDS.frank);
  // erin blocks frank
  expect(usersOf(await likes(`&viewer_fid=${FIDS.erin}`))).toEqual([FIDS.erin, FIDS.dan, FIDS.carol]);
  expect(usersOf(await likes(`&viewer_fid=${FIDS.frank}`))).toEqual([FIDS.frank, FIDS.dan, FIDS.carol]);
  await seeded.send(seeded.frank.unreact('like', hello));
});

test.each([
  ['fid=-1&type=all', 'fid'],
  ['fid=2', 'type'],
  ['fid=2&type=loves', 'type'],
  ['fid=2&type=all&limit=0', 'limit'],
  ['fid=2&type=all&limit=101', 'limit'],
  ['fid=2&type=all&viewer_fid=0', 'viewer_fid'],
  ['fid=2&type=all&cursor=AAAA', 'cursor'],
])('bad input names what is wrong: %s', async (query, property) => {
  expect(await ofUser(query)).toMatchObject({ status: 400, body: { property } });
});

test.each([
  ['hash=0x12&types=all', 'hash'],
  [`hash=0x${'1'.repeat(40)}`, 'types'],
  [`hash=0x${'1'.repeat(40)}&types=all,loves`, 'types'],
  [`hash=0x${'1'.repeat(40)}&types=all&limit=101`, 'limit'],
])('bad input names what is wrong: %s', async (query, property) => {
  expect(await ofCast(query)).toMatchObject({ status: 400, body: { property: expect.stringContaining(property) } });
});

test('a cursor fits its own list alone', async () => {
  const { body } = await ofUser(`fid=${FIDS.dan}&type=all&limit=1`);
  const cursor = body.next.cursor as string;
  const altered = `${cursor.slice(0, 30)}${cursor[30] === 'A' ? 'B' : 'A'}${cursor.slice(31)}`;
  const next = await ofUser(`fid=${FIDS.dan}&type=all&limit=5&cursor=${cursor}`);
  expect(castsOf(next)).toEqual([`like ${hashOf(seeded.casts.hello)}`]);
  for (const query of [
    `fid=${FIDS.carol}&type=all&cursor=${cursor}`,
    `fid=${FIDS.dan}&type=likes&cursor=${cursor}`,
    `fid=${FIDS.dan}&type=all&viewer_fid=2&cursor=${cursor}`,
    `fid=${FIDS.dan}&type=all&cursor=${altered}`,
  ]) {
    expect(await ofUser(query)).toMatchObject({ status: 400, body: { property: 'cursor' } });
  }
  const other = await ofCast(`hash=${hashOf(seeded.casts.hello)}&types=all&cursor=${cursor}`);
  expect(other).toMatchObject({ status: 400, body: { property: 'cursor' } });
});

test('what is newer than the first page stays out of it and of later ones', async () => {
  const { carol, casts } = seeded;
  const ahead = fromUnixMs(Date.now()) + 300;
  await seeded.send(carol.react('like', casts.emoji, ahead));
  const first = await ofUser(`fid=${FIDS.carol}&type=all&limit=1`);
  expect(castsOf(first)).toEqual([`recast ${hashOf(casts.hello)}`]);
  const rest = await ofUser(`fid=${FIDS.carol}&type=all&limit=5&cursor=${first.body.next.cursor}`);
  expect(castsOf(rest)).toEqual([`like ${hashOf(casts.hello)}`]);
  await seeded.send(carol.unreact('like', casts.emoji, ahead + 1));
});

test('every reaction is seen once while others come and go', async () => {
  const { heidi, grace } = seeded;
  const casts = Array.from({ length: 12 }, (_, n) => grace.cast({ text: `cast ${n}` }));
  await seeded.send(...casts);
  const reactions = casts.map((cast, n) => heidi.react(n % 3 === 0 ? 'recast' : 'like', cast));
  await seeded.send(...reactions);
  // The same message cannot come back through ingest once it was taken back, so its rows are put in and out directly.
  await run('create schema scratch');
  await run('create table scratch.held as select * from message where fid = $1 and type = 3', [FIDS.heidi]);
  await run('delete from message where fid = $1 and type = 3', [FIDS.heidi]);
  const hashes = (which: readonly number[]) => which.map((n) => Buffer.from(reactions[n]?.hash ?? []));
  await checkPaging({
    rows: 12,
    key: (n) => hashOf(casts[n] as Signed),
    order: [...casts.keys()].reverse(),
    insert: (which) =>
      network.sql('insert into message select * from scratch.held where hash = any($1)', [hashes(which)]),
    remove: (which) => network.sql('delete from message where hash = any($1)', [hashes(which)]),
    page: pageOverHttp(network.get, `/v2/social/reactions/user/?fid=${FIDS.heidi}&type=all`, (body) =>
      body.reactions.map((one: Item) => one.cast.hash),
    ),
  });
  await run('drop schema scratch cascade');
});

test('pages are read through indexes', async () => {
  const { services } = network.app;
  const page = { types: [1, 2], horizon: 2_000_000_000, after: undefined, limit: 26 };
  const audience = { appId, viewer: FIDS.carol };
  const plans = await explainReads(
    services.db,
    async (watched) => {
      await selectReactionsByUser(watched, FIDS.dan, page, audience);
      await selectReactionsByCast(watched, '1'.repeat(40), page, audience);
    },
    { fewRows: true },
  );
  expectIndexed(plans);
});
