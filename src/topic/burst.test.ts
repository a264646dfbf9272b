import fc from 'fast-check';
import { expect, test } from 'vitest';
import { burstOf, logLikelihoodRatio, type Share } from './burst.js';

const share: fc.Arbitrary<Share> = fc
  .tuple(fc.integer({ min: 0, max: 100_000 }), fc.integer({ min: 0, max: 100_000 }))
  .map(([a, b]) => ({ count: Math.min(a, b), of: Math.max(a, b) }));

/** The same as twice the difference of the maximum log-likelihoods of two binomial distributions and of one. */
const byLikelihood = (a: Share, b: Share): number => {
  const log = (count: number, of: number, p: number): number =>
    (count === 0 ? 0 : count * Math.log(p)) + (count === of ? 0 : (of - count) * Math.log(1 - p));
  const together = (a.count + b.count) / (a.of + b.of);
  return (
    2 *
    (log(a.count, a.of, a.count / a.of) +
      log(b.count, b.of, b.count / b.of) -
      log(a.count, a.of, together) -
      log(b.count, b.of, together))
  );
};

test('is the ratio of the likelihoods of binomial distributions', () => {
  const tried = share.filter(({ of }) => of > 0);
  fc.assert(
    fc.property(tried, tried, (a, b) => {
      const expected = byLikelihood(a, b);
      expect(Math.abs(logLikelihoodRatio(a, b) - expected)).toBeLessThan(1e-6 * Math.max(1, a.of + b.of));
    }),
  );
});

test('a known value: 10 of 100 against 10 of 700', () => {
  expect(logLikelihoodRatio({ count: 10, of: 100 }, { count: 10, of: 700 })).toBeCloseTo(17.208, 3);
});

test('is never negative, symmetric, and 0 for equal shares', () => {
  fc.assert(
    fc.property(share, share, fc.integer({ min: 1, max: 9 }), (a, b, times) => {
      const ratio = logLikelihoodRatio(a, b);
      expect(ratio).toBeGreaterThanOrEqual(0);
      expect(logLikelihoodRatio(b, a)).toBeCloseTo(ratio, 6);
      expect(logLikelihoodRatio(a, { count: a.count * times, of: a.of * times })).toBeCloseTo(0, 6);
    }),
  );
});

test('a burst needs a share that rose, and grows with it', () => {
  fc.assert(
    fc.property(share, share, (today, before) => {
      const burst = burstOf(today, before);
      if (today.count * before.of <= before.count * today.of) expect(burst).toBe(0);
      if (burst > 0 && today.count < today.of) {
        expect(burstOf({ ...today, count: today.count + 1 }, before)).toBeGreaterThan(burst);
        expect(burst).toBeCloseTo(logLikelihoodRatio(today, before) * today.count, 6);
      }
    }),
  );
});

test('nothing bursts without authors in the week before', () => {
  expect(burstOf({ count: 50, of: 60 }, { count: 0, of: 0 })).toBe(0);
  expect(burstOf({ count: 5, of: 60 }, { count: 0, of: 420 })).toBeGreaterThan(0);
  expect(burstOf({ count: 5, of: 60 }, { count: 30, of: 420 })).toBe(0);
});
