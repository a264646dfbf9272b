import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addMonths, anchorDayOf, firstPeriod, periodAt } from './period.js';

const at = (text: string): Date => new Date(`${text}T10:20:30.400Z`);
const days = (times: readonly Date[]): string[] => times.map((time) => time.toISOString().slice(0, 10));

test('a period from the 31st ends on the last day of shorter months, and is back on the 31st after them', () => {
  const starts = [at('2027-01-31')];
  for (let month = 0; month < 4; month++) starts.push(addMonths(starts.at(-1) as Date, 31, 1));
  expect(days(starts)).toEqual(['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31']);
  expect(starts.every((time) => time.toISOString().endsWith('T10:20:30.400Z'))).toBe(true);
});

test('leap days: of the 29th, 30th and 31st of January the 29th of February, and the 28th in other years', () => {
  for (const day of ['29', '30', '31']) {
    expect(days([firstPeriod(at(`2028-01-${day}`)).end, firstPeriod(at(`2027-01-${day}`)).end])).toEqual([
      '2028-02-29',
      '2027-02-28',
    ]);
  }
  expect(days([addMonths(at('2028-02-29'), 29, 12)])).toEqual(['2029-02-28']);
  // 2100 is no leap year.
  expect(days([firstPeriod(at('2100-01-30')).end])).toEqual(['2100-02-28']);
});

test('a period over New Year, and one whose months passed unseen', () => {
  expect(days([firstPeriod(at('2026-12-31')).end])).toEqual(['2027-01-31']);
  const missed = periodAt(at('2026-12-31'), 31, at('2027-04-15'));
  expect(days([missed.start, missed.end])).toEqual(['2027-03-31', '2027-04-30']);
});

test('the end of a period is the beginning of the next: to the millisecond', () => {
  const { end } = firstPeriod(at('2027-01-31'));
  expect(periodAt(end, 31, end)).toEqual({ start: end, end: at('2027-03-31') });
  const next = at('2027-03-31');
  expect(periodAt(end, 31, new Date(next.getTime() - 1)).start).toEqual(end);
  expect(periodAt(end, 31, next).start).toEqual(next);
});

const time = fc.date({ min: new Date('2020-01-01'), max: new Date('2120-01-01'), noInvalidDate: true });

test('whenever it is, now is in the period; periods follow each other without a gap and keep their day', () => {
  fc.assert(
    fc.property(time, fc.integer({ min: 0, max: 4000 }), (start, later) => {
      const anchorDay = anchorDayOf(start);
      const now = new Date(start.getTime() + later * 86_400_000);
      const period = periodAt(start, anchorDay, now);
      expect(period.start <= now && now < period.end).toBe(true);
      // Step by step comes to the same.
      let stepped = { start, end: addMonths(start, anchorDay, 1) };
      while (stepped.end <= now) stepped = { start: stepped.end, end: addMonths(stepped.end, anchorDay, 1) };
      expect(period).toEqual(stepped);
      const last = new Date(Date.UTC(period.start.getUTCFullYear(), period.start.getUTCMonth() + 1, 0)).getUTCDate();
      expect(period.start.getUTCDate()).toBe(Math.min(anchorDay, last));
    }),
  );
});
