import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { expectIndexed, explainReads, planNodes } from '../../../test/support/plan.js';
import { watchDatabase } from '../../../test/support/read-cache.js';
import type { Database } from '../../db/database.js';
import { type FollowCursor, type FollowKind, followKey, selectFollows } from './follow.js';
import { selectFollowSuggestions, selectRelevantFollowers } from './follow-suggestion.js';

const ACCOUNTS = 12_000;
const STAR = 1;
const FAN = 2;
const NOBODY = { appId: '00000000-0000-0000-0000-000000000000', viewer: null };
const KINDS: readonly FollowKind[] = ['followers', 'following', 'reciprocal'];

let fixture: TestDatabase;
let db: Database;

const hashOf = (n: number): Buffer => {
  const hash = Buffer.alloc(20);
  hash.writeUInt32BE(n);
  return hash;
};

/** Inserts follows into both tables, as ingest does. */
const insertFollows = async (follows: readonly { fid: number; target: number; ts: number }[]): Promise<void> => {
  await db.run(
    `insert into message (fid, message_set, key, type, subtype, ts, hash, signer, signature, data, target_fid)
     select t.fid, 3, t.key, 5, 1, t.ts, t.hash, t.hash, t.hash, t.hash, t.target
       from unnest($1::bigint[], $2::bigint[], $3::integer[], $4::bytea[], $5::bytea[]) as t(fid, target, ts, key, hash)`,
    [
      follows.map((one) => one.fid),
      follows.map((one) => one.target),
      follows.map((one) => one.ts),
      follows.map((one) => Buffer.from(followKey(one.target))),
      follows.map((one, n) => hashOf(n + one.ts)),
    ],
  );
};

beforeAll(async () => {
  fixture = await openTestDatabase();
  db = fixture.db;
  await db.run(
    `insert into account (fid, first_ts, username, score)
     select n, 1, 'user' || n, (n * 7919 % 101) / 100.0 from generate_series(1, ${ACCOUNTS}) n`,
  );
  // All accounts follow the star and a few others; the star follows 3,000 and the fan 4,000.
  const others = Array.from({ length: ACCOUNTS }, (_, n) => n + 1);
  const follow = (fid: number, target: number) => ({ fid, target, ts: 10 * fid + (target % 10) });
  const follows = [
    ...others.slice(1).map((fid) => follow(fid, STAR)),
    ...others.slice(2).flatMap((fid) => [3, 5, 7].map((step) => follow(fid, ((fid * step) % ACCOUNTS) + 1))),
    ...others.slice(1, 3001).map((target) => ({ fid: STAR, target, ts: target })),
    ...others.slice(100, 4100).map((target) => ({ fid: FAN, target, ts: target })),
  ];
  const distinct = new Map(follows.map((one) => [`${one.fid}:${one.target}`, one]));
  await insertFollows([...distinct.values()].filter((one) => one.fid !== one.target));
  await db.run(
    `insert into link (target_fid, type, ts, hash, fid)
     select target_fid, 1, ts, hash, fid from message on conflict do nothing`,
  );
  await db.run(
    'insert into block (fid, blocked_fid, ts, hash) select n, n + 1, 1, $1 from generate_series(100, 9000) n',
    [hashOf(1)],
  );
  // Fills the other tables, so that the planner does not scan them because they are small.
  const elsewhere = '11111111-1111-1111-1111-111111111111';
  await db.run('insert into ban (fid, app_id) select n, $1 from generate_series(1, 9000) n', [elsewhere]);
  await db.run('insert into mute (fid, app_id, muted_fid) select n, $1, n + 1 from generate_series(1, 9000) n', [
    elsewhere,
  ]);
  await db.run(
    `insert into signer_key (fid, key, key_type, active, block_number, log_index, decided_at, request_fid)
     select n, $1, 1, true, 1, 1, now(), 1 from generate_series(1, ${ACCOUNTS}) n`,
    [hashOf(1)],
  );
  await db.run('analyze');
});
afterAll(() => fixture.drop());

const page = (ranked: boolean, after?: FollowCursor, limit = 25) => ({ ranked, horizon: 2_000_000_000, after, limit });

const walk = async (kind: FollowKind, fid: number, ranked: boolean, limit: number) => {
  const fids: number[] = [];
  let after: FollowCursor | undefined;
  for (;;) {
    const { rows, next } = await selectFollows(db, kind, fid, NOBODY, page(ranked, after, limit));
    fids.push(...rows.map((row) => row.fid));
    if (next === null) return fids;
    after = next;
  }
};

