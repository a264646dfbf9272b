const MONTHS = 12;

/** A billing period: `start` belongs to it, `end` to the next one. */
export interface Period {
  readonly start: Date;
  readonly end: Date;
}

/** @returns the UTC day of a time, as 2026-11-20 */
export const utcDay = (time: Date): string => time.toISOString().slice(0, 10);

/** @param month 0 is January; 12 is January of the next year @returns the number of days in the month */
const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month + 1, 0)).getUTCDate();

/** @param start of the first period @returns the day of the month on which all periods begin, 1 to 31, UTC */
export const anchorDayOf = (start: Date): number => start.getUTCDate();

/**
 * @param anchorDay day of the month that periods begin on; a shorter month has its last day instead
 * @returns the time `count` months later, at the same time of day, UTC. With anchor day 31, one month after 31 January is
 *   28 or 29 February, and one month after that is 31 March.
 */
export const addMonths = (time: Date, anchorDay: number, count: number): Date => {
  const year = time.getUTCFullYear();
  const month = time.getUTCMonth() + count;
  const later = new Date(time);
  later.setUTCFullYear(year, month, Math.min(anchorDay, daysIn(year, month)));
  return later;
};

/** @returns the month that begins at `start`; the day of `start` is the anchor day */
export const firstPeriod = (start: Date): Period => ({ start, end: addMonths(start, anchorDayOf(start), 1) });

/**
 * The period that contains `now`, which may begin months after the last known period ended.
 * @param ended when the last known period ended
 */
export const periodAt = (ended: Date, anchorDay: number, now: Date): Period => {
  const years = now.getUTCFullYear() - ended.getUTCFullYear();
  let passed = Math.max(0, years * MONTHS + now.getUTCMonth() - ended.getUTCMonth());
  // Only the last of these months may not have begun yet.
  if (passed > 0 && addMonths(ended, anchorDay, passed) > now) passed -= 1;
  return {
    start: passed === 0 ? ended : addMonths(ended, anchorDay, passed),
    end: addMonths(ended, anchorDay, passed + 1),
  };
};
