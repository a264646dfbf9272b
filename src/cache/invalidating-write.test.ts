import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.js';
import type { Tag } from '../db/statement.js';
import { invalidationOf } from '../store/change.js';
import { bansOf, relationsOf } from '../store/tag.js';
import { createFreshness, type Freshness } from './freshness.js';
import { createChange } from './invalidating-write.js';

const APP = '00000000-0000-4000-8000-00000000beef';

let fixture: TestDatabase;
let writing: Freshness;
let elsewhere: Freshness;
beforeAll(async () => {
  fixture = await openTestDatabase();
  writing = createFreshness({ db: fixture.db, pollMs: 60_000 });
  elsewhere = createFreshness({ db: fixture.db, pollMs: 20 });
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

test('a write is known here before it is answered, and elsewhere by its row', async () => {
  const tag = bansOf(APP);
  const isInvalidatedLocally = watchTag(writing, tag);
  const isInvalidatedRemotely = watchTag(elsewhere, tag);
  const answer = await createChange(fixture.db, writing)(invalidationOf([tag]), async (session) => {
    await session.run('insert into ban (fid, app_id) values (7, $1)', [APP]);
    expect(isInvalidatedLocally()).toBe(false);
    return 'done';
  });
  expect(answer).toBe('done');
  expect(isInvalidatedLocally()).toBe(true);
  expect(await bans()).toBe(1);
  await vi.waitFor(() => expect(isInvalidatedRemotely()).toBe(true), 30_000);
});

test('a failed write leaves no row and tells nobody else, but what is cached here counts as invalid', async () => {
  const tag = relationsOf(424_242);
  const isInvalidatedLocally = watchTag(writing, tag);
  const failing = createChange(fixture.db, writing)(invalidationOf([tag]), async (session) => {
    await session.run('insert into ban (fid, app_id) values (8, $1)', [APP]);
    throw new Error('no more of this');
  });
  await expect(failing).rejects.toThrow('no more of this');
  expect(await bans()).toBe(1);
  expect(isInvalidatedLocally()).toBe(true);
  expect(await fixture.db.run('select from change where $1 = any(tags)', [tag])).toEqual([]);
});
