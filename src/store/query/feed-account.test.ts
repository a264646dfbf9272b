import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { checkPaging } from '../../../test/support/paging.js';
import { expectIndexed, explainReads } from '../../../test/support/plan.js';
import { rounds } from '../../../test/support/rounds.js';
import { insertCasts } from '../protocol/cast.js';
import { type MessageRow, upsertMessages } from '../protocol/message.js';
import { insertReactions } from '../protocol/reaction.js';
import type { FeedItem, FeedPage } from './feed.js';
import { selectAccountFeed, selectFollowingFeed } from './feed-account.js';

let fixture: TestDatabase;
const READER = 9_000_000;
const APP = '00000000-0000-0000-0000-000000000001';
const audience = { appId: APP, viewer: null };
const hash = (n: number): Buffer => {
  const bytes = Buffer.alloc(20, 7);
  bytes.writeUInt32BE(n);
  return bytes;
};

interface Row {
  readonly fid: number;
  readonly ts: number;
  /** Number of the entry; of a cast it is also the cast's number. */
  readonly entry: number;
  readonly cast: { readonly fid: number; readonly number: number };
}

const message = (row: Pick<MessageRow, 'fid' | 'ts' | 'hash' | 'type'> & Partial<MessageRow>): MessageRow => ({
  messageSet: 15,
  key: row.hash,
  subtype: 0,
  signer: Buffer.alloc(32),
  signature: Buffer.alloc(64),
  signatureScheme: 1,
  data: Buffer.alloc(1),
  dataForm: 0,
  targetFid: null,
  targetHash: null,
  void: false,
  ...row,
});

const isCast = (row: Row): boolean => row.entry === row.cast.number;

const insert = async (rows: readonly Row[]): Promise<void> => {
  const { db } = fixture;
  const place = { rootParentUrl: null, parentFid: null, parentHash: null, parentUrl: null };
  const casts = rows.filter(isCast).map(({ fid, ts, entry }) => ({
    ...{ fid, hash: hash(entry), ts, type: 0, text: '', rootFid: fid, rootHash: hash(entry), ...place },
    ...{ mentions: [], mentionPositions: [], embeds: [], signer: Buffer.alloc(32) },
  }));
  if (casts.length > 0) await insertCasts(db, { casts, replies: [], mentions: [], quotes: [] });
  const recasts = rows.filter((row) => !isCast(row));
  if (recasts.length === 0) return;
  const targets = recasts.map(({ fid, ts, entry, cast }) => ({
    ...{ fid, ts, hash: hash(entry), targetFid: cast.fid, targetHash: hash(cast.number) },
  }));
  await upsertMessages(
    db,
    targets.map((target) => message({ ...target, type: 3, subtype: 2 })),
  );
  await insertReactions(
    db,
    targets.map((target) => ({ ...target, type: 2 })),
  );
};

const remove = async (rows: readonly Row[]): Promise<void> => {
  const hashes = rows.map((row) => hash(row.entry));
  for (const table of ['"cast"', 'message', 'reaction']) {
    await fixture.db.run(`delete from ${table} where hash = any($1::bytea[])`, [hashes]);
  }
};

const follow = (fids: readonly number[]): Promise<unknown> =>
  upsertMessages(
    fixture.db,
    fids.map((fid) =>
      message({ fid: READER, type: 5, subtype: 1, ts: 1, hash: hash(2_000_000 + fid), targetFid: fid }),
    ),
  );
const unfollow = (): Promise<unknown> => fixture.db.run('delete from message where fid = $1', [READER]);

const LATEST = 1_000_000;
const ALL = { casts: 'all', recasts: true } as const;
const page = (after: FeedItem | undefined, limit: number, viewer: number | null = null): FeedPage => ({
  audience: { appId: APP, viewer },
  after,
  limit,
});
const following = (after: FeedItem | undefined, limit: number, horizon = LATEST): Promise<FeedItem[]> =>
  selectFollowingFeed(fixture.db, READER, ALL, page(after, limit), horizon);
const numberOf = (item: FeedItem): number => Number.parseInt(item.hash.slice(0, 8), 16);

beforeAll(async () => {
  fixture = await openTestDatabase();
});
afterAll(() => fixture.drop());

/** Computes the expected feed in the simplest way. */
const model = (rows: readonly Row[], followed: ReadonlySet<number>, horizon: number): number[] => {
  const stored = new Set(rows.filter(isCast).map((row) => row.entry));
  const newest = new Map<number, Row>();
  const later = (a: Row, b: Row) => b.ts - a.ts || Buffer.compare(hash(b.entry), hash(a.entry));
  for (const row of [...rows].sort(later)) {
    if (row.ts > horizon || !followed.has(row.fid) || !stored.has(row.cast.number)) continue;
    if (!newest.has(row.cast.number)) newest.set(row.cast.number, row);
  }
  return [...newest.keys()];
};

