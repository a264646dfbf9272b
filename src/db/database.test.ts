import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.js';
import { isOutcomeUnknown } from './commit-outcome.js';
import { isDatabaseUnavailable } from './failure.js';
import { migrate, readMigrations } from './migrate.js';
import { selectSchemaState } from './schema-state.js';
import { priorityStatement, priorityWrite, searchStatement, statement } from './statement.js';

let fixture: TestDatabase;
beforeAll(async () => {
  fixture = await openTestDatabase({ migrated: false });
});
afterAll(() => fixture.drop());

test('migrations run once, also when two processes start together', async () => {
  const all = (await readMigrations()).map((migration) => migration.name);
  expect(await selectSchemaState(fixture.db)).toEqual({ kind: 'absent' });
  const [first, second] = await Promise.all([migrate(fixture.db), migrate(fixture.db)]);
  expect([...first, ...second]).toEqual(all);
  expect(await selectSchemaState(fixture.db)).toEqual({ kind: 'current' });
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
    fixture.db.read(priorityStatement('test_urgent', 'select 1 as n'), []).then(() => ended.push('urgent')),
  ];
  await one;
  expect(ended).toEqual(['urgent']);
  await Promise.all(many);
});

test.runIf(process.env.TEST_DATABASE_URL !== undefined)(
  'searches hold up no other read, and are given up after seconds',
  async () => {
    const ended: string[] = [];
    const slow = searchStatement('test_search', 'select pg_sleep(60)');
    const searches = Array.from({ length: 4 }, () =>
      fixture.db.read(slow, []).catch((error: { code?: string; message: string }) => {
        ended.push('search');
        return error.code ?? error.message;
      }),
    );
    const plain = statement<{ n: number }>('test_plain', 'select 1 as n');
    const reads = Array.from({ length: 20 }, () => fixture.db.read(plain, []).then(() => ended.push('read')));
    await Promise.all(reads);
    expect(ended).toEqual(Array(20).fill('read'));
    // Two run at a time; the others wait for a connection for at most five seconds.
    const outcomes = await Promise.all(searches);
    expect(outcomes.slice(0, 2)).toEqual(['57014', '57014']);
    for (const outcome of outcomes.slice(2)) {
      expect(outcome).toMatch(/^(57014|53300)$/);
    }
  },
  30_000,
);

test('a transaction that throws leaves nothing behind', async () => {
  await fixture.db.script('create schema if not exists scratch; create table scratch.single (n int)');
  await expect(
    fixture.db.transaction(async (session) => {
      await session.run('insert into scratch.single values (1)');
      throw new Error('stop');
    }),
  ).rejects.toThrow('stop');
  expect(await fixture.db.run('select * from scratch.single')).toEqual([]);
});

test.runIf(process.env.TEST_DATABASE_URL !== undefined)(
  'a connection that is lost inside a transaction fails that transaction alone',
  async () => {
    const failure = await fixture.db
      .transaction(async (session) => {
        const [own] = await session.run<{ pid: number }>('select pg_backend_pid() as pid');
        await fixture.db.run('select pg_terminate_backend($1)', [own?.pid ?? 0]);
        // The loss must arrive while no query is in progress.
        const backends = () => fixture.db.run('select 1 from pg_stat_activity where pid = $1', [own?.pid ?? 0]);
        await expect.poll(backends).toEqual([]);
        await session.run('select 1');
      })
      .catch((error: unknown) => error);
    expect(isDatabaseUnavailable(failure)).toBe(true);
    expect(await fixture.db.transaction((session) => session.run('select 1 as one'))).toEqual([{ one: 1 }]);
  },
);

test.runIf(process.env.TEST_DATABASE_URL !== undefined && process.env.TEST_POOLER_URL === undefined)(
  'a server gives up sessions of clients that are gone',
  async () => {
    const shown = await fixture.db.run(
      "select name, setting from pg_settings where name in ('tcp_user_timeout', 'client_connection_check_interval') order by name",
    );
    expect(shown).toEqual([
      { name: 'client_connection_check_interval', setting: '2000' },
      // 0 over a Unix socket.
      { name: 'tcp_user_timeout', setting: expect.stringMatching(/^(9000|0)$/) },
    ]);
  },
);

test.runIf(process.env.TEST_DATABASE_URL !== undefined)('a server refuses writes among the reads', async () => {
  const { db } = fixture;
  await db.script('create schema if not exists scratch; create table scratch.refused (n int)');
  const insert = 'insert into scratch.refused values (1) returning n';
  const attempts = [
    db.read(statement('test_write', insert), []),
    db.read(priorityStatement('test_urgent_write', insert), []),
    db.select(insert),
    db.select(`with written as (${insert}) select n from written`),
  ];
  const codes = (await Promise.allSettled(attempts)).map((one) => one.status === 'rejected' && one.reason.code);
  expect(codes).toEqual(['25006', '25006', '25006', '25006']);
  expect(await db.select('select n from scratch.refused')).toEqual([]);
});

test.runIf(process.env.TEST_DATABASE_URL !== undefined)(
  'a write whose connection breaks is not sent again, a read is',
  async () => {
    const { db } = fixture;
    await db.run('create sequence tries');
    const tries = async (): Promise<number | undefined> =>
      (await db.select<{ n: number }>('select last_value as n from tries'))[0]?.n;
    // A failed statement does not undo nextval, so the sequence counts how often the statement was executed.
    const breaking = `select nextval('tries'), pg_terminate_backend(pg_backend_pid()), pg_sleep(10)`;
    const failures = await Promise.all([
      db.run(breaking).catch((error: unknown) => error),
      db.writeWithPriority(priorityWrite('test_breaking', breaking), []).catch((error: unknown) => error),
    ]);
    expect(failures.map(isDatabaseUnavailable)).toEqual([true, true]);
    expect(failures.map(isOutcomeUnknown)).toEqual([true, false]);
    expect(await tries()).toBe(2);

    const [reader] = await db.select<{ pid: number }>('select pg_backend_pid() as pid');
    const sleeping = db.select<{ n: number }>('select 7 as n, pg_sleep(1)');
    const other = db.select<{ n: number }>('select 8 as n, pg_sleep(1)');
    await db.run('select pg_terminate_backend($1)', [reader?.pid ?? 0]);
    expect((await Promise.all([sleeping, other])).map(([row]) => row?.n)).toEqual([7, 8]);
  },
);

test.runIf(process.env.TEST_DATABASE_URL !== undefined)(
  'only a connection that breaks during a commit leaves the outcome unknown',
  async () => {
    const { db } = fixture;
    await db.run('create table doubtful (n int)');
    await db.run(`create function end_session() returns trigger language plpgsql as
                  'begin perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(10); return null; end'`);
    // Deferred triggers run during the commit.
    await db.run(`create constraint trigger at_commit after insert on doubtful deferrable initially deferred
                  for each row when (new.n = 2) execute function end_session()`);
    await db.run(`create trigger at_once after insert on doubtful
                  for each row when (new.n = 1) execute function end_session()`);
    const insert = (n: number) =>
      db
        .transaction((session) => session.run('insert into doubtful values ($1)', [n]))
        .catch((error: unknown) => error);
    const [early, late] = [await insert(1), await insert(2)];
    expect([isOutcomeUnknown(early), isOutcomeUnknown(late)]).toEqual([false, true]);
    expect([isDatabaseUnavailable(early), isDatabaseUnavailable(late)]).toEqual([true, true]);
    expect(await db.select('select n from doubtful')).toEqual([]);
  },
);
