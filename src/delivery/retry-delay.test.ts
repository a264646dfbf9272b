import { expect, test } from 'vitest';
import { RETRY_WINDOW_MS, retryDelay } from './retry-delay.js';

test('delays double from ten seconds to an hour, a fifth more or less', () => {
  expect([1, 2, 3, 9, 10, 50].map((attempts) => retryDelay(attempts, 0.5))).toEqual([
    10_000, 20_000, 40_000, 2_560_000, 3_600_000, 3_600_000,
  ]);
  expect([retryDelay(1, 0), retryDelay(1, 1)]).toEqual([8_000, 12_000]);
});

test('an event is tried some thirty times in its day', () => {
  let passed = 0;
  let attempts = 1;
  while (passed < RETRY_WINDOW_MS) passed += retryDelay(attempts++, 0.5);
  expect(attempts).toBeGreaterThan(25);
  expect(attempts).toBeLessThan(40);
});
