import { afterEach, describe, expect, test } from 'vitest';
import { requireReleased } from './support/database-lease.js';
import { leaseDatabase } from './support/shared-database.js';

/** Leases of a test that failed before it released them. */
const open = new Set<Awaited<ReturnType<typeof leaseDatabase>>>();
const lease = async () => {
  const leased = await leaseDatabase();
  open.add(leased);
  return leased;
};
afterEach(async () => {
  for (const one of open) await one.release().catch(() => undefined);
  open.clear();
});

const release = async (leased: Awaited<ReturnType<typeof leaseDatabase>>) => {
  open.delete(leased);
  await leased.release();
};

// On a server, each test file has a database of its own.
describe.runIf(process.env.TEST_DATABASE_URL === undefined)('the embedded database that test files share', () => {
  test('the next user of a database finds it as the first one did', async () => {
    const first = await lease();
    const seeds = await first.db.run('select * from event_log_start');
    await first.db.script(`
      insert into account (fid, first_ts, score) select n, 1, 0.5 from generate_series(1, 5000) n;
      insert into ban (fid, app_id) values (1, '11111111-1111-1111-1111-111111111111');
      update event_log_start set log_id = 7;
      analyze account;
      create schema scratch; create table scratch.held (n int);
      set statement_timeout = '7s'`);
    await release(first);
    const second = await lease();
    expect(await second.db.run('select count(*)::int as n from account')).toEqual([{ n: 0 }]);
    expect(await second.db.run('select from ban')).toEqual([]);
    expect(await second.db.run('select * from event_log_start')).toEqual(seeds);
    expect(await second.db.run("select from pg_statistic where starelid = 'account'::regclass")).toEqual([]);
    expect(await second.db.run("select from pg_namespace where nspname = 'scratch'")).toEqual([]);
    expect(await second.db.run('show statement_timeout')).toEqual([{ statement_timeout: '0' }]);
  });

  test('identities begin again', async () => {
    const ids: unknown[] = [];
    for (let turn = 0; turn < 2; turn++) {
      const { db } = await lease();
      const [{ name } = { name: '' }] = await db.run<{ name: string }>(
        "select pg_get_serial_sequence('hub_event', 'id') as name",
      );
      ids.push(...(await db.run('select nextval($1::regclass)::int as id', [name])));
      for (const one of open) await release(one);
    }
    expect(ids).toEqual([{ id: 1 }, { id: 1 }]);
  });

  test.each([
    [
      'a table',
      'create table left_over (n int)',
      /shared-database.test.ts left something behind: the schema of the database was changed/,
    ],
    [
      'a constraint',
      'alter table account add constraint odd check (fid > 0)',
      /the schema of the database was changed/,
    ],
    ['a lock', 'select pg_advisory_lock(7)', /an advisory lock is still held/],
  ])('a file that leaves %s behind fails by its name', async (_, statement, message) => {
    const leased = await lease();
    await leased.db.run(statement);
    await expect(release(leased)).rejects.toThrow(message);
    await expect(leased.release()).resolves.toBeUndefined();
  });

  test('a file that does not release its database fails by its name, once', async () => {
    await lease();
    expect(requireReleased).toThrow(/shared-database.test.ts ended without releasing its database/);
    expect(requireReleased).not.toThrow();
  });

  test('a database takes no statement after it was released', async () => {
    const leased = await lease();
    await release(leased);
    expect(() => leased.db.run('select 1')).toThrow('after the database had been released');
  });
});