test('a ranked list holds the newest thousand by score, then all others by time, each once', async () => {
  const byTime = await walk('following', STAR, false, 100);
  const ranked = await walk('following', STAR, true, 97);
  expect(byTime).toHaveLength(3000);
  expect(byTime[0]).toBe(3001);
  expect([...ranked].sort((a, b) => a - b)).toEqual([...byTime].sort((a, b) => a - b));
  expect(ranked.slice(1000)).toEqual(byTime.slice(1000));
  expect([...ranked.slice(0, 1000)].sort((a, b) => a - b)).toEqual(byTime.slice(0, 1000).sort((a, b) => a - b));
  const scores = ranked.slice(0, 1000).map((fid) => (fid * 7919) % 101);
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
});

test('a list whose last page is full ends there, and one that ends at the edge of the ranked ones too', async () => {
  const { rows, next } = await selectFollows(db, 'following', STAR, NOBODY, page(true, undefined, 3000));
  expect([rows.length, next]).toEqual([3000, null]);
  const half = await selectFollows(db, 'following', STAR, NOBODY, page(true, undefined, 1000));
  const rest = await selectFollows(db, 'following', STAR, NOBODY, page(true, half.next ?? undefined, 2000));
  expect([half.rows.length, rest.rows.length, rest.next]).toEqual([1000, 2000, null]);
});

test('a ranked list leaves out follows that are newer than its first page', async () => {
  const horizon = 2000;
  const { rows } = await selectFollows(db, 'following', STAR, NOBODY, { ...page(true), horizon });
  expect(Math.max(...rows.map((row) => row.ts))).toBeLessThanOrEqual(horizon);
});

test('a page takes the same statements whatever its size', async () => {
  const watched = watchDatabase(db);
  const sent = async (ranked: boolean, limit: number) => {
    await selectFollows(watched.db, 'followers', STAR, NOBODY, page(ranked, undefined, limit));
    return watched.sent();
  };
  expect(await sent(false, 1)).toEqual(await sent(false, 100));
  expect(await sent(true, 1)).toEqual(await sent(true, 100));
  expect(await sent(true, 100)).toEqual(['follow_followers_edge', 'follow_followers_by_score']);
});

test('ten thousand mutes leave a page as full as before', async () => {
  const viewer = 11_999;
  await db.run(
    'insert into mute (fid, app_id, muted_fid) select $1, $2, n from generate_series(2001, 12000) n on conflict do nothing',
    [viewer, NOBODY.appId],
  );
  const audience = { ...NOBODY, viewer };
  for (const ranked of [false, true]) {
    const { rows } = await selectFollows(db, 'followers', STAR, audience, page(ranked));
    expect(rows).toHaveLength(25);
    expect(Math.max(...rows.map((row) => row.fid))).toBeLessThanOrEqual(2000);
  }
  await db.run('delete from mute where fid = $1', [viewer]);
});

test('relevant followers and suggestions are bounded', async () => {
  const relevant = await selectRelevantFollowers(db, STAR, { ...NOBODY, viewer: FAN });
  expect(relevant).toHaveLength(1000);
  const suggested = await selectFollowSuggestions(db, FAN, NOBODY, 100);
  expect(suggested).toHaveLength(100);
  expect(suggested).not.toContain(FAN);
});

const isSortedWhole = (plan: { 'Node Type': string; 'Sort Key'?: string[] }): boolean =>
  plan['Node Type'].includes('Sort') && (plan['Sort Key'] ?? []).some((key) => key.includes('l.ts'));

test('no plan reads a growing table from end to end, and lists by time are never sorted whole', async () => {
  for (const viewer of [null, FAN]) {
    const audience = { ...NOBODY, viewer };
    for (const kind of KINDS) {
      const byTime = await explainReads(db, (watched) => selectFollows(watched, kind, STAR, audience, page(false)));
      expectIndexed(byTime);
      for (const { generic } of byTime) expect(planNodes(generic).filter(isSortedWhole)).toEqual([]);
      expectIndexed(await explainReads(db, (watched) => selectFollows(watched, kind, STAR, audience, page(true))));
    }
    expectIndexed(await explainReads(db, (watched) => selectFollowSuggestions(watched, FAN, audience, 25)));
  }
  expectIndexed(
    await explainReads(db, (watched) => selectRelevantFollowers(watched, STAR, { ...NOBODY, viewer: FAN })),
  );
});
