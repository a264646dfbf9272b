import fc from 'fast-check';
import { expect, test } from 'vitest';
import { burstOf } from './burst.js';
import { type Burst, type CountedCast, mergeBursts, TermCounter } from './count.js';

const TAGS = ['alpha', 'beta', 'gamma', 'delta'];

/** Many authors with few terms; nobody uses the first one before the last day, so that it often bursts. */
const cast = fc.record({
  fid: fc.integer({ min: 1, max: 30 }),
  tags: fc.uniqueArray(fc.constantFrom(...TAGS), { maxLength: 2 }),
  day: fc.oneof(fc.constant(0), fc.constant(0), fc.integer({ min: 0, max: 7 })),
});
const casts = fc.array(cast, { minLength: 50, maxLength: 300 }).map((all) =>
  all
    .map(({ fid, day, ...one }) => ({ fid, day, tags: one.tags.filter((tag) => day === 0 || tag !== 'alpha') }))
    .map(({ fid, tags, day }, index): CountedCast & { readonly tags: readonly string[] } => ({
      ...{ fid, day, tags, hash: String(index) },
      text: `Something ${tags.map((tag) => `#${tag}`).join(' ')}`,
    }))
    .sort((a, b) => b.day - a.day || Number(a.hash) - Number(b.hash)),
);

const count = (all: readonly CountedCast[]): Burst[] => {
  const counter = new TermCounter();
  for (const one of all) if (one.day === 0) counter.addToday(one);
  counter.selectCandidates();
  for (const one of all) if (one.day > 0) counter.addBefore(one);
  return counter.bursts();
};

/** Distinct pairs of author and day. */
const authorDays = (all: readonly CountedCast[]): number => new Set(all.map(({ fid, day }) => `${fid} ${day}`)).size;

test('bursts are those of a count term by term', () => {
  let found = 0;
  fc.assert(
    fc.property(casts, (all) => {
      const [today, before] = [all.filter(({ day }) => day === 0), all.filter(({ day }) => day > 0)];
      const expected = TAGS.flatMap((key) => {
        const [now, then] = [today, before].map((some) => some.filter(({ tags }) => tags.includes(key)));
        const authors = authorDays(now as CountedCast[]);
        const share = { count: authors, of: authorDays(today) };
        const strength = burstOf(share, { count: authorDays(then as CountedCast[]), of: authorDays(before) });
        return authors >= 5 && strength > 0 ? [{ key, strength, casts: now?.map(({ hash }) => hash) ?? [] }] : [];
      }).sort((a, b) => b.strength - a.strength || (a.key < b.key ? -1 : 1));
      const bursts = count(all);
      expect(bursts.map(({ key, strength }) => [key, strength])).toEqual(
        expected.map(({ key, strength }) => [key, strength]),
      );
      for (const [index, burst] of bursts.entries()) {
        const own = expected[index]?.casts ?? [];
        expect(burst.casts.size).toBe(own.length);
        expect(burst.hashes).toEqual(own.toReversed().slice(0, 20));
        const fids = own.toReversed().map((hash) => all.find((one) => one.hash === hash)?.fid);
        expect(burst.authors).toEqual([...new Set(fids)].slice(0, 20));
      }
      found += bursts.length;
    }),
    { numRuns: 300 },
  );
  expect(found).toBeGreaterThan(50);
});

test('the order of casts of a day does not change what is found', () => {
  fc.assert(
    fc.property(casts, fc.integer({ min: 1, max: 49 }), (all, shift) => {
      const [today, before] = [all.filter(({ day }) => day === 0), all.filter(({ day }) => day > 0)];
      const moved = [...before, ...today.slice(shift), ...today.slice(0, shift)];
      const strengths = (some: readonly CountedCast[]) => count(some).map(({ key, strength }) => [key, strength]);
      expect(strengths(moved)).toEqual(strengths(all));
    }),
    { numRuns: 100 },
  );
});

test('the spellings of a term are named by how frequent they are', () => {
  const texts = ['New York', '#newyork', 'New York', '#NewYork', '#new_york', 'New York', '#newyork'];
  const today = texts.map((text, index) => ({ fid: index, hash: `${index}`, text, day: 0 }));
  const before = Array.from({ length: 70 }, (_, n) => ({ fid: n % 10, hash: `b${n}`, text: 'gm', day: 7 - (n % 7) }));
  const [burst] = count([...before.sort((a, b) => b.day - a.day), ...today]);
  expect(burst?.names).toEqual(['New York', 'newyork', 'NewYork']);
});

const burstWith = (key: string, casts: readonly number[]): Burst => ({
  ...{ key, strength: 1, names: [key], hashes: [], authors: [] },
  casts: new Set(casts),
});

test('a weaker burst with half of its casts in a stronger one is a part of it', () => {
  const strong = burstWith('strong', [1, 2, 3, 4, 5, 6]);
  const half = burstWith('half', [5, 6, 7, 8]);
  const less = burstWith('less', [6, 7, 8]);
  const partOfLess = burstWith('part of less', [7, 8]);
  expect(mergeBursts([strong, half, less, partOfLess], 10).map(({ key }) => key)).toEqual(['strong', 'less']);
  expect(mergeBursts([strong, less], 1)).toEqual([strong]);
});

test('beyond the limit of memory, terms of one author alone are forgotten', () => {
  const counter = new TermCounter();
  const add = (fid: number, text: string, n: number): void => counter.addToday({ fid, hash: `${n}`, text, day: 0 });
  for (let fid = 1; fid <= 6; fid++) add(fid, '#popular', fid);
  for (let n = 0; n < 200_100; n++) add(100 + (n % 50), `#tag${n}x`, n);
  for (let fid = 7; fid <= 9; fid++) add(fid, '#popular', fid);
  counter.selectCandidates();
  for (let n = 0; n < 700; n++)
    counter.addBefore({ fid: n % 100, hash: 'b', text: 'gm', day: 7 - Math.floor(n / 100) });
  const [burst, ...more] = counter.bursts();
  expect(more).toEqual([]);
  expect([burst?.key, burst?.authors]).toEqual(['popular', [9, 8, 7, 6, 5, 4, 3, 2, 1]]);
});
