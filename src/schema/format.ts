import type { Format } from 'ajv';

/**
 * Whole-number formats of the contract, to be added to Ajv after ajv-formats (which does not know `uint64` and accepts
 * any whole number as `int64`, even 1e300). JSON numbers are exact up to 2^53, so larger ones are rejected.
 */
export const integerFormats: Readonly<Record<'int64' | 'uint64', Format>> = {
  int64: { type: 'number', validate: (value: number) => Number.isSafeInteger(value) },
  uint64: { type: 'number', validate: (value: number) => Number.isSafeInteger(value) && value >= 0 },
};
