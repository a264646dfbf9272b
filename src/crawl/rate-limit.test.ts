import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRateLimit } from './rate-limit.js';

const HOSTS = ['a.example', 'b.example'];

test('no host gets two requests within a second, and none waits longer than it must', () => {
  const call = fc.record({ host: fc.constantFrom(...HOSTS), after: fc.integer({ min: 0, max: 700 }) });
  fc.assert(
    fc.property(fc.array(call, { minLength: 2, maxLength: 50 }), (calls) => {
      let now = 1_000_000;
      const reserve = createRateLimit(() => now, 1_000);
      const lastAt = new Map<string, number>();
      for (const { host, after } of calls) {
        now += after;
        const wait = reserve(host, Number.POSITIVE_INFINITY) as number;
        const earliest = Math.max(now, (lastAt.get(host) ?? 0) + 1_000);
        expect(now + wait).toBe(earliest);
        lastAt.set(host, earliest);
      }
    }),
  );
});

test('a request that would be too late reserves nothing', () => {
  const reserve = createRateLimit(() => 0, 1_000);
  expect(reserve('a.example', 10)).toBe(0);
  expect(reserve('a.example', 999)).toBeUndefined();
  expect(reserve('a.example', 1_001)).toBe(1_000);
});
