import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import type { Database } from '../../db/database.js';
import type { Param, Statement } from '../../db/statement.js';
import { type ReplyCursor, type ReplyOrder, type ReplyRow, selectReplies } from './conversation.js';

const REPLIES = 3_000;
const RANKED = 1_000;
const ROOT = { fid: 1, hash: 'aa'.repeat(20) };
const NOBODY = { appId: '00000000-0000-0000-0000-000000000000', viewer: null };

let fixture: TestDatabase;
beforeAll(async () => {
  fixture = await openTestDatabase();
  const { db } = fixture;
  await db.run(
    `insert into account (fid, first_ts, username, score)
     select n, 1, 'user' || n, (n * 7919 % 101) / 100.0 from generate_series(1, 500) n`,
  );
  // Three replies of each second, by 500 accounts, in turn; every seventh is liked.
  await db.run(
    `insert into cast_reply (parent_fid, parent_hash, fid, ts, hash)
     select $1, $2, n % 500 + 1, n / 3, decode(lpad(to_hex(n), 40, '0'), 'hex') from generate_series(1, ${REPLIES}) n`,
    [ROOT.fid, Buffer.from(ROOT.hash, 'hex')],
  );
  await db.run(
    `insert into cast_count (fid, hash, like_count)
     select fid, hash, ts % 50 from cast_reply where ('x' || right(encode(hash, 'hex'), 7))::bit(28)::integer % 7 = 0`,
  );
  await db.run('analyze');
});
afterAll(() => fixture.drop());

const page = (order: ReplyOrder, after?: ReplyCursor, limit = 25) =>
  ({ audience: NOBODY, order, depth: 1, fold: undefined, horizon: 400_000_000, after, limit }) as const;

const walk = async (order: ReplyOrder, limit: number): Promise<ReplyRow[]> => {
  const rows: ReplyRow[] = [];
  for (;;) {
    const found = await selectReplies(fixture.db, ROOT, page(order, rows.at(-1), limit));
    rows.push(...found);
    if (found.length < limit) return rows;
  }
};
const hashesOf = (rows: readonly ReplyRow[]): string[] => rows.map(({ hash }) => hash);

test('the newest thousand replies come by rank, then all others by time, each once', async () => {
  const byTime = await walk('desc_chron', 100);
  const ranked = await walk('algorithmic', 97);
  expect(byTime).toHaveLength(REPLIES);
  expect(hashesOf(ranked.slice(RANKED))).toEqual(hashesOf(byTime.slice(RANKED)));
  const first = ranked.slice(0, RANKED);
  expect(hashesOf(first).sort()).toEqual(hashesOf(byTime.slice(0, RANKED)).sort());
  expect(first.map(({ rank }) => rank)).toEqual(first.map(({ rank }) => rank).sort((a, b) => b - a));
  expect(new Set(first.map(({ rank }) => rank)).size).toBeGreaterThan(100);
});

test('pages that end at the edge of the ranked replies lose and repeat none', async () => {
  const byTime = hashesOf(await walk('desc_chron', 500));
  for (const limit of [RANKED, RANKED - 1, RANKED + 1]) {
    const ranked = hashesOf(await walk('algorithmic', limit));
    expect(ranked.slice(RANKED)).toEqual(byTime.slice(RANKED));
    expect(new Set(ranked).size).toBe(REPLIES);
  }
});

interface Node {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly Node[];
}
const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** @returns rows of the table of replies that each part of the statement reads for a page */
const rowsRead = async (after: ReplyCursor | undefined): Promise<number[]> => {
  const { db } = fixture;
  let plan: Node | undefined;
  const read = async ({ text }: Statement<unknown>, params: readonly Param[]): Promise<[]> => {
    const [row] = await db.run<{ 'QUERY PLAN': [{ Plan: Node }] }>(`explain (analyze, format json) ${text}`, params);
    plan = row?.['QUERY PLAN'][0].Plan;
    return [];
  };
  await selectReplies({ read } as unknown as Database, ROOT, page('algorithmic', after));
  return nodesOf(plan as Node)
    .filter((node) => node['Relation Name'] === 'cast_reply')
    .map((node) => node['Actual Rows'] * node['Actual Loops']);
};

test('a page reads the ranked replies at most twice, and a later page only what it shows', async () => {
  const late = (await walk('algorithmic', 500))[2_400];
  const [first, later] = [await rowsRead(undefined), await rowsRead(late)];
  expect(first.reduce((sum, rows) => sum + rows)).toBeLessThanOrEqual(2 * RANKED + 25);
  expect(later.reduce((sum, rows) => sum + rows)).toBeLessThanOrEqual(26);
});
