const MONTHS = 12;

/** A billing period: `start` belongs to it, `end` to the next one. */
export interface Period {
  readonly start: Date;
  readonly end: Date;
}

/** @returns days of a month, which may be counted beyond a year's twelve; 0 is January. */
const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month + 1, 0)).getUTCDate();

/** @returns the day of the month that periods begin on which begin now, 1 to 31, UTC. */
export const anchorDayOf = (start: Date): number => start.getUTCDate();

/**
 * @param anchorDay day of the month that periods begin on; a shorter month has its last day instead
 * @returns the time `count` months later, at the same time of day, UTC: of the 31st of January the 28th or 29th of
 * February, and of that one the 31st of March.
 */
export const addMonths = (time: Date, anchorDay: number, count: number): Date => {
  const year = time.getUTCFullYear();
  const month = time.getUTCMonth() + count;
  const later = new Date(time);
  later.setUTCFullYear(year, month, Math.min(anchorDay, daysIn(year, month)));
  return later;
};

/** @returns the month that begins at `start`, whose day becomes the anchor day. */
export const firstPeriod = (start: Date): Period => ({ start, end: addMonths(start, anchorDayOf(start), 1) });

/**
 * The period that `now` is in, after one that has ended; months that passed in between are left out.
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
