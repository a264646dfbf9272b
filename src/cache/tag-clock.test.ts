import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TagClock } from './tag-clock.js';

/** Small and large numbers: some differ only in the low 32 bits, some only in the high ones. */
const tag = fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constantFrom(2 ** 32, 2 ** 33, 2 ** 33 + 1, 2 ** 53 - 1));
const invalidation = fc.oneof(
  { weight: 8, arbitrary: fc.array(tag, { maxLength: 4 }) },
  { weight: 1, arbitrary: fc.constant('all' as const) },
);
const history = fc.array(invalidation, { maxLength: 20 });

type Invalidation = readonly number[] | 'all';

const replay = (clock: TagClock, past: readonly Invalidation[]): void => {
  for (const one of past) {
    if (one === 'all') clock.invalidateAll();
    else clock.invalidate(one);
  }
};

const isNamed = (past: readonly Invalidation[], asked: readonly number[]): boolean =>
  past.some((one) => one === 'all' || one.some((named) => asked.includes(named)));

const runs = { numRuns: 2_000 };

test('an invalidation is never missed, however many tags share a place', () => {
  fc.assert(
    fc.property(history, history, fc.array(tag), fc.constantFrom(1, 2, 8), (before, after, asked, places) => {
      const clock = new TagClock(places);
      replay(clock, before);
      const moment = clock.now();
      replay(clock, after);
      if (isNamed(after, asked)) expect(clock.isInvalidatedSince(moment, asked)).toBe(true);
      if (after.length === 0) expect(clock.isInvalidatedSince(moment, asked)).toBe(false);
    }),
    runs,
  );
});

test('few tags in a large table are judged exactly', () => {
  // Shared by all runs, because a new clock fills 16 MB. Moments only increase, so runs do not affect each other.
  const clock = new TagClock(2 ** 20);
  fc.assert(
    fc.property(history, history, fc.array(tag), (before, after, asked) => {
      replay(clock, before);
      const moment = clock.now();
      replay(clock, after);
      const expected = isNamed(after, asked);
      expect(clock.isInvalidatedSince(moment, asked)).toBe(expected);
      expect(clock.isInvalidatedSince(moment, Float64Array.from(asked))).toBe(expected);
    }),
    runs,
  );
});

test('a clock whose counter overflows restarts, and everything noted before counts as invalidated', () => {
  fc.assert(
    fc.property(fc.nat(20), history, history, fc.array(tag), (room, before, after, asked) => {
      const last = 2 ** 32 - 1;
      const clock = new TagClock(2 ** 12, last - room);
      replay(clock, before);
      const moment = clock.now();
      replay(clock, after);
      const restarted = before.length <= room && before.length + after.length > room;
      expect(clock.isInvalidatedSince(moment, asked)).toBe(restarted || isNamed(after, asked));
    }),
    runs,
  );
});

test('everything noted before is invalid after all was invalidated, also what has no tags', () => {
  const clock = new TagClock(16);
  const before = clock.now();
  clock.invalidateAll();
  expect(clock.isInvalidatedSince(before, [])).toBe(true);
  expect(clock.isInvalidatedSince(clock.now(), [1])).toBe(false);
  clock.invalidate([1]);
  expect(clock.isInvalidatedSince(before, [2])).toBe(true);
});

test('tags of neighbouring accounts spread over the table', () => {
  const clock = new TagClock(2 ** 16);
  const moment = clock.now();
  const tags = Array.from({ length: 2 ** 12 }, (_, index) => index * 32 + 10);
  clock.invalidate(tags);
  // A sixteenth of the slots is used, so about as many other tags collide with one.
  const met = tags.filter((one) => clock.isInvalidatedSince(moment, [one + 1])).length;
  expect(met / tags.length).toBeGreaterThan(0.03);
  expect(met / tags.length).toBeLessThan(0.09);
  const large = tags.filter((one) => clock.isInvalidatedSince(moment, [one + 2 ** 40])).length;
  expect(large / tags.length).toBeLessThan(0.09);
});
