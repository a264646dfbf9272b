import fc from 'fast-check';
import { expect } from 'vitest';
import type { Answer } from './network.js';

/** One page of a list, by the keys of its items. */
export interface Page {
  readonly keys: readonly string[];
  /** Null: the list ends here. */
  readonly next: string | null;
}

/** A list and the rows that a test may put into it and take out of it, numbered from 0. */
export interface PagedList {
  /** How many rows there are to play with. */
  readonly rows: number;
  /** What a row's item is called in a page; rows that stand alone have keys of their own. */
  key(row: number): string;
  /** Puts rows in, each always with the same sort key. */
  insert(rows: readonly number[]): Promise<unknown>;
  remove(rows: readonly number[]): Promise<unknown>;
  page(cursor: string | null, limit: number): Promise<Page>;
  /** The rows in the list's order; without it the order is not looked at. */
  readonly order?: readonly number[];
  /** Lists whose groups may merge rows of a page give false: then a page need not be full. */
  readonly full?: boolean;
  /** Largest page that is asked for; 5 unless told. */
  readonly maxLimit?: number;
  /** How many random courses are tried; 10 unless told. */
  readonly runs?: number;
}

interface Course {
  readonly start: readonly number[];
  readonly limit: number;
  /** What happens between two pages: rows that change over, in if they are out, out if they are in. */
  readonly between: readonly (readonly number[])[];
}

const courses = (rows: number, maxLimit: number): fc.Arbitrary<Course> => {
  const row = fc.integer({ min: 0, max: rows - 1 });
  return fc.record({
    start: fc.uniqueArray(row, { minLength: Math.floor(rows / 2), maxLength: rows }),
    limit: fc.integer({ min: 1, max: maxLimit }),
    between: fc.array(fc.uniqueArray(row, { maxLength: 4 }), { maxLength: rows }),
  });
};

const walk = async (list: PagedList, { start, limit, between }: Course): Promise<void> => {
  const present = new Set(start);
  const steady = new Set(start);
  const ever = new Set(start);
  const seen: string[] = [];
  await list.insert(start);
  let cursor: string | null = null;
  for (let turn = 0; ; turn++) {
    expect(turn, 'pages of a list that never ends').toBeLessThanOrEqual(2 * list.rows + 2);
    const page = await list.page(cursor, limit);
    expect(page.keys.length).toBeLessThanOrEqual(limit);
    if (page.next !== null && list.full !== false) expect(page.keys, 'a page before the last').toHaveLength(limit);
    seen.push(...page.keys);
    cursor = page.next;
    if (cursor === null) break;
    const over = between[turn] ?? [];
    const leaving = over.filter((row) => present.has(row));
    const coming = over.filter((row) => !present.has(row));
    if (leaving.length > 0) await list.remove(leaving);
    if (coming.length > 0) await list.insert(coming);
    for (const row of leaving) present.delete(row);
    for (const row of coming) {
      present.add(row);
      ever.add(row);
    }
    for (const row of over) steady.delete(row);
  }
  await list.remove([...present]);
  expect(seen, 'no item twice').toEqual([...new Set(seen)]);
  const possible = new Set([...ever].map((row) => list.key(row)));
  expect(
    seen.filter((key) => !possible.has(key)),
    'nothing that never was there',
  ).toEqual([]);
  const steadyKeys = new Set([...steady].map((row) => list.key(row)));
  const seenSteady = seen.filter((key) => steadyKeys.has(key));
  if (list.order === undefined) expect([...seenSteady].sort()).toEqual([...steadyKeys].sort());
  else expect(seenSteady).toEqual([...new Set(list.order.filter((row) => steady.has(row)).map(list.key))]);
};

/**
 * Walks a list from its first page to its last while rows come and go between the pages, in random courses: every item
 * whose sort key stays is seen exactly once, in order, nothing is seen twice, and every page but the last is full.
 * The list must hold none of its rows when this begins, nor any others; it holds none of them afterwards.
 */
export const checkPaging = (list: PagedList): Promise<void> =>
  fc.assert(
    fc.asyncProperty(courses(list.rows, list.maxLimit ?? 5), (course) => walk(list, course)),
    { numRuns: list.runs ?? 10, endOnFailure: true },
  );

/**
 * Pages of a list over HTTP.
 * @param path with all parameters but `limit` and `cursor` (`/v2/social/followers/?fid=1`)
 * @param keysOf the items of an answer, by their keys
 */
export const pageOverHttp =
  (get: (path: string) => Promise<Answer>, path: string, keysOf: (body: Answer['body']) => string[]) =>
  async (cursor: string | null, limit: number): Promise<Page> => {
    const more = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { status, body } = await get(`${path}${path.includes('?') ? '&' : '?'}limit=${limit}${more}`);
    expect({ status, code: body.code, message: body.message }).toEqual({ status: 200 });
    return { keys: keysOf(body), next: body.next?.cursor ?? null };
  };
