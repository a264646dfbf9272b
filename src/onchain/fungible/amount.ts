import { parseDecimal, unitsOf } from '../token/decimal.js';

/**
 * Converts an amount of a request into the smallest unit of a token by its decimal digits, because the arithmetic of
 * floating point would change them.
 * @param amount whole tokens, not negative; its value is the shortest decimal number that JSON writes for it
 * @param decimals of the token, 0 to 255
 * @returns the amount in the smallest unit; digits beyond it are cut off, so that it is never more than was asked for
 */
export const amountInUnits = (amount: number, decimals: number): bigint => {
  const decimal = parseDecimal(String(amount));
  if (decimal === undefined) throw new RangeError(`${amount} is not an amount`);
  return unitsOf(decimal, decimals);
};
