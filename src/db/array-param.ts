/** The OID of `bytea` in every PostgreSQL. */
const BYTEA = 17;

/**
 * @returns a `bytea[]` in PostgreSQL's binary format, in which the driver sends every Buffer. As text each byte would be
 *   two hex digits, which cost both sides more than the rest of a bulk write's parameters.
 * @source `array_recv` in PostgreSQL's `src/backend/utils/adt/arrayfuncs.c`
 */
export const byteaArray = (values: readonly (Uint8Array | null | undefined)[]): Buffer => {
  let size = 12 + (values.length > 0 ? 8 : 0) + 4 * values.length;
  let hasNull = 0;
  for (const value of values) {
    if (value) size += value.byteLength;
    else hasNull = 1;
  }
  const array = Buffer.allocUnsafe(size);
  let at = array.writeInt32BE(values.length > 0 ? 1 : 0, 0);
  at = array.writeInt32BE(hasNull, at);
  at = array.writeInt32BE(BYTEA, at);
  if (values.length === 0) return array;
  at = array.writeInt32BE(values.length, at);
  at = array.writeInt32BE(1, at);
  for (const value of values) {
    at = array.writeInt32BE(value ? value.byteLength : -1, at);
    if (!value) continue;
    array.set(value, at);
    at += value.byteLength;
  }
  return array;
};

/** @returns an array of numbers as text; the driver would quote each of them */
export const numberArray = (values: readonly (number | bigint | null | undefined)[]): string =>
  `{${values.map((value) => value ?? 'null').join(',')}}`;
