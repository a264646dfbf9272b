import { expect, test } from 'vitest';
import { ReportLimit } from './report-limit.js';

test('the first changes are reported at once, further ones once a minute with their number', () => {
  let now = 0;
  const limit = new ReportLimit(() => now);
  const problemAt = (swing: number): string | undefined => (swing % 2 === 0 ? 'is behind' : undefined);
  const reports: number[] = [];
  for (let swing = 0; swing < 600; swing++) {
    now = swing * 1_000;
    reports.push(limit.countChanges('replica', problemAt(swing)));
  }
  const lines = reports.filter((changes) => changes > 0);
  expect(lines.slice(0, 4)).toEqual([1, 1, 1, 1]);
  expect(lines.length).toBeLessThanOrEqual(4 + 10);
  expect(lines.slice(4).every((changes) => changes > 50)).toBe(true);
});

test('the last change is reported when it may be, and nothing while nothing changes', () => {
  let now = 0;
  const limit = new ReportLimit(() => now);
  for (const problem of ['a', 'b', 'c', 'd']) expect(limit.countChanges('replica', problem)).toBe(1);
  expect(limit.countChanges('replica', undefined)).toBe(0);
  expect(limit.countChanges('other', undefined)).toBe(1);
  now = 61_000;
  expect(limit.countChanges('replica', undefined)).toBe(1);
  now = 600_000;
  expect(limit.countChanges('replica', undefined)).toBe(0);
});
