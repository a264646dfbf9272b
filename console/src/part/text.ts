const number = new Intl.NumberFormat('en-US');

/** @returns 187,063 */
export const formatNumber = (value: number): string => number.format(value);

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** @param at milliseconds since 1970, or a day as 2026-11-29. @returns `29 Nov`, in UTC, by which units are counted */
export const formatDay = (at: number | string): string => day.format(new Date(at));

/** @returns 1 cast, 2 casts */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;

const UNITS: readonly (readonly [seconds: number, name: string])[] = [
  [365 * 86_400, 'y'],
  [30 * 86_400, 'mo'],
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
];

/** @returns how long ago, or in how long: `now`, `3 min`, `in 2 h` */
export const formatAgo = (at: Date, now: Date): string => {
  const seconds = (now.getTime() - at.getTime()) / 1000;
  const [size, name] = UNITS.find(([least]) => Math.abs(seconds) >= least) ?? [1, 's'];
  // Shown times move every five seconds, so what has just come may seem to be ahead.
  if (seconds < 2 && seconds > -6) return 'now';
  const text = `${Math.floor(Math.abs(seconds) / size)} ${name}`;
  return seconds < 0 ? `in ${text}` : text;
};

/** @returns the start and the end of a long hash, key or address */
export const shorten = (text: string, kept = 6): string =>
  text.length <= 2 * kept + 3 ? text : `${text.slice(0, kept + 2)}…${text.slice(-kept)}`;

/** @returns `12 MB`; a megabyte has a million bytes */
export const formatBytes = (bytes: number): string => {
  if (bytes < 1e6) return `${Math.round(bytes / 1e3)} KB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
};
