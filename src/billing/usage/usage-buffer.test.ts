import { expect, test } from 'vitest';
import { DAY_MS } from '../../duration.js';
import { UsageBuffer } from './usage-buffer.js';

const NOON = Date.UTC(2026, 10, 20, 12);

/** @returns a buffer, and `add`, which counts one call in it */
const newBuffer = (rows = 100_000) => {
  const buffer = new UsageBuffer();
  const budget = { left: rows };
  const add = (operation: string, { keyId = 'key', units = 1, now = NOON } = {}) =>
    buffer.add({ organizationId: 'organization', planId: null, keyId, operation, units }, units, now, budget);
  return { buffer, budget, add };
};

test('adds up by UTC day, operation and key', () => {
  const { buffer, add } = newBuffer();
  for (const units of [1, 2, 3]) add('one', { units });
  add('other', { units: 10 });
  add('one', { keyId: 'second', units: 4 });
  add('one', { units: 5, now: NOON + DAY_MS / 2 });
  add('one', { units: 6 });
  expect(buffer.units).toBe(31);
  expect(buffer.take()).toEqual([
    { keyId: 'key', day: '2026-11-20', operation: 'one', calls: 4, units: 12 },
    { keyId: 'second', day: '2026-11-20', operation: 'one', calls: 1, units: 4 },
    { keyId: 'key', day: '2026-11-20', operation: 'other', calls: 1, units: 10 },
    { keyId: 'key', day: '2026-11-21', operation: 'one', calls: 1, units: 5 },
  ]);
  expect([buffer.isEmpty, buffer.units, buffer.take()]).toEqual([true, 0, []]);
});

test('counts no new row beyond the budget, and still counts in the rows that it has', () => {
  const { buffer, budget, add } = newBuffer(2);
  expect([add('one'), add('other'), add('third'), add('one')]).toEqual([true, true, false, true]);
  expect(buffer.units).toBe(3);
  budget.left = 1;
  expect(add('third')).toBe(true);
  expect(buffer.take()).toHaveLength(3);
});
