import { expect, test } from 'vitest';
import { describeSync, SyncProgress, type SyncState } from './sync-progress.js';

test('the time left follows from what this process has done, not from what was done before', () => {
  let now = 0;
  const reported: SyncState[] = [];
  const progress = new SyncProgress(
    (state) => reported.push(state),
    () => now,
  );
  progress.update(900, 1000);
  expect(progress.state).toEqual({ done: 900, total: 1000, secondsLeft: null });
  now = 30_000;
  progress.update(910, 1000);
  expect(progress.state.secondsLeft).toBe(270);
  expect(reported).toEqual([]);
  now = 61_000;
  progress.update(920, 1000);
  now = 62_000;
  progress.update(921, 1000);
  expect(reported).toEqual([{ done: 920, total: 1000, secondsLeft: 244 }]);
});

test.each([
  [{ done: 0, total: 0, secondsLeft: null }, 'syncing 0%'],
  [{ done: 370, total: 1000, secondsLeft: 5 * 3600 + 100 }, 'syncing 37%, about 5 h left'],
  [{ done: 999, total: 1000, secondsLeft: 0 }, 'syncing 99%, about 1 s left'],
  [{ done: 1, total: 1000, secondsLeft: 200_000 }, 'syncing 0%, about 2 d left'],
  [{ done: 1, total: 10, secondsLeft: 90 }, 'syncing 10%, about 2 min left'],
])('%j is %s', (state, text) => expect(describeSync(state)).toBe(text));
