import fc from 'fast-check';
import { expect } from 'vitest';
import type { TestResponse } from './network.js';

/** One page of a list, by the keys of its items. */
export interface Page {
  readonly keys: readonly string[];
  /** Null on the last page. */
  readonly next: string | null;
}

/** A list and the rows that a test may add and remove, numbered from 0. */
export interface PagedList {
  /** Number of these rows. */
  readonly rows: number;
  /** Key of a row's item in a page; items that are not groups have unique keys. */
  key(row: number): string;
  /** Adds rows, always with the same sort keys. */
  insert(rows: readonly number[]): Promise<unknown>;
  remove(rows: readonly number[]): Promise<unknown>;
  page(cursor: string | null, limit: number): Promise<Page>;
  /** The rows in the list's order; if absent, the order is not checked. */
  readonly order?: readonly number[];
  /** False for lists whose groups may merge rows: then a page need not be full. */
  readonly full?: boolean;
  /** Largest requested page; 5 by default. */
  readonly maxLimit?: number;
  /** Number of random runs; 10 by default. */
  readonly runs?: number;
}

interface Course {
  readonly start: readonly number[];
  readonly limit: number;
  /** Rows that are toggled between two pages: added if absent, removed if present. */
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
  const activeKeys = new Set([...steady].map((row) => list.key(row)));
  const seenSteady = seen.filter((key) => activeKeys.has(key));
  if (list.order === undefined) expect([...seenSteady].sort()).toEqual([...activeKeys].sort());
  else expect(seenSteady).toEqual([...new Set(list.order.filter((row) => steady.has(row)).map(list.key))]);
};

/**
 * Reads a list from its first to its last page while rows are added and removed between pages, in random runs: every
 * item whose sort key stays is returned exactly once, in order, nothing is returned twice, and every page but the last
 * is full. The list must be empty at the beginning; it is empty again afterwards.
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
  (get: (path: string) => Promise<TestResponse>, path: string, keysOf: (body: TestResponse['body']) => string[]) =>
  async (cursor: string | null, limit: number): Promise<Page> => {
    const more = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { status, body } = await get(`${path}${path.includes('?') ? '&' : '?'}limit=${limit}${more}`);
    expect({ status, code: body.code, message: body.message }).toEqual({ status: 200 });
    return { keys: keysOf(body), next: body.next?.cursor ?? null };
  };
