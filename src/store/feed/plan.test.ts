import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { expectIndexed, explainReads, planNodes } from '../../../test/support/plan.js';
import type { Database } from '../../db/database.js';
import type { FeedPage } from '../query/feed.js';
import { selectFeedForYou, selectFollowsAnything } from './for-you.js';
import { selectTrendingCasts, selectTrendingCastsByUrls } from './trending.js';

let fixture: TestDatabase;
beforeAll(async () => {
  fixture = await openTestDatabase();
});
afterAll(() => fixture.drop());

const audience = { appId: '00000000-0000-0000-0000-000000000001', viewer: 5 };
const page: FeedPage = { audience, after: { score: 9, ts: 100, entry: 'aa' }, limit: 26 };
const period = { start: 0, horizon: 1000 };

const reads: [string, (db: Database) => Promise<unknown>][] = [
  ['trending casts', (db) => selectTrendingCasts(db, period, page)],
  ['trending casts of a channel', (db) => selectTrendingCastsByUrls(db, ['https://a.example'], period, page)],
  ['the feed for a user', (db) => selectFeedForYou(db, 1, period, page)],
  ['whether a user follows anything', (db) => selectFollowsAnything(db, 1, period)],
];

test.each(reads)('%s: one statement, and no plan that reads a table from end to end', async (_, work) => {
  const plans = await explainReads(fixture.db, work, { fewRows: true });
  expect(plans).toHaveLength(1);
  expectIndexed(plans);
});

const CASTS = 20_000;
const hashOf = (n: number): string => n.toString(16).padStart(40, '0');

test('of 20,000 casts, those that were recasted and the newest 1,000 are looked at', async () => {
  const { db } = fixture;
  await db.run('insert into account (fid, score) select n, 0.5 from generate_series(1, 2000) n');
  await db.run(
    `insert into "cast" (fid, ts, hash, root_fid, root_hash, text, signer)
     select n % 2000 + 1, n, decode(lpad(to_hex(n), 40, '0'), 'hex'), 1, '', '', '' from generate_series(1, ${CASTS}) n`,
  );
  // Each account recasts one of the oldest casts; one old cast and one of the newest are only liked.
  await db.run(
    `insert into message (fid, message_set, key, type, subtype, ts, hash, signer, signature, data, target_fid, target_hash)
     select n, 2, '', 3, 2, ${CASTS}, decode(lpad(to_hex(n), 40, '0'), 'hex'), '', '', '', c.fid, c.hash
       from generate_series(1, 2000) n join "cast" c on c.ts = n % 3 + 1`,
  );
  await db.run(
    `insert into reaction (target_fid, fid, ts, type, target_hash, hash)
     select target_fid, fid, ts, 2, target_hash, hash from message
     union all select c.fid, 1, ${CASTS}, 1, c.hash, '' from "cast" c where c.ts in (4, ${CASTS - 10})`,
  );
  await db.run('insert into cast_count (fid, hash, like_count) select fid, hash, 1 from "cast"');
  await db.script('vacuum analyze');
  const all = { start: 0, horizon: CASTS };
  const first: FeedPage = { audience, after: undefined, limit: 26 };
  const found = await selectTrendingCasts(db, all, first);
  // Of each cast, 500 recasts count.
  expect(found.map(({ hash, score }) => [hash, score])).toEqual([
    [hashOf(CASTS - 10), (CASTS - 10) ** 2],
    ...[3, 2, 1].map((n) => [hashOf(n), 2 * 500 * n ** 2]),
  ]);
  const plans = await explainReads(db, (watched) => selectTrendingCasts(watched, all, first));
  // The planner's own choice; tables that are empty here are read whole.
  for (const { custom, generic } of plans) {
    for (const plan of [custom, generic]) {
      const read = planNodes(plan).map((node) => node['Index Name'] ?? `all of ${node['Relation Name']}`);
      expect(read).toEqual(expect.arrayContaining(['message_recast', 'cast_time', 'account_pkey']));
      expect(read).not.toContain('all of cast');
      expect(read).not.toContain('all of message');
    }
  }
});
