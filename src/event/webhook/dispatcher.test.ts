import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { openTestReads, watchDatabase } from '../../../test/support/read-cache.js';
import { searchHere } from '../pattern-search.js';
import { createDispatcher } from './dispatcher.js';

let fixture: TestDatabase;
beforeAll(async () => {
  fixture = await openTestDatabase();
});
afterAll(() => fixture.drop());

test('the event log is read after each commit, and not otherwise', async () => {
  const { db, sent } = watchDatabase(fixture.db);
  const { reads } = openTestReads(fixture.db, 0);
  let commit: () => void = () => undefined;
  const failed = vi.fn();
  const { start, stop } = createDispatcher({
    ...{ db, search: searchHere, clock: Date.now, written: () => undefined, failed },
    reads: { ...reads, onChange: (listener) => (commit = listener) },
    pollMs: 3_600_000,
  });
  onTestFinished(stop);
  let count = 0;
  const counted = (): number => (count += sent().filter((name) => name === 'webhook_cursor').length);
  start();
  await expect.poll(counted).toBe(1);
  for (let commits = 1; commits <= 5; commits += 1) {
    commit();
    // A second commit before the next read is found by that read.
    commit();
    await expect.poll(counted).toBe(1 + commits);
  }
  // Ten times the shortest time between two reads: a dispatcher that polled would have read again.
  const began = performance.now();
  await expect.poll(() => performance.now() - began).toBeGreaterThan(500);
  expect(counted()).toBe(6);
  expect(failed).not.toHaveBeenCalled();
});
