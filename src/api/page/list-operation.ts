import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import type { ReadContext } from '../../cache/read-context.js';
import type { CursorFilters } from '../http/cursor.js';
import type { Operation, ReadServices } from '../http/operation.js';
import { type LoadedPage, type PageDefinition, type PagePlace, pagedOperation } from './paged-operation.js';

/** What a list is read with, besides its filters. */
export interface ListPage<Key> extends Omit<PagePlace<Key>, 'size'> {
  /** Number of rows to select: one more than the page holds, which shows whether another page follows. */
  readonly limit: number;
}

interface ListDefinition<Query extends TProperties, Key extends TSchema, Filters extends CursorFilters, Row>
  extends Omit<PageDefinition<Query, Key, Filters, readonly Row[]>, 'load'> {
  /** Reads rows in their order, from the database through the given context alone. */
  select(
    read: ReadContext,
    filters: Filters,
    page: ListPage<Static<Key>>,
    services: ReadServices,
  ): Promise<readonly Row[]>;
  readonly keyOf: (row: Row) => Static<Key>;
}

/** @returns the rows of a page, of which one more was selected to see whether another page follows, and its end */
export const cutPage = <Row, Key>(
  rows: readonly Row[],
  size: number,
  keyOf: (row: Row) => Key,
): LoadedPage<readonly Row[], Key> => {
  const last = rows.length > size ? rows[size - 1] : undefined;
  return { content: rows.slice(0, size), end: last && keyOf(last) };
};

/** Declares an operation that lists rows page by page (see `pagedOperation`). */
export const listOperation = <
  const Query extends TProperties,
  const Key extends TSchema,
  Filters extends CursorFilters,
  Row,
>({
  select,
  keyOf,
  ...definition
}: ListDefinition<Query, Key, Filters, Row>): Operation =>
  pagedOperation({
    ...definition,
    load: async (read, filters, { size, ...place }, services) =>
      cutPage(await select(read, filters, { ...place, limit: size + 1 }, services), size, keyOf),
  });

/** Sort key of lists of accounts by time. */
export const chronologicalKey = Type.Object({ at: Type.Integer(), fid: Type.Integer() });

export const chronologicalKeyOf = ({ at, fid }: { readonly at: number; readonly fid: number }) => ({ at, fid });
