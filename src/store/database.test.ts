import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.js';
import { statement, urgentStatement } from './database.js';
import { isDatabaseAway } from './failure.js';
import { migrate, readMigrations, selectPendingMigrations } from './migrate.js';

let fixture: TestDatabase;
beforeAll(async () => {
  fixture = await openTestDatabase({ migrated: false });
});
afterAll(() => fixture.drop());

test('migrations run once, also when two processes start together', async () => {
  const all = (await readMigrations()).map((migration) => migration.name);
  expect(await selectPendingMigrations(fixture.db)).toEqual(all);
  const [first, second] = await Promise.all([migrate(fixture.db), migrate(fixture.db)]);
  expect([...first, ...second]).toEqual(all);
  expect(await selectPendingMigrations(fixture.db)).toEqual([]);
});

test('values come back as the types the rest of the code counts on', async () => {
  const [row] = await fixture.db.run<{ n: number; a: number[]; b: Buffer; t: Date; none: number[] }>(
    `select $1::bigint as n, $2::bigint[] as a, $3::bytea as b, $4::timestamptz as t, '{}'::bigint[] as none`,
    [9007199254740991, [1, 2], Buffer.from([0, 255]), new Date('2024-02-29T12:00:00.000Z')],
  );
  expect(row?.n).toBe(9007199254740991);
  expect(row?.a).toEqual([1, 2]);
  expect(row?.b).toEqual(Buffer.from([0, 255]));
  expect(row?.t.toISOString()).toBe('2024-02-29T12:00:00.000Z');
  expect(row?.none).toEqual([]);
});

test('named reads run side by side and fail one by one', async () => {
  const divide = statement<{ q: number }>('test_divide', 'select 100 / $1::int as q');
  const results = await Promise.allSettled([1, 2, 0, 4].map((n) => fixture.db.read(divide, [n])));
  expect(results.map((r) => (r.status === 'fulfilled' ? r.value[0]?.q : r.reason.code))).toEqual([
    100,
    50,
    '22012',
    25,
  ]);
});

test.runIf(process.env.TEST_DATABASE_URL !== undefined)('an urgent read does not wait behind others', async () => {
  const ended: string[] = [];
  const slow = statement('test_slow', 'select pg_sleep(1)');
  const [many, one] = [
    Array.from({ length: 6 }, () => fixture.db.read(slow, []).then(() => ended.push('slow'))),
    fixture.db.read(urgentStatement('test_urgent', 'select 1 as n'), []).then(() => ended.push('urgent')),
  ];
  await one;
  expect(ended).toEqual(['urgent']);
  await Promise.all(many);
});

test('a transaction that throws leaves nothing behind', async () => {
  await fixture.db.run('create table if not exists scratch (n int)');
  await expect(
    fixture.db.transaction(async (session) => {
      await session.run('insert into scratch values (1)');
      throw new Error('stop');
    }),
  ).rejects.toThrow('stop');
  expect(await fixture.db.run('select * from scratch')).toEqual([]);
});

test.runIf(process.env.TEST_DATABASE_URL !== undefined)(
  'a connection that is lost inside a transaction fails that transaction alone',
  async () => {
    const failure = await fixture.db
      .transaction(async (session) => {
        const [own] = await session.run<{ pid: number }>('select pg_backend_pid() as pid');
        await fixture.db.run('select pg_terminate_backend($1)', [own?.pid ?? 0]);
        // Time for the loss to arrive while no query is under way.
        await new Promise((resolve) => setTimeout(resolve, 200));
        await session.run('select 1');
      })
      .catch((error: unknown) => error);
    expect(isDatabaseAway(failure)).toBe(true);
    expect(await fixture.db.transaction((session) => session.run('select 1 as one'))).toEqual([{ one: 1 }]);
  },
);
