import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.js';
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
      await new Promise((resolve) => setTimeout(resolve, 50));
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
  const one = schedule([
    {
      name: 'test-long',
      everyMs: 60_000,
      run: (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    },
  ]);
  one.start();
  await new Promise((resolve) => setTimeout(resolve, 100));
  await one.stop();
});
