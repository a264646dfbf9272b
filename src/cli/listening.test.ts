import { expect, test } from 'vitest';
import { stayUntilAborted } from './listening.js';

test('a process that waits for its end stays alive, and only until then', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length;
  const before = timers();
  const stopped = new AbortController();
  const waiting = stayUntilAborted(stopped.signal);
  expect(timers()).toBe(before + 1);
  stopped.abort();
  await waiting;
  expect(timers()).toBe(before);
});
