/** No client shows larger pictures; image formats allow up to 2^32. */
const MAX_PIXELS = 100_000;
/** A year: longer videos are mistakes or attacks. */
const MAX_SECONDS = 366 * 86_400;

/** @returns a side of a picture in whole pixels; undefined for anything else */
export const pixels = (value: unknown): number | undefined => {
  const whole = typeof value === 'number' ? Math.round(value) : Number.NaN;
  return whole >= 1 && whole <= MAX_PIXELS ? whole : undefined;
};

/** @returns the duration of a video in seconds; undefined for anything else */
export const seconds = (value: unknown): number | undefined =>
  typeof value === 'number' && value > 0 && value <= MAX_SECONDS ? value : undefined;
