import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareDecimal, formatDecimal, multiply, parseDecimal } from './decimal.js';

const read = (text: string) => {
  const decimal = parseDecimal(text);
  if (decimal === undefined) throw new Error(`${text} is no decimal`);
  return decimal;
};

describe('decimals', () => {
  it.each([
    ['1', '1'],
    ['0', '0'],
    ['0.10', '0.1'],
    ['12.345', '12.345'],
    ['1e-9', '0.000000001'],
    ['1.5e3', '1500'],
    ['1e+21', '1000000000000000000000'],
    ['100', '100'],
  ])('reads %s and writes %s', (text, plain) => expect(formatDecimal(read(text))).toBe(plain));

  it.each(['', '-1', 'NaN', 'Infinity', '1.', '.5', '0x10', '1e9999', '1,5', ' 1'])('does not read "%s"', (text) =>
    expect(parseDecimal(text)).toBeUndefined(),
  );

  it('multiplies an amount of 78 digits with 255 decimals by a price without losing a digit', () => {
    const amount = { digits: 2n ** 256n - 1n, scale: 255 };
    const product = formatDecimal(multiply(amount, read('3')));
    expect(product).toBe(`0.${(3n * (2n ** 256n - 1n)).toString().padStart(255, '0')}`);
  });

  it('sorts numbers of different scales', () => {
    const one = fc.record({ digits: fc.bigInt(0n, 10n ** 30n), scale: fc.integer({ min: 0, max: 40 }) });
    fc.assert(
      fc.property(one, one, (a, b) => {
        const scaled = (d: typeof a) => d.digits * 10n ** BigInt(40 - d.scale);
        const expected = scaled(a) === scaled(b) ? 0 : scaled(a) < scaled(b) ? -1 : 1;
        expect(compareDecimal(a, b)).toBe(expected);
        expect(formatDecimal(read(formatDecimal(a)))).toBe(formatDecimal(a));
      }),
    );
  });
});
