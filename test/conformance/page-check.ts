import { expect } from 'vitest';
import { operations } from '../../src/api/operation-list.js';
import type { Network, TestResponse } from '../support/network.js';
import type { Described } from './operation-description.js';
import type { Exchange } from './recorder.js';

interface Answer {
  readonly [name: string]: unknown;
  readonly next?: { readonly cursor: string | null } | null;
  /** Searches have their list in here. */
  readonly result?: Answer;
  readonly conversation?: { readonly cast: { readonly direct_replies: readonly unknown[] } };
}

/** Rows of pages that are compared, at most: of a longer list the first ones. */
const MOST_ROWS = 20;
/** A list without filters. */
const ANOTHER_LIST = '/v2/farcaster/topic/trending/';

/** @returns the rows of a page, as text: the only list beside `next` */
const rowsOf = (answer: Answer): string[] => {
  if (answer.conversation) return answer.conversation.cast.direct_replies.map((row) => JSON.stringify(row));
  const lists = Object.values(answer).filter(Array.isArray);
  expect(lists, 'lists of a page').toHaveLength(1);
  return (lists[0] as unknown[]).map((row) => JSON.stringify(row));
};

/** @returns the member that a refusal names, in either of its two forms */
const namedIn = ({ property, errors }: TestResponse['body']): unknown => property ?? errors?.[0]?.path?.[0];

/** @returns whether the operation lists page by page, as its description says */
export const hasPages = ({ method, parameters }: Described): boolean =>
  method === 'GET' && parameters.includes('query cursor') && parameters.includes('query limit');

/**
 * Reads the list of a successful request once more, in pages of one row and of two: the same rows in the same order,
 * none twice, and every page but the last is full. A limit that cannot be, a cursor that was altered and one of another
 * operation are refused.
 */
export const checkPages = async (
  network: Network,
  { id }: Described,
  { path, query, headers: sent }: Exchange,
): Promise<void> => {
  const { limit: bounds } = operations.find((operation) => operation.id === id)?.query?.properties ?? {};
  const { maximum = Number.NaN } = bounds as { readonly maximum?: number };
  const headers = Object.fromEntries(Object.entries(sent).filter(([name]) => name.startsWith('x-')));
  const ask = async (page: Record<string, string>) => {
    const named = new URLSearchParams(query);
    for (const name of ['limit', 'cursor']) named.delete(name);
    for (const [name, value] of Object.entries(page)) named.set(name, value);
    const { status, body } = await network.get(`${path}?${named}`, headers);
    return { status, body: (body.result ?? body) as Answer };
  };
  const walk = async (limit: number): Promise<{ rows: string[]; cursor: string | undefined }> => {
    const rows: string[] = [];
    let cursor: string | undefined;
    for (let next: string | null | undefined; rows.length < MOST_ROWS; ) {
      const { status, body } = await ask({ limit: String(limit), ...(next && { cursor: next }) });
      expect(status, JSON.stringify(body)).toBe(200);
      const page = rowsOf(body);
      rows.push(...page);
      next = body.next?.cursor ?? null;
      if (next === null) break;
      expect(page, 'rows of a page before the last').toHaveLength(limit);
      cursor = next;
    }
    return { rows: rows.slice(0, MOST_ROWS), cursor };
  };
  for (const limit of ['0', '-1', `${maximum + 1}`, '1.5', 'x', '1e1', '9'.repeat(20)]) {
    const { status, body } = await ask({ limit });
    expect([limit, status, namedIn(body)], JSON.stringify(body)).toEqual([limit, 400, 'limit']);
  }
  const { rows, cursor } = await walk(1);
  expect(new Set(rows).size, 'different rows').toBe(rows.length);
  expect((await walk(2)).rows).toEqual(rows);
  if (cursor === undefined) return;
  const altered = `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}`;
  const refusals = [await ask({ cursor: altered }), await network.get(`${ANOTHER_LIST}?cursor=${cursor}`, headers)];
  for (const { status, body } of refusals)
    expect([status, namedIn(body)], JSON.stringify(body)).toEqual([400, 'cursor']);
};
