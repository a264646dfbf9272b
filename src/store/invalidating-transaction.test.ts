import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.js';
import { createFreshness, type Freshness } from '../cache/freshness.js';
import type { Tag } from '../db/statement.js';
import { invalidationOf } from './change.js';
import { createWriteAndInvalidate, type WriteAndInvalidate } from './invalidating-transaction.js';
import { bansOf, relationsOf } from './tag.js';

const APP = '00000000-0000-4000-8000-00000000beef';

let fixture: TestDatabase;
let write: WriteAndInvalidate;
let writing: Freshness;
let elsewhere: Freshness;
beforeAll(async () => {
  fixture = await openTestDatabase();
  writing = createFreshness({ db: fixture.db, pollMs: 60_000 });
  elsewhere = createFreshness({ db: fixture.db, pollMs: 20 });
  write = createWriteAndInvalidate({ db: fixture.db, changed: writing.invalidate });
  await writing.start();
  await elsewhere.start();
});
afterAll(async () => {
  await Promise.all([writing.stop(), elsewhere.stop()]);
  await fixture.drop();
});

const bans = async (): Promise<number> => {
  const [row] = await fixture.db.run<{ count: number }>('select count(*) as count from ban where app_id = $1', [APP]);
  return row?.count ?? 0;
};

/** @returns a function that reports whether the tag was invalidated since this call */
const watchTag = ({ clock }: Freshness, tag: Tag): (() => boolean) => {
  const moment = clock.now();
  return () => clock.isInvalidatedSince(moment, [tag]);
};

test('a write invalidates its tags in this process before it returns, and in other processes soon after', async () => {
  const tag = bansOf(APP);
  const isInvalidatedLocally = watchTag(writing, tag);
  const isInvalidatedRemotely = watchTag(elsewhere, tag);
  const answer = await write(invalidationOf([tag]), async (session) => {
    await session.run('insert into ban (fid, app_id) values (7, $1)', [APP]);
    expect(isInvalidatedLocally()).toBe(false);
    return 'done';
  });
  expect(answer).toBe('done');
  expect(isInvalidatedLocally()).toBe(true);
  expect(await bans()).toBe(1);
  await vi.waitFor(() => expect(isInvalidatedRemotely()).toBe(true), 30_000);
});

test('a failed write leaves no row and invalidates nothing', async () => {
  const tag = relationsOf(424_242);
  const isInvalidatedLocally = watchTag(writing, tag);
  const failing = write(invalidationOf([tag]), async (session) => {
    await session.run('insert into ban (fid, app_id) values (8, $1)', [APP]);
    throw new Error('no more of this');
  });
  await expect(failing).rejects.toThrow('no more of this');
  expect(await bans()).toBe(1);
  expect(isInvalidatedLocally()).toBe(false);
  expect(await fixture.db.run('select from change where $1 = any(tags)', [tag])).toEqual([]);
});
