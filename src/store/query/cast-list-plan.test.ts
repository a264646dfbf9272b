import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { expectIndexed, explainReads, type PlanNode, planNodes } from '../../../test/support/plan.js';
import type { Database } from '../../db/database.js';
import { selectCastMetrics } from './cast-metric.js';
import { selectCastsByText } from './cast-search.js';
import { selectAncestors, selectReplies } from './conversation.js';
import { selectEmbedCasts, selectTypedEmbedCasts } from './embed.js';
import { type FeedPage, selectAuthorCasts, selectCastsByParentUrls, selectPopularCasts, selectQuotes } from './feed.js';
import { selectThreadUpTo } from './thread.js';

let fixture: TestDatabase;
beforeAll(async () => {
  fixture = await openTestDatabase();
});
afterAll(() => fixture.drop());

const audience = { appId: '00000000-0000-0000-0000-000000000001', viewer: 5 };
const page: FeedPage = { audience, after: { ts: 100, entry: 'aa' }, limit: 26 };
const cast = { fid: 1, hash: 'bb'.repeat(20) };
const places = { parentUrls: ['https://a.example'], likedByLead: true, membersOnly: true };
const search = { words: `'a'`, parentUrls: null, authorFid: null, from: 0, until: 1000 };

const counted = { ...search, appId: audience.appId, start: 0, resolution: 100 };

const lists: [string, (db: Database) => Promise<unknown>][] = [
  [
    'casts of an author',
    (db) => selectAuthorCasts(db, { fid: 1, parentUrls: null, withReplies: true, appFid: 2 }, page),
  ],
  ['popular casts', (db) => selectPopularCasts(db, 1, audience, 10)],
  ['quotes', (db) => selectQuotes(db, cast, page)],
  ['top level casts of a place', (db) => selectCastsByParentUrls(db, { ...places, withReplies: false }, page)],
  ['threads of a place', (db) => selectCastsByParentUrls(db, { ...places, withReplies: true }, page)],
  ['embeds', (db) => selectEmbedCasts(db, ['https://a.example/'], 'https://a.example/b', page)],
  [
    'embeds by type',
    (db) => selectTypedEmbedCasts(db, { terms: ['ext:png'], exact: ['image/png'], families: ['video'] }, page),
  ],
  ['thread up to a cast', (db) => selectThreadUpTo(db, cast, audience, 50)],
  ['ancestors', (db) => selectAncestors(db, cast, audience)],
  ...(['chron', 'desc_chron', 'algorithmic'] as const).map((order): (typeof lists)[number] => [
    `replies ${order}`,
    (db) =>
      selectReplies(db, cast, { audience, order, depth: 5, fold: 'above', horizon: 9, after: undefined, limit: 21 }),
  ]),
  ...(['chron', 'desc_chron'] as const).flatMap((order): [string, (db: Database) => Promise<unknown>][] => [
    [`search ${order}`, (db) => selectCastsByText(db, { ...search, order }, page)],
    [`search in a place ${order}`, (db) => selectCastsByText(db, { ...search, order, parentUrls: ['x', 'y'] }, page)],
    [`search of an author ${order}`, (db) => selectCastsByText(db, { ...search, order, authorFid: 1 }, page)],
  ]),
  ['search, counted', (db) => selectCastMetrics(db, counted)],
  ['search in a place, counted', (db) => selectCastMetrics(db, { ...counted, parentUrls: ['x', 'y'] })],
  ['search of an author, counted', (db) => selectCastMetrics(db, { ...counted, authorFid: 1 })],
];

test.each(lists)('%s: one statement, and no plan that reads a table from end to end', async (_, work) => {
  const plans = await explainReads(fixture.db, work, { fewRows: true });
  expect(plans).toHaveLength(1);
  expectIndexed(plans);
});

test.each(lists.filter(([name]) => name.startsWith('search')))(
  '%s: the query is built once, not for each row',
  async (_, work) => {
    const [plan] = await explainReads(fixture.db, work, { fewRows: true });
    const conditions = planNodes(plan?.generic as PlanNode).map((node) =>
      [node.Filter, node['Index Cond'], node['Recheck Cond']].join(' '),
    );
    expect(conditions.filter((condition) => condition.includes('@@'))).not.toEqual([]);
    expect(conditions.filter((condition) => condition.includes('to_tsquery'))).toEqual([]);
  },
);
