import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Signed } from '../src/sample/signed-message.js';
import { INVALIDATE_ALL } from '../src/store/change.js';
import { storeChannels } from './support/channel.js';
import { type Network, startNetwork, type TestResponse } from './support/network.js';
import { checkPaging, type PagedList, pageOverHttp } from './support/paging.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';

/** What every list must do while rows come and go between its pages; lists with tests of their own are not here. */

const PLACE = 'https://paging.example/place';
const ROWS = 12;

let network: Network;
let seeded: Seeded;
let quoted: Signed;
let root: Signed;
/** Casts in one place that embed, quote and mention; two of them at each second. */
let casts: Signed[];
let replies: Signed[];
/** Likes and recasts of `root`, by all but its author. */
let reactions: Signed[];

const run = (sql: string, params: unknown[] = []) => network.app.core.db.run(sql, params as never);
const hex = ({ hash }: Signed): string => `0x${Buffer.from(hash).toString('hex')}`;

/** Tables whose rows stand and fall with the message of their hash. */
const TABLES = ['message', '"cast"', 'cast_reply', 'cast_mention', 'cast_quote', 'reaction'];

beforeAll(async () => {
  network = await startNetwork();
  seeded = await seedBasics((items) => network.load(items));
  const { alice, bob, carol, dan, erin, frank, grace, heidi, app, clock } = seeded;
  root = heidi.cast({ text: 'What is the best soil?' });
  quoted = heidi.cast({ text: 'Peat is not' });
  await seeded.send(root, quoted, frank.follow(grace.fid));
  await storeChannels(network.app.core.db, [{ id: 'paging', parentUrl: PLACE }]);
  const start = clock.tick(100);
  const rows = Array.from({ length: ROWS }, (_, n) => n);
  casts = rows.map((n) =>
    grace.cast({
      text: [`pagination ${n} `, heidi.fid],
      parent: PLACE,
      embeds: ['https://paging.example/soil.png', quoted],
      at: start + (n >> 1),
    }),
  );
  replies = rows.map((n) => erin.cast({ text: `Clay, ${n}`, parent: root, at: start + 50 + (n >> 1) }));
  const all = [alice, bob, carol, dan, erin, frank, grace, app];
  reactions = all.flatMap((who, n) => [
    who.react('like', root, start + 70 + (n >> 1)),
    who.react('recast', root, start + 70 + (n >> 1)),
  ]);
  const messages = [...casts, ...replies, ...reactions];
  expect((await network.load(messages.map(({ item }) => item))).invalid).toEqual({});
  clock.tick(100);
  // A message that was taken back cannot come again through ingest, so its rows are put in and out by hand.
  const hashes = messages.map(({ hash }) => Buffer.from(hash));
  await run('create schema scratch');
  for (const table of TABLES) {
    await run(`create table scratch.${table} as select * from ${table} where hash = any($1::bytea[])`, [hashes]);
    await run(`delete from ${table} where hash = any($1::bytea[])`, [hashes]);
  }
  network.app.invalidate(INVALIDATE_ALL);
});
afterAll(() => network.stop());

const change = async (messages: readonly Signed[], statementOf: (table: string) => string): Promise<void> => {
  const hashes = messages.map(({ hash }) => Buffer.from(hash));
  for (const table of TABLES) await run(statementOf(table), [hashes]);
  // What is put in by hand tells nobody.
  network.app.invalidate(INVALIDATE_ALL);
};

const byTime = (messages: readonly Signed[]): number[] =>
  [...messages.keys()].sort((a, b) => {
    const [one, two] = [messages[a] as Signed, messages[b] as Signed];
    return two.timestamp - one.timestamp || Buffer.compare(two.hash, one.hash);
  });

const listOf = (messages: readonly Signed[], page: PagedList['page'], order?: readonly number[]): PagedList => {
  const chosen = (rows: readonly number[]) => rows.map((row) => messages[row] as Signed);
  return {
    rows: messages.length,
    key: (row) => hex(messages[row] as Signed),
    insert: (rows) =>
      change(
        chosen(rows),
        (table) => `insert into ${table} select * from scratch.${table} where hash = any($1::bytea[])`,
      ),
    remove: (rows) => change(chosen(rows), (table) => `delete from ${table} where hash = any($1::bytea[])`),
    page,
    ...(order ? { order } : {}),
    runs: 5,
  };
};

type Casts = { hash: string }[];
const hashesOf = (shown: Casts): string[] => shown.map(({ hash }) => hash);
const pages = (path: string, keysOf: (body: TestResponse['body']) => string[]) =>
  pageOverHttp(
    async (one) => {
      const answer = await network.get(one);
      // Search has its list one level further down.
      return { ...answer, body: answer.body.result ?? answer.body };
    },
    `/v2/social/${path}`,
    keysOf,
  );

