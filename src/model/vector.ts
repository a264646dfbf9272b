/** Of the largest models. */
export const MAX_DIMENSIONS = 4_096;

const isVector = (value: unknown): value is readonly number[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.length <= MAX_DIMENSIONS &&
  value.every((one) => typeof one === 'number' && Number.isFinite(one));

/** @returns the vector with the length 1; undefined: it is none, or has no direction */
export const unitVector = (value: unknown): Float32Array | undefined => {
  if (!isVector(value)) return undefined;
  const largest = value.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
  if (largest === 0) return undefined;
  // Squares of large numbers are infinite.
  const scaled = value.map((one) => one / largest);
  const length = Math.sqrt(scaled.reduce((sum, one) => sum + one * one, 0));
  return Float32Array.from(scaled, (one) => one / length);
};

/** @returns one signed byte for each dimension, which its largest dimension scales: a quarter of the bytes of numbers */
export const compactVector = (vector: Float32Array): Buffer => {
  const largest = vector.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
  return Buffer.from(Int8Array.from(vector, (one) => Math.round((one / largest) * 127)).buffer);
};

/** @returns the cosine of the angle between two vectors of as many dimensions: 1 where they point the same way */
export const similarity = (query: Float32Array, compact: Buffer): number => {
  const stored = new Int8Array(compact.buffer, compact.byteOffset, compact.length);
  let product = 0;
  let square = 0;
  for (let index = 0; index < stored.length; index++) {
    const one = stored[index] as number;
    product += (query[index] as number) * one;
    square += one * one;
  }
  return product / Math.sqrt(square);
};
