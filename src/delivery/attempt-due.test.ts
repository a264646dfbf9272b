import { expect, test } from 'vitest';
import { delay } from '../../test/support/delay.js';
import { attemptDue } from './attempt-due.js';

/** Deliveries that end when the test says so. */
const outbox = (due: string[]) => {
  const inFlight = new Map<string, { resolve: () => void; reject: (error: Error) => void }>();
  const failures: unknown[] = [];
  const limits: number[] = [];
  let isStopping = false;
  const finished = attemptDue({
    concurrency: 2,
    pollIntervalMs: 10,
    claim: async (limit) => {
      limits.push(limit);
      return due.splice(0, limit);
    },
    attempt: (item: string) => new Promise<void>((resolve, reject) => inFlight.set(item, { resolve, reject })),
    failed: (error) => failures.push(error),
    isStopping: () => isStopping,
  });
  const end = (item: string, error?: Error): void => {
    const one = inFlight.get(item);
    inFlight.delete(item);
    if (error) one?.reject(error);
    else one?.resolve();
  };
  const names = () => [...inFlight.keys()];
  return { due, finished, failures, limits, names, end, stop: () => (isStopping = true) };
};

test('a slow attempt keeps one place, and the others go on', async () => {
  const { finished, names, end, limits } = outbox(['slow', 'a', 'b', 'c']);
  await expect.poll(names).toEqual(['slow', 'a']);
  end('a');
  await expect.poll(names).toEqual(['slow', 'b']);
  end('b');
  await expect.poll(names).toEqual(['slow', 'c']);
  end('c');
  end('slow');
  await finished;
  expect(Math.max(...limits)).toBe(2);
});

test('attempts that end together are followed by the next ones', async () => {
  const { finished, names, end } = outbox(['a', 'b', 'c']);
  await expect.poll(names).toEqual(['a', 'b']);
  end('a');
  end('b');
  await expect.poll(names).toEqual(['c']);
  end('c');
  await finished;
});

test('what becomes due during a slow attempt does not wait for it', async () => {
  const { finished, names, end, due } = outbox(['slow']);
  await expect.poll(names).toEqual(['slow']);
  due.push('late');
  await expect.poll(names).toEqual(['slow', 'late']);
  end('late');
  end('slow');
  await finished;
});

test('a failure is reported and stops nothing; stopping claims no more and waits for attempts in progress', async () => {
  const { finished, names, end, stop, failures, due } = outbox(['a', 'b', 'c', 'd']);
  await expect.poll(names).toEqual(['a', 'b']);
  end('a', new Error('away'));
  await expect.poll(names).toEqual(['b', 'c']);
  stop();
  end('b');
  let isFinished = false;
  void finished.then(() => {
    isFinished = true;
  });
  // What became due would have been claimed a few times by then.
  await delay(50);
  expect([isFinished, names(), due]).toEqual([false, ['c'], ['d']]);
  end('c');
  await finished;
  expect(failures).toEqual([new Error('away')]);
});

test('a claim that fails is thrown once nothing is under way', async () => {
  let calls = 0;
  let release: () => void = () => undefined;
  const finished = attemptDue({
    concurrency: 2,
    pollIntervalMs: 1,
    claim: async () => {
      calls += 1;
      if (calls > 1) throw new Error('the database is away');
      return ['one'];
    },
    attempt: () =>
      new Promise<void>((resolve) => {
        release = resolve;
      }),
    failed: () => undefined,
    isStopping: () => false,
  });
  await expect.poll(() => calls).toBe(2);
  release();
  await expect(finished).rejects.toThrow('the database is away');
});
