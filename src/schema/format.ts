import type { Format } from 'ajv';

/**
 * Formats of the contract for whole numbers, to be added to Ajv after ajv-formats (which does not know `uint64`
 * and takes any whole number, 1e300 included, as `int64`).
 * JSON numbers are exact up to 2^53, so a larger one cannot be what the caller meant and never reaches the store.
 */
export const integerFormats: Readonly<Record<'int64' | 'uint64', Format>> = {
  int64: { type: 'number', validate: (value: number) => Number.isSafeInteger(value) },
  uint64: { type: 'number', validate: (value: number) => Number.isSafeInteger(value) && value >= 0 },
};