const network = (accounts: number, size: number): fc.Arbitrary<Row[]> => {
  const draw = fc.record({
    fid: fc.integer({ min: 1, max: accounts }),
    ts: fc.integer({ min: 0, max: 60 }),
    of: fc.nat(),
    recast: fc.boolean(),
  });
  return fc.array(draw, { minLength: size, maxLength: size }).map((draws) =>
    draws.map(({ fid, ts, of, recast }, entry) => {
      const target = draws[of % draws.length] as (typeof draws)[number];
      if (!recast) return { fid, ts, entry, cast: { fid, number: entry } };
      return { fid, ts, entry, cast: { fid: target.fid, number: of % draws.length } };
    }),
  );
};

const walk = async (limit: number, horizon: number): Promise<number[]> => {
  const seen: number[] = [];
  let after: FeedItem | undefined;
  for (;;) {
    const items = await following(after, limit, horizon);
    seen.push(...items.map(numberOf));
    if (items.length < limit) return seen;
    after = items.at(-1);
  }
};

// Accounts are read one by one; above `rawLimit`, by their newest entries; above 200, casts are read by time.
test.each([
  ['few', 6, 60],
  ['some', 60, 150],
  ['many', 320, 400],
])(
  'a feed of %s accounts holds each cast once, at its newest place',
  async (_, accounts, size) => {
    const cases = fc.record({
      rows: network(accounts, size),
      limit: fc.integer({ min: 1, max: 12 }),
      horizon: fc.integer({ min: 30, max: 70 }),
      skipped: fc.integer({ min: 2, max: 9 }),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ rows, limit, horizon, skipped }) => {
        // Two reactions of one account to one cast are one message.
        const once = [...new Map(rows.map((row) => [`${row.fid}:${row.cast.number}:${isCast(row)}`, row])).values()];
        const fids = Array.from({ length: accounts }, (_, index) => index + 1).filter((fid) => fid % skipped !== 0);
        await insert(once);
        await follow(fids);
        const seen = await walk(limit, horizon);
        await remove(once);
        await unfollow();
        expect(seen).toEqual(model(once, new Set(fids), horizon));
      }),
      { numRuns: rounds(12), endOnFailure: true },
    );
  },
  120_000,
);

test('while casts and recasts come and go, every other item is seen once, in order', async () => {
  const outside = Array.from({ length: 8 }, (_, n) => ({ fid: 500, ts: 10, entry: n, cast: { fid: 500, number: n } }));
  const rows: Row[] = Array.from({ length: 20 }, (_, n) => {
    const place = { fid: 1 + (n % 3), ts: 100 + Math.floor(n / 2), entry: 100 + n };
    const target = outside[n];
    return { ...place, cast: target === undefined ? { fid: place.fid, number: place.entry } : target.cast };
  });
  await insert(outside);
  await follow([1, 2, 3]);
  const rowOf = (n: number): Row => rows[n] as Row;
  const byConflictKey = [...rows.keys()].sort((a, b) => rowOf(b).ts - rowOf(a).ts || rowOf(b).entry - rowOf(a).entry);
  await checkPaging({
    rows: rows.length,
    order: byConflictKey,
    key: (n) => hash(rowOf(n).cast.number).toString('hex'),
    insert: (numbers) => insert(numbers.map(rowOf)),
    remove: (numbers) => remove(numbers.map(rowOf)),
    page: async (cursor, limit) => {
      const after = cursor === null ? undefined : (JSON.parse(cursor) as FeedItem);
      const items = await following(after, limit + 1);
      const shown = items.slice(0, limit);
      return { keys: shown.map((item) => item.hash), next: items.length > limit ? JSON.stringify(shown.at(-1)) : null };
    },
  });
  await remove(outside);
  await unfollow();
}, 60_000);

test('a page is full although the viewer has muted 10,000 accounts whose casts stand between', async () => {
  const { db } = fixture;
  await db.run('insert into mute (fid, app_id, muted_fid) select 77, $1, g from generate_series(1000, 10999) g', [APP]);
  const rows = Array.from({ length: 300 }, (_, n): Row => {
    const fid = n % 10 === 0 ? 1 : 1000 + n;
    return { fid, ts: 100 + n, entry: n, cast: { fid, number: n } };
  });
  await insert(rows);
  const fids = rows.map((row) => row.fid);
  const items = await selectAccountFeed(db, fids, ALL, page(undefined, 26, 77), LATEST);
  expect(items.map(numberOf)).toEqual(Array.from({ length: 26 }, (_, n) => 290 - 10 * n));
  await remove(rows);
  await db.run('delete from mute');
}, 60_000);

test('no plan reads a table from end to end', async () => {
  const plans = await explainReads(
    fixture.db,
    async (db) => {
      await selectFollowingFeed(db, READER, ALL, { audience, after: undefined, limit: 26 }, LATEST);
      await selectAccountFeed(db, [1, 2], ALL, { audience, after: undefined, limit: 26 }, LATEST);
    },
    { fewRows: true },
  );
  expect(plans.map((plan) => plan.name)).toEqual(['feed_of_followed', 'feed_followed_fid', 'feed_of_accounts']);
  expectIndexed(plans);
});
