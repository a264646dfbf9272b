import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createPollingLoop } from './polling-loop.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** A loop whose rounds end when the test says so; `rounds` counts those that have begun. */
const openLoop = (everyMs: number) => {
  let rounds = 0;
  let end: () => void = () => undefined;
  const failed = vi.fn();
  const loop = createPollingLoop({
    everyMs,
    round: () => {
      rounds += 1;
      return new Promise((done, fail) => {
        end = done;
        if (rounds === 3) fail(new Error('the third fails'));
      });
    },
    failed,
  });
  onTestFinished(() => {
    end();
    return loop.stop();
  });
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  return {
    loop,
    failed,
    pass,
    rounds: () => rounds,
    endRound: async () => {
      end();
      await pass(0);
    },
  };
};

test('a round begins at the start, and then the interval after the end of each, also of one that failed', async () => {
  const { loop, failed, pass, rounds, endRound } = openLoop(1_000);
  loop.start();
  expect(rounds()).toBe(1);
  await pass(5_000);
  expect(rounds()).toBe(1);
  await endRound();
  await pass(999);
  expect(rounds()).toBe(1);
  await pass(1);
  expect(rounds()).toBe(2);
  await endRound();
  await pass(1_000);
  expect([rounds(), failed.mock.calls]).toEqual([3, [[new Error('the third fails')]]]);
  await pass(1_000);
  expect(rounds()).toBe(4);
});

test('the earliest time that was asked for counts, and later ones do not delay it', async () => {
  const { loop, pass, rounds, endRound } = openLoop(10_000);
  loop.start();
  await endRound();
  loop.pollIn(300);
  loop.pollIn(200);
  loop.pollIn(5_000);
  await pass(199);
  expect(rounds()).toBe(1);
  await pass(1);
  expect(rounds()).toBe(2);
  await endRound();
  await pass(9_999);
  expect(rounds()).toBe(2);
});

test('what becomes due during a round is looked for after it, once', async () => {
  const { loop, pass, rounds, endRound } = openLoop(10_000);
  loop.start();
  loop.pollNow();
  loop.pollIn(100);
  await pass(100);
  expect(rounds()).toBe(1);
  await endRound();
  expect(rounds()).toBe(2);
  await endRound();
  await pass(9_999);
  expect(rounds()).toBe(2);
});

test('a loop that was not started runs when it is asked to, and a stopped one never', async () => {
  const { loop, pass, rounds, endRound } = openLoop(1_000);
  loop.pollNow();
  await endRound();
  await pass(60_000);
  expect(rounds()).toBe(1);
  loop.pollIn(1);
  await loop.stop();
  await pass(1_000);
  loop.pollNow();
  expect(rounds()).toBe(1);
});