const FEEDS: Record<string, () => string> = {
  'under a parent URL': () => `feed/parent_urls/?parent_urls=${encodeURIComponent(PLACE)}`,
  'under a parent URL, with replies': () =>
    `feed/parent_urls/?parent_urls=${encodeURIComponent(PLACE)}&with_replies=true`,
  'of a channel': () => 'feed/channels/?channel_ids=paging&members_only=false',
  'of some accounts in a channel': () =>
    `feed/channels/?channel_ids=paging&members_only=false&fids=${FIDS.grace},${FIDS.bob}`,
  'filtered by parent URL': () =>
    `feed/?feed_type=filter&filter_type=parent_url&parent_url=${encodeURIComponent(PLACE)}`,
  'filtered by channel': () => 'feed/?feed_type=filter&filter_type=channel_id&channel_id=paging',
  'filtered by fids': () => `feed/?feed_type=filter&filter_type=fids&fids=${FIDS.grace}`,
  'filtered by an embedded URL': () => 'feed/?feed_type=filter&filter_type=embed_url&embed_url=paging.example',
  'filtered by what is embedded': () => 'feed/?feed_type=filter&filter_type=embed_types&embed_types=image/png',
  'of whom an account follows': () => `feed/following/?fid=${FIDS.frank}`,
  'of whom an account follows, in the feed for all': () => `feed/?fid=${FIDS.frank}`,
  'of one author': () => `feed/user/casts/?fid=${FIDS.grace}`,
  'quoting a cast': () => `cast/quotes/?identifier=${hex(quoted)}&type=hash`,
  'found by a word': () => 'cast/search/?q=pagination',
  'found by a word, oldest first': () => 'cast/search/?q=pagination&sort_type=chron',
};

test.each(Object.keys(FEEDS))('casts %s: each is seen once, in order, while others come and go', async (name) => {
  const path = FEEDS[name]?.() as string;
  const order = byTime(casts);
  const page = pages(path, (body) => hashesOf(body.casts));
  await checkPaging(listOf(casts, page, name.endsWith('oldest first') ? order.reverse() : order));
});

test.each(['chron', 'desc_chron', 'algorithmic'])(
  'replies of a conversation, %s: each is seen once while others come and go',
  async (order) => {
    const page = pages(`cast/conversation/?identifier=${hex(root)}&type=hash&sort_type=${order}`, (body) =>
      hashesOf(body.conversation.cast.direct_replies),
    );
    const times = { chron: byTime(replies).reverse(), desc_chron: byTime(replies) }[order];
    await checkPaging(listOf(replies, page, times));
  },
);

test('replies by an author: each is seen once, in order, while others come and go', async () => {
  const page = pages(`feed/user/replies_and_recasts/?fid=${FIDS.erin}&filter=replies`, (body) => hashesOf(body.casts));
  await checkPaging(listOf(replies, page, byTime(replies)));
});

test('reactions to a cast: each is seen once, in order, while others come and go', async () => {
  const keys = reactions.map(({ fid }, n) => `${fid} ${n % 2 === 0 ? 'like' : 'recast'}`);
  type Reaction = { user: { fid: number }; reaction_type: string };
  const page = pages(`reactions/cast/?hash=${hex(root)}&types=all`, (body) =>
    body.reactions.map(({ user, reaction_type }: Reaction) => `${user.fid} ${reaction_type}`),
  );
  await checkPaging({ ...listOf(reactions, page, byTime(reactions)), key: (row) => keys[row] as string });
});

test.each([
  ['channel', 'channel_ids=paging'],
  ['parent_url', `parent_urls=${encodeURIComponent(PLACE)}`],
])('notifications of a %s: each is seen once, in order, while others come and go', async (kind, place) => {
  type Record = { cast: { hash: string } };
  const page = pages(`notifications/${kind}/?fid=${FIDS.heidi}&${place}`, (body) =>
    body.notifications.map(({ cast }: Record) => cast.hash),
  );
  await checkPaging(listOf(casts, page, byTime(casts)));
});

test('best friends: each is seen once, the closest first, while others come and go', async () => {
  const me = 980;
  const first = 900;
  const fids = Array.from({ length: ROWS }, (_, n) => first + n);
  await run('insert into account (fid, first_ts, username) select f, 1, $2 || f from unnest($1::bigint[]) f', [
    [me, ...fids],
    'friend',
  ]);
  /** Likes for each; more of them make a closer friend, and a third are equally close. */
  const likesOf = (row: number): number => 1 + (row % 4);
  const hashOf = (row: number, n: number) => Buffer.concat([Buffer.from([0xbe, row, n]), Buffer.alloc(17)]);
  const likes = (rows: readonly number[]) =>
    rows.flatMap((row) => Array.from({ length: likesOf(row) }, (_, n) => ({ row, n })));
  await checkPaging({
    rows: ROWS,
    key: (row) => String(first + row),
    order: fids.map((_, n) => n).sort((a, b) => likesOf(b) - likesOf(a) || a - b),
    insert: async (rows) => {
      const all = likes(rows);
      await run(
        `insert into message (fid, message_set, key, type, subtype, ts, hash, signer, signature, data, target_fid, target_hash)
         select $1, 2, h, 3, 1, 1000, h, '', '', '', f, h from unnest($2::bytea[], $3::bigint[]) as t(h, f)`,
        [me, all.map(({ row, n }) => hashOf(row, n)), all.map(({ row }) => first + row)],
      );
      await run(
        'insert into cast_mention (mentioned_fid, ts, hash, fid) select $1, 1000, h, f from unnest($2::bytea[], $3::bigint[]) as t(h, f)',
        [me, rows.map((row) => hashOf(row, 99)), rows.map((row) => first + row)],
      );
      network.app.invalidate(INVALIDATE_ALL);
    },
    remove: async (rows) => {
      await run('delete from message where fid = $1 and hash = any($2::bytea[])', [
        me,
        likes(rows).map(({ row, n }) => hashOf(row, n)),
      ]);
      await run('delete from cast_mention where mentioned_fid = $1 and hash = any($2::bytea[])', [
        me,
        rows.map((row) => hashOf(row, 99)),
      ]);
      network.app.invalidate(INVALIDATE_ALL);
    },
    page: pages(`user/best_friends/?fid=${me}`, (body) => body.users.map(({ fid }: { fid: number }) => String(fid))),
    runs: 5,
  });
});
