/** An exact non-negative decimal number: `digits` times ten to the power of minus `scale`. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

const FORM = /^(\d{1,60})(?:\.(\d{1,60}))?(?:e([+-]?\d{1,3}))?$/i;

/**
 * @param text like `1`, `0.25`, `1e-9`; a JSON number as JavaScript writes it
 * @returns undefined for anything else, including negative numbers
 */
export const parseDecimal = (text: string): Decimal | undefined => {
  const [, whole, fraction = '', exponent = '0'] = FORM.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const scale = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale };
};

/** @returns the number of smallest units of a token with these decimals; digits beyond them are cut off */
export const unitsOf = ({ digits, scale }: Decimal, decimals: number): bigint =>
  scale <= decimals ? digits * 10n ** BigInt(decimals - scale) : digits / 10n ** BigInt(scale - decimals);

export const multiply = (a: Decimal, b: Decimal): Decimal => ({
  digits: a.digits * b.digits,
  scale: a.scale + b.scale,
});

/** @returns below 0, 0, or above 0, as `sort` expects */
export const compareDecimal = (a: Decimal, b: Decimal): number => {
  const left = a.digits * 10n ** BigInt(Math.max(0, b.scale - a.scale));
  const right = b.digits * 10n ** BigInt(Math.max(0, a.scale - b.scale));
  if (left === right) return 0;
  return left < right ? -1 : 1;
};

/** @returns all digits without exponent or trailing zeros: `1234.5`, `0` */
export const formatDecimal = ({ digits, scale }: Decimal): string => {
  const text = digits.toString().padStart(scale + 1, '0');
  const whole = text.slice(0, text.length - scale);
  const fraction = text.slice(text.length - scale).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
};
