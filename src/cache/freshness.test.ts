import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.js';
import { watchDatabase } from '../../test/support/read-cache.js';
import type { Database } from '../db/database.js';
import { openPostgres } from '../db/postgres.js';
import type { Tag } from '../db/statement.js';
import { INVALIDATE_ALL, type Invalidation, insertChange, invalidationOf } from '../store/change.js';
import { deleteOldChanges } from '../store/change-read.js';
import { createFreshness, type Freshness } from './freshness.js';

const onServer = process.env.TEST_DATABASE_URL !== undefined;

let fixture: TestDatabase;
beforeAll(async () => {
  fixture = await openTestDatabase();
});
afterAll(() => fixture.drop());

const running: Freshness[] = [];
afterEach(async () => {
  for (const freshness of running.splice(0)) await freshness.stop();
});

/** Follows the table; `seen` has the invalidations that the clock received. */
const follow = async (db: Database = fixture.db): Promise<{ freshness: Freshness; seen: Invalidation[] }> => {
  const freshness = createFreshness({ db, pollMs: 20, unusedPollMs: 20 });
  running.push(freshness);
  const seen: Invalidation[] = [];
  const { clock } = freshness;
  const invalidate = clock.invalidate.bind(clock);
  const invalidateAll = clock.invalidateAll.bind(clock);
  clock.invalidate = (tags) => {
    seen.push(invalidationOf([...tags]));
    invalidate(tags);
  };
  clock.invalidateAll = () => {
    seen.push(INVALIDATE_ALL);
    invalidateAll();
  };
  await freshness.start();
  return { freshness, seen };
};

const insertTags = (...tags: Tag[]): Promise<void> => insertChange(fixture.db, invalidationOf(tags));

test('changes of other processes arrive once, those of this one at once', async () => {
  await insertTags(1);
  const { freshness, seen } = await follow();
  expect(freshness.isFresh()).toBe(true);
  await insertTags(2, 3);
  await insertChange(fixture.db, INVALIDATE_ALL);
  await vi.waitFor(() => expect(seen).toContainEqual(INVALIDATE_ALL), 30_000);
  await insertTags(5);
  await vi.waitFor(() => expect(seen).toContainEqual(invalidationOf([5])), 30_000);
  expect(seen.filter(({ tags }) => !tags.includes(1))).toEqual([
    invalidationOf([2, 3]),
    INVALIDATE_ALL,
    invalidationOf([5]),
  ]);
  freshness.invalidate(invalidationOf([4]));
  expect(seen.at(-1)).toEqual(invalidationOf([4]));
  freshness.invalidate(INVALIDATE_ALL);
  expect(seen.at(-1)).toEqual(INVALIDATE_ALL);
});

test.runIf(onServer)('a change that commits after a later one is not missed, however long it takes', async () => {
  const { seen } = await follow();
  // An open transaction of another database on the server may put rows of the previous test into the first poll.
  const tagsSeen = () => seen.flatMap(({ tags }) => tags).filter((tag) => tag > 10 && tag < 20);
  const gates = [1, 2].map(() => {
    let open: () => void = () => undefined;
    const wait = new Promise<void>((resolve) => {
      open = resolve;
    });
    return { wait, open };
  });
  const writer = (tag: Tag, gate: { wait: Promise<void> } | undefined, written: () => void) =>
    fixture.db.transaction(async (session) => {
      await insertChange(session, invalidationOf([tag]));
      written();
      await gate?.wait;
    });
  let first: Promise<void> = Promise.resolve();
  await new Promise<void>((written) => {
    first = writer(11, gates[0], written);
  });
  let second: Promise<void> = Promise.resolve();
  await new Promise<void>((written) => {
    second = writer(12, gates[1], written);
  });
  gates[1]?.open();
  await second;
  await vi.waitFor(() => expect(tagsSeen()).toEqual([12]), 30_000);
  for (let n = 13; n < 20; n++) await insertTags(n);
  await vi.waitFor(() => expect(tagsSeen()).toContain(19), 30_000);
  gates[0]?.open();
  await first;
  await vi.waitFor(() => expect(tagsSeen()).toContain(11), 30_000);
  await insertTags(99);
  await vi.waitFor(() => expect(seen.flatMap(({ tags }) => tags)).toContain(99), 30_000);
  expect(tagsSeen().sort((a, b) => a - b)).toEqual([11, 12, 13, 14, 15, 16, 17, 18, 19]);
});

test.runIf(onServer)(
  'caches are not trusted while the database is away, and what was missed is found afterwards',
  async () => {
    let away = false;
    let failures = 0;
    const fail = () => {
      failures++;
      return Promise.reject(new Error('away'));
    };
    const flaky: Database = {
      ...fixture.db,
      read: (statement, params) => (away ? fail() : fixture.db.read(statement, params)),
    };
    const { freshness, seen } = await follow(flaky);
    expect(freshness.isFresh()).toBe(true);
    away = true;
    await vi.waitFor(() => expect(failures).toBeGreaterThan(1), { timeout: 30_000, interval: 10 });
    expect(freshness.isFresh()).toBe(true);
    await insertTags(21);
    await vi.waitFor(() => expect(freshness.isFresh()).toBe(false), { timeout: 30_000 });
    away = false;
    await vi.waitFor(() => expect(freshness.isFresh()).toBe(true), 30_000);
    expect(seen.filter(({ tags }) => tags.includes(21))).toEqual([invalidationOf([21])]);
  },
);

test.runIf(onServer)('without use it polls no more; a notice, and the next use, bring what was committed', async () => {
  const { db, sent } = watchDatabase(fixture.db);
  const freshness = createFreshness({ db, pollMs: 10, unusedPollMs: 3_600_000 });
  running.push(freshness);
  await freshness.start();
  await expect.poll(() => db.notices.isListening()).toBe(true);
  const changes = vi.fn();
  freshness.onChange(changes);
  const polls = () => sent().filter((name) => name === 'change_since').length;
  await expect.poll(polls, { interval: 100 }).toBe(0);
  changes.mockClear();
  await insertTags(41);
  const other = openPostgres({ url: fixture.url as string, poolSize: 1 });
  onTestFinished(() => other.close());
  other.notices.send();
  // Once for the row, and once for the notice, which may be about an event of the log.
  await expect.poll(() => changes.mock.calls).toHaveLength(2);
  await expect.poll(polls, { interval: 100 }).toBe(0);
  // A notice that is lost.
  await insertTags(42);
  await expect.poll(() => freshness.isFresh(), { timeout: 5_000 }).toBe(false);
  await expect.poll(() => freshness.isFresh()).toBe(true);
  expect(changes).toHaveBeenCalledTimes(3);
});

test('change rows go after an hour', async () => {
  await insertTags(31);
  await fixture.db.run(`update change set at = now() - interval '61 minutes' where 31 = any(tags)`);
  await insertTags(32);
  expect(await deleteOldChanges(fixture.db)).toBe(1);
  expect(await fixture.db.run('select 1 as n from change where 31 = any(tags)')).toEqual([]);
  expect(await fixture.db.run('select 1 as n from change where 32 = any(tags)')).toHaveLength(1);
});
