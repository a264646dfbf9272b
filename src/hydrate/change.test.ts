import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.js';
import { type Touched, touchedLists } from '../store/change.js';
import { bansOf, relationsOf } from '../store/list-source.js';
import { createChange } from './change.js';
import { createFreshness, type Freshness } from './freshness.js';

const APP = '00000000-0000-4000-8000-00000000beef';

let fixture: TestDatabase;
let writing: Freshness;
let elsewhere: Freshness;
const heard: Touched[] = [];
const heardElsewhere: Touched[] = [];
beforeAll(async () => {
  fixture = await openTestDatabase();
  writing = createFreshness({ db: fixture.db, pollMs: 60_000 });
  elsewhere = createFreshness({ db: fixture.db, pollMs: 20 });
  writing.subscribe((touched) => heard.push(touched));
  elsewhere.subscribe((touched) => heardElsewhere.push(touched));
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

test('what is written is known here before it is answered, and elsewhere by its row', async () => {
  const touched = touchedLists([bansOf(APP)]);
  const answer = await createChange(fixture.db, writing)(touched, async (session) => {
    await session.run('insert into ban (fid, app_id) values (7, $1)', [APP]);
    expect(heard).toEqual([]);
    return 'done';
  });
  expect(answer).toBe('done');
  expect(heard).toEqual([touched]);
  expect(await bans()).toBe(1);
  await vi.waitFor(() => expect(heardElsewhere.flatMap(({ lists }) => lists)).toContain(bansOf(APP)), 30_000);
});

test('what fails leaves neither rows nor news behind, but nothing kept here is trusted', async () => {
  heard.length = 0;
  const touched = touchedLists([relationsOf(424_242)]);
  const failing = createChange(fixture.db, writing)(touched, async (session) => {
    await session.run('insert into ban (fid, app_id) values (8, $1)', [APP]);
    throw new Error('no more of this');
  });
  await expect(failing).rejects.toThrow('no more of this');
  expect(await bans()).toBe(1);
  expect(heard).toEqual([touched]);
  const rows = await fixture.db.run('select from change where $1 = any(lists)', [relationsOf(424_242)]);
  expect(rows).toEqual([]);
});
