import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.js';
import { openTestIngest } from '../../test/support/ingest.js';
import { toUnixMs } from '../protocol/time.js';
import { sampleTime } from '../sample/clock.js';
import { generateSampleNetwork } from '../sample/network.js';
import type { Invalidation } from '../store/change.js';
import { profileOf } from '../store/tag.js';
import { scoreAccounts } from './score.js';

let fixture: TestDatabase;
const network = generateSampleNetwork({ accounts: 200, casts: 20, reactions: 20, follows: 3000 });
const spam = new Set(network.spamFids);

beforeAll(async () => {
  fixture = await openTestDatabase();
  const ingest = openTestIngest(fixture.db);
  for await (const items of network.items()) await ingest.submit(items, { source: 'sample', announce: false });
});
afterAll(() => fixture.drop());

const scores = async () => {
  const rows = await fixture.db.run<{ fid: number; score: number }>(
    'select fid, score from account where registered_at is not null order by fid',
  );
  return new Map(rows.map((row) => [row.fid, row]));
};
const now = toUnixMs(sampleTime());

test('spam and normal accounts get different scores, from 0 to 1, the same each time', async () => {
  const { db } = fixture;
  const before = await scores();
  const invalidations: Invalidation[] = [];
  const written = await scoreAccounts({ db, now, changed: (one) => invalidations.push(one) });
  const after = await scores();
  const of = (isSpam: boolean) =>
    [...after.values()].filter((row) => spam.has(row.fid) === isSpam).map((row) => row.score);
  expect(of(true)).toHaveLength(spam.size);
  expect(Math.max(...of(true))).toBeLessThan(0.2);
  expect(Math.min(...of(false))).toBeGreaterThan(0.2);
  expect(Math.max(...of(false))).toBeLessThanOrEqual(1);

  // Exactly the accounts that changed are invalidated.
  const changed = [...after.values()].filter((row) => row.score !== before.get(row.fid)?.score).map((row) => row.fid);
  expect(written).toBe(changed.length);
  expect(invalidations.flatMap((one) => one.tags).sort((a, b) => a - b)).toEqual(changed.map(profileOf));
  const [row] = await db.run('select tags, is_all as "all" from change order by id desc limit 1');
  expect(row).toEqual(invalidations.at(-1));

  expect(await scoreAccounts({ db, now, changed: () => expect.unreachable() })).toBe(0);
  await db.run('update account set score = 0');
  await scoreAccounts({ db, now, changed: () => undefined });
  expect([...(await scores()).values()].map((one) => one.score)).toEqual([...after.values()].map((one) => one.score));
});

test('accounts that do not exist get no score, and links to them do not matter', async () => {
  const { db } = fixture;
  await db.run(`insert into account (fid) values (9000)`);
  await db.run(`insert into link (target_fid, type, ts, hash, fid) values (9000, 1, 1, '\\x01', 1)`);
  await scoreAccounts({ db, now, changed: () => undefined });
  expect(await db.run('select score from account where fid = 9000')).toEqual([{ score: 0 }]);
});
