import { expect, test } from 'vitest';
import { amountInUnits } from './amount.js';

test.each([
  [1, 6, 1_000_000n],
  [1.000_000_01, 6, 1_000_000n],
  [1.000_000_01, 8, 100_000_001n],
  [1e-8, 18, 10_000_000_000n],
  [1e-8, 6, 0n],
  [0.1, 18, 100_000_000_000_000_000n],
  [1.005, 2, 100n],
  [0.999_999_999, 0, 0n],
  [1e21, 18, 10n ** 39n],
  [Number.MAX_VALUE, 0, 17_976_931_348_623_157n * 10n ** 292n],
  [0.3, 255, 3n * 10n ** 254n],
])('%d of a token with %d decimals is %d units', (amount, decimals, units) => {
  expect(amountInUnits(amount, decimals)).toBe(units);
});

test('what is not an amount is refused', () => {
  for (const amount of [-1, Number.NaN, Number.POSITIVE_INFINITY])
    expect(() => amountInUnits(amount, 18)).toThrow(RangeError);
});
