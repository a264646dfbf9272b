import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.js';
import { delay } from '../../test/support/delay.js';
import { openPostgres } from './postgres.js';

const onServer = process.env.TEST_DATABASE_URL !== undefined;

let fixture: TestDatabase;
beforeAll(async () => {
  fixture = await openTestDatabase();
});
afterAll(() => fixture.drop());

const named = (): string => `${fixture.url}?application_name=a+process`;

/** Another process with the same database; `heard` counts what its listener was called for. */
const openProcess = async () => {
  const db = openPostgres({ url: named(), poolSize: 2 });
  let heard = 0;
  db.notices.listen(() => (heard += 1));
  onTestFinished(() => db.close());
  await expect.poll(() => db.notices.isListening()).toBe(true);
  // The connection itself counts once, for what was committed before it.
  await expect.poll(() => heard).toBe(1);
  return { db, heard: () => heard - 1 };
};

/** Sessions of the processes that `openProcess` opened. */
const sessions = "pg_stat_activity where datname = current_database() and application_name = 'a process'";

test.runIf(onServer)('a notice reaches every other process and not its sender, many of them as few', async () => {
  const [one, two, three] = [await openProcess(), await openProcess(), await openProcess()];
  one.db.notices.send();
  await expect.poll(() => [two.heard(), three.heard()]).toEqual([1, 1]);
  for (let sent = 0; sent < 1_000; sent += 1) two.db.notices.send();
  await expect.poll(one.heard).toBeGreaterThan(0);
  // The last of them follow the pause after the first.
  await delay(300);
  expect(one.heard()).toBeLessThanOrEqual(2);
  expect(two.heard()).toBe(1);
});

test.runIf(onServer)('a lost connection is known as such, comes back, and counts as a notice', async () => {
  const { db, heard } = await openProcess();
  await fixture.db.run(`select pg_terminate_backend(pid) from ${sessions}`);
  await expect.poll(() => db.notices.isListening()).toBe(false);
  await expect.poll(() => db.notices.isListening(), { timeout: 10_000 }).toBe(true);
  expect(heard()).toBe(1);
});

test.runIf(onServer)(
  'a database that is away fails no sender, and a closed one sends and reconnects no more',
  async () => {
    const away = openPostgres({ url: 'postgres://nobody@127.0.0.1:9/none', poolSize: 1 });
    away.notices.listen(() => expect.unreachable());
    away.notices.send();
    await delay(50);
    expect(away.notices.isListening()).toBe(false);
    await away.close();
    const db = openPostgres({ url: named(), poolSize: 1 });
    db.notices.listen(() => undefined);
    await expect.poll(() => db.notices.isListening()).toBe(true);
    await db.close();
    db.notices.send();
    // Longer than the pause before a reconnection.
    await delay(1_200);
    expect(await fixture.db.run(`select pid from ${sessions}`)).toEqual([]);
  },
);
