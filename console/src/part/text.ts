const number = new Intl.NumberFormat('en-US');

/** @returns 187,063 */
export const formatNumber = (value: number): string => number.format(value);

/** @returns whether a plan limits its units: one without a limit has the largest safe integer */
export const isLimited = (units: number): boolean => units < Number.MAX_SAFE_INTEGER;

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** @param at milliseconds since 1970, or a day as 2026-11-29. @returns `29 Nov`, in UTC, by which units are counted */
export const formatDay = (at: number | string): string => day.format(new Date(at));

/** @returns 1 cast, 2 casts */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;

const UNITS: readonly (readonly [seconds: number, name: string, word: string])[] = [
  [365 * 86_400, 'y', 'year'],
  [30 * 86_400, 'mo', 'month'],
  [86_400, 'd', 'day'],
  [3_600, 'h', 'hour'],
  [60, 'min', 'minute'],
  [1, 's', 'second'],
];
const SECOND = UNITS[5] as (typeof UNITS)[number];

/** @returns whole units of the largest that fits: `3 min` */
const measure = (seconds: number): string => {
  const [size, name] = UNITS.find(([least]) => seconds >= least) ?? SECOND;
  return `${Math.floor(seconds / size)} ${name}`;
};

/** @returns how long it is between two times, at least a second: `3 min` */
export const formatDuration = (from: Date, to: Date): string =>
  measure(Math.max(1, (to.getTime() - from.getTime()) / 1000));

const differenceOf = (at: Date, now: Date): { readonly isNow: boolean; readonly isAhead: boolean; text: string } => {
  const seconds = (now.getTime() - at.getTime()) / 1000;
  // Shown times move every five seconds, so what has just come may seem to be ahead.
  return { isNow: seconds < 2 && seconds > -6, isAhead: seconds < 0, text: measure(Math.abs(seconds)) };
};

/** @returns how long ago, or in how long: `now`, `3 min`, `in 2 h` */
export const formatAgo = (at: Date, now: Date): string => {
  const { isNow, isAhead, text } = differenceOf(at, now);
  if (isNow) return 'now';
  return isAhead ? `in ${text}` : text;
};

/** @returns the same for a sentence: `just now`, `3 min ago`, `in 2 h` */
export const formatAgoInSentence = (at: Date, now: Date): string => {
  const { isNow, isAhead, text } = differenceOf(at, now);
  if (isNow) return 'just now';
  return isAhead ? `in ${text}` : `${text} ago`;
};

/** @returns a period in days or a smaller unit: `30 days`, `1.5 days`, `12 hours` */
export const formatPeriod = (seconds: number): string => {
  const [size, , word] = UNITS.slice(2).find(([least]) => seconds >= least) ?? SECOND;
  return counted(Math.round((seconds / size) * 10) / 10, word);
};

/** @returns the start and the end of a long hash, key or address */
export const shorten = (text: string, kept = 6): string =>
  text.length <= 2 * kept + 3 ? text : `${text.slice(0, kept + 2)}…${text.slice(-kept)}`;

/** @returns `12 MB`; a megabyte has a million bytes */
export const formatBytes = (bytes: number): string => {
  if (bytes < 1e6) return `${Math.round(bytes / 1e3)} KB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
};
