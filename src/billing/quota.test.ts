import { describe, expect, test } from 'vitest';
import { blockOf, grantOf, unitsUsedUp } from './quota.js';

test.each([
  [0, 0],
  [999, 0],
  [1000, 20],
  [10_000_000, 200_000],
  [50_000_000, 1_000_000],
  [Number.MAX_SAFE_INTEGER, 1_000_000],
])('of %i units left a block is %i', (left, block) => {
  expect(blockOf(left)).toBe(block);
});

describe('a grant', () => {
  test.each([
    ['is a block where little is wanted', 100_000, { units: 5, least: 5 }, 2000],
    ['is what is wanted where that is more', 100_000, { units: 5000, least: 1 }, 5000],
    ['is what is wanted alone near the end', 500, { units: 5, least: 5 }, 5],
    ['is all there is where more is wanted', 70, { units: 100, least: 2 }, 70],
    ['is nothing where that would help nobody', 70, { units: 100, least: 71 }, 0],
    ['is nothing where nothing is wanted', 100_000, { units: 0, least: 1 }, 0],
    ['makes a block of what is held where nobody waits', 100_000, { units: 0, least: 1, refilled: 400 }, 1600],
    ['is nothing beyond a block', 10_000, { units: 0, least: 1, refilled: 400 }, 0],
    ['is nothing near the end where nobody waits', 500, { units: 0, least: 1, refilled: 5 }, 0],
  ])('%s', (_, left, wanted, granted) => {
    expect(grantOf(left, wanted)).toBe(granted);
  });
});

test('a refusal never tells more use than the plan has', () => {
  const told = { used: 1_000_004, limit: 1_000_000, units: 4, resetsAt: new Date('2026-12-01T10:00:00Z') };
  const { kind, code, message } = unitsUsedUp(told);
  expect([kind, code]).toEqual(['payment_required', 'PaymentRequired']);
  expect(message).toContain('1,000,000 of 1,000,000 compute units');
  expect(message).toContain('2026-12-01');
});
