import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.js';
import { delay } from '../../test/support/delay.js';
import { openPostgres } from '../db/postgres.js';
import { runDue } from '../store/job-run.js';
import { createSchedule, type Job } from './schedule.js';

let fixture: TestDatabase;
beforeAll(async () => {
  fixture = await openTestDatabase();
});
afterAll(() => fixture.drop());

const schedule = (
  jobs: Job[],
  failed: (job: string, error: unknown) => void = (_, error) => expect.unreachable(String(error)),
) => createSchedule({ db: fixture.db, jobs, failed });

test('several processes together run a job once in its interval and never twice at a time', async () => {
  let running = 0;
  let most = 0;
  let runs = 0;
  const job: Job = {
    name: 'test-shared',
    everyMs: 300,
    run: async () => {
      runs++;
      running++;
      most = Math.max(most, running);
      await delay(50);
      running--;
    },
  };
  const processes = [schedule([job]), schedule([job]), schedule([job])];
  const began = Date.now();
  for (const one of processes) one.start();
  await expect.poll(() => runs).toBe(3);
  expect(Date.now() - began).toBeGreaterThanOrEqual(600);
  await Promise.all(processes.map((one) => one.stop()));
  expect([most, running]).toEqual([1, 0]);
});

test('upkeep jobs start after a delay, or never if the service stops before', async () => {
  const ran: string[] = [];
  const job = (name: string, isUpkeep: boolean): Job => ({
    name,
    everyMs: 60_000,
    isUpkeep,
    run: async () => void ran.push(name),
  });
  const jobs = [job('test-upkeep', true), job('test-work', false)];
  const stopped = createSchedule({ db: fixture.db, jobs, failed: () => expect.unreachable(), upkeepDelayMs: 60_000 });
  stopped.start();
  await expect.poll(() => ran).toEqual(['test-work']);
  await stopped.stop();
  const lasting = createSchedule({ db: fixture.db, jobs, failed: () => expect.unreachable(), upkeepDelayMs: 300 });
  const began = Date.now();
  lasting.start();
  await expect.poll(() => ran).toEqual(['test-work', 'test-upkeep']);
  expect(Date.now() - began).toBeGreaterThanOrEqual(290);
  await lasting.stop();
});

test('a job that fails is reported and does not stop the others', async () => {
  const failures: string[] = [];
  let good = 0;
  const one = schedule(
    [
      { name: 'test-bad', everyMs: 60_000, run: () => Promise.reject(new Error('no')) },
      {
        name: 'test-good',
        everyMs: 60_000,
        run: async () => {
          good++;
        },
      },
    ],
    (job, error) => void failures.push(`${job}: ${(error as Error).message}`),
  );
  one.start();
  await expect.poll(() => good).toBe(1);
  await one.stop();
  expect(failures).toEqual(['test-bad: no']);
});

