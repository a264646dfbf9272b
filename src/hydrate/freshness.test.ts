import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.js';
import { insertChange, type Touched } from '../store/change.js';
import { deleteOldChanges } from '../store/change-read.js';
import type { Database } from '../store/database.js';
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

const follow = async (db: Database = fixture.db): Promise<{ freshness: Freshness; seen: Touched[] }> => {
  const freshness = createFreshness({ db, pollMs: 20 });
  running.push(freshness);
  const seen: Touched[] = [];
  freshness.subscribe((touched) => seen.push(touched));
  await freshness.start();
  return { freshness, seen };
};

const touch = (fids: number[], all = false): Touched => ({ fids, casts: [], lists: [], all });

test('changes of other processes arrive once, those of this one at once', async () => {
  const hash = Buffer.alloc(20, 7);
  await insertChange(fixture.db, touch([1]));
  const { freshness, seen } = await follow();
  expect(freshness.trusted()).toBe(true);
  await insertChange(fixture.db, { fids: [2, 3], casts: [hash], lists: [35, 36], all: false });
  await insertChange(fixture.db, touch([], true));
  await vi.waitFor(() => expect(seen.some((one) => one.all)).toBe(true), 30_000);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(seen.filter((one) => !one.fids.includes(1))).toEqual([
    { fids: [2, 3], casts: [hash], lists: [35, 36], all: false },
    touch([], true),
  ]);
  freshness.touched(touch([4]));
  expect(seen.at(-1)).toEqual(touch([4]));
});

test.runIf(onServer)('a change that commits after a later one is not missed, however long it takes', async () => {
  const { seen } = await follow();
  // A transaction of another database on the server may keep rows of the test before within the first look.
  const fidsSeen = () => seen.flatMap((one) => one.fids).filter((fid) => fid > 10 && fid < 20);
  const gates = [1, 2].map(() => {
    let open: () => void = () => undefined;
    const wait = new Promise<void>((resolve) => {
      open = resolve;
    });
    return { wait, open };
  });
  const writer = (fid: number, gate: { wait: Promise<void> } | undefined, written: () => void) =>
    fixture.db.transaction(async (session) => {
      await insertChange(session, touch([fid]));
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
  await vi.waitFor(() => expect(fidsSeen()).toEqual([12]), 30_000);
  for (let n = 13; n < 20; n++) await insertChange(fixture.db, touch([n]));
  await vi.waitFor(() => expect(fidsSeen()).toContain(19), 30_000);
  gates[0]?.open();
  await first;
  await vi.waitFor(() => expect(fidsSeen()).toContain(11), 30_000);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(fidsSeen().sort((a, b) => a - b)).toEqual([11, 12, 13, 14, 15, 16, 17, 18, 19]);
});

test.runIf(onServer)(
  'caches are not trusted while the database is away, and what was missed is found afterwards',
  async () => {
    let away = false;
    const flaky: Database = {
      ...fixture.db,
      read: (statement, params) => (away ? Promise.reject(new Error('away')) : fixture.db.read(statement, params)),
    };
    const { freshness, seen } = await follow(flaky);
    expect(freshness.trusted()).toBe(true);
    away = true;
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(freshness.trusted()).toBe(true);
    await insertChange(fixture.db, touch([21]));
    await vi.waitFor(() => expect(freshness.trusted()).toBe(false), { timeout: 30_000 });
    away = false;
    await vi.waitFor(() => expect(freshness.trusted()).toBe(true), 30_000);
    expect(seen.filter((one) => one.fids.includes(21))).toEqual([touch([21])]);
  },
);

test('change rows go after an hour', async () => {
  await insertChange(fixture.db, touch([31]));
  await fixture.db.run(`update change set at = now() - interval '61 minutes' where 31 = any(fids)`);
  await insertChange(fixture.db, touch([32]));
  expect(await deleteOldChanges(fixture.db)).toBe(1);
  expect(await fixture.db.run('select 1 as n from change where 31 = any(fids)')).toEqual([]);
  expect(await fixture.db.run('select 1 as n from change where 32 = any(fids)')).toHaveLength(1);
});