test('stopping ends a job that listens, and that is no failure', async () => {
  let isRunning = false;
  const one = schedule([
    {
      name: 'test-long',
      everyMs: 60_000,
      run: (signal) => {
        isRunning = true;
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
    },
  ]);
  one.start();
  await expect.poll(() => isRunning).toBe(true);
  await one.stop();
});

test('a job whose work PostgreSQL refused as the victim of a deadlock is reported, not run again at once', async () => {
  const failures: string[] = [];
  let runs = 0;
  const deadlock = Object.assign(new Error('deadlock detected'), { code: '40P01' });
  const one = schedule(
    [
      {
        name: 'test-deadlock',
        everyMs: 60_000,
        run: () => {
          runs++;
          return Promise.reject(deadlock);
        },
      },
    ],
    (job, error) => void failures.push(`${job}: ${(error as Error).message}`),
  );
  one.start();
  await expect.poll(() => failures).toEqual(['test-deadlock: deadlock detected']);
  await one.stop();
  expect(runs).toBe(1);
});

test('a run of a crashed process blocks its job only until the lease expires', async () => {
  const { db } = fixture;
  let runs = 0;
  const tryRun = () =>
    runDue(db, 'test-crashed', 60_000, async () => {
      runs++;
    });
  await db.run(
    `insert into job_run (name, began_at, claimed_by, claimed_until)
     values ('test-crashed', now() - interval '1 hour', gen_random_uuid(), now() + interval '10 seconds')`,
  );
  // It may end at any time: the job is tried again after a tenth of its interval.
  expect([await tryRun(), runs]).toEqual([6_000, 0]);
  await db.run("update job_run set claimed_until = now() where name = 'test-crashed'");
  expect([await tryRun(), runs]).toEqual([undefined, 1]);
  const waitMs = await tryRun();
  expect(waitMs).toBeGreaterThan(50_000);
  expect(waitMs).toBeLessThanOrEqual(60_000);
  expect(runs).toBe(1);
});

test('work without an interval runs in one process at a time', async () => {
  const { db } = fixture;
  let end = (): void => undefined;
  let runs = 0;
  const work = () => {
    runs++;
    return new Promise<void>((resolve) => {
      end = resolve;
    });
  };
  const first = runDue(db, 'test-leader', 0, work);
  await expect.poll(() => runs).toBe(1);
  expect(await runDue(db, 'test-leader', 0, work)).toBe(0);
  expect(runs).toBe(1);
  end();
  expect(await first).toBeUndefined();
});

test('a running job renews its lease, and is aborted when another process takes it over', async () => {
  const { db } = fixture;
  const held = async (): Promise<boolean | undefined> => {
    const rows = await db.select<{ held: boolean }>(
      "select claimed_until > now() + interval '5 seconds' as held from job_run where name = 'test-lease'",
    );
    return rows[0]?.held;
  };
  let fail = (_: unknown): void => undefined;
  const work = (signal: AbortSignal) =>
    new Promise<void>((_, reject) => {
      fail = reject;
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  const ended = runDue(db, 'test-lease', 60_000, work, 200);
  try {
    await expect.poll(held).toBe(true);
    await db.run("update job_run set claimed_until = now() where name = 'test-lease'");
    await expect.poll(held).toBe(true);
    await db.run("update job_run set claimed_by = gen_random_uuid() where name = 'test-lease'");
    await expect(ended).rejects.toThrow('Another process has begun the job test-lease.');
  } finally {
    fail(new Error('the test is over'));
    await ended.catch(() => undefined);
  }
});

test.runIf(process.env.TEST_DATABASE_URL !== undefined)('jobs under way take no connection from others', async () => {
  const db = openPostgres({ url: fixture.url as string, poolSize: 2 });
  let running = 0;
  let end = (): void => undefined;
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  const jobs = [1, 2, 3].map(
    (n): Job => ({
      name: `test-lasting-${n}`,
      everyMs: 60_000,
      run: async () => {
        running++;
        await over;
      },
    }),
  );
  const one = createSchedule({ db, jobs, failed: (_, error) => expect.unreachable(String(error)) });
  try {
    one.start();
    await expect.poll(() => running).toBe(3);
    expect(await db.transaction((session) => session.run('select 1 as n'))).toEqual([{ n: 1 }]);
  } finally {
    end();
    await one.stop();
    await db.close();
  }
});

test('a job with a quiet interval runs after a commit, and again as long as something is left to do', async () => {
  let runs = 0;
  let left = 0;
  const run = async (): Promise<boolean> => {
    runs += 1;
    left -= 1;
    return left >= 0;
  };
  const job: Job = { name: 'test-quiet', everyMs: 100, quietMs: 3_600_000, run };
  const lazy = schedule([job]);
  lazy.start();
  await expect.poll(() => runs).toBe(1);
  for (const expected of [2, 3]) {
    // Sooner than the interval allows: it waits for that, and is not forgotten.
    lazy.wake();
    lazy.wake();
    await expect.poll(() => runs).toBe(expected);
  }
  left = 2;
  lazy.wake();
  await expect.poll(() => runs).toBe(6);
  // Several times as long as its short interval.
  await delay(500);
  expect(runs).toBe(6);
  await lazy.stop();
});

test('a database whose clock was set back holds no job up', async () => {
  const name = 'test-clock';
  const ran: number[] = [];
  const run = (everyMs: number) => runDue(fixture.db, name, everyMs, async () => void ran.push(everyMs));
  const began = (ahead: string, claimedAhead: string | null) =>
    fixture.db.run(
      `insert into job_run (name, began_at, claimed_by, claimed_until)
       values ($1, now() + $2::interval, case when $3::text is not null then gen_random_uuid() end, now() + $3::interval)
           on conflict (name) do update set
             began_at = excluded.began_at, claimed_by = excluded.claimed_by, claimed_until = excluded.claimed_until`,
      [name, ahead, claimedAhead],
    );
  await began('2 hours', null);
  expect(await run(0)).toBeUndefined();
  await began('2 hours', '2 hours 15 seconds');
  expect(await run(3_600_000)).toBeUndefined();
  expect(ran).toEqual([0, 3_600_000]);
  // A run of another process, and one that has ended, each begun a moment after this transaction.
  await began('5 seconds', '20 seconds');
  expect(await run(60_000)).toBe(60_000);
  await began('5 seconds', null);
  expect(await run(60_000)).toBe(60_000);
  expect(ran).toHaveLength(2);
});
