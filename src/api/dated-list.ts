import Type from 'typebox';
import type { ReadContext } from '../cache/read-context.js';
import type { DatedPlace } from '../store/dated.js';
import { type CursorFilters, type CursorList, decodeCursor, encodeCursor } from './http/cursor.js';
import type { ReadServices } from './operation.js';

const sortKey = Type.Object({ at: Type.Integer(), fid: Type.Integer() });

/** A list of people by the time something was done to them, newest first, in pages of one request. */
interface DatedList {
  /** Place of the last item before the page; undefined: it is the first page. */
  readonly after: DatedPlace | undefined;
  /** Rows to ask for: one more than the page holds, to know whether another page follows. */
  readonly limit: number;
  /** Cuts the rows to the page's size and writes the cursor of the next. */
  cut<Row extends DatedPlace>(rows: readonly Row[]): { readonly rows: readonly Row[]; readonly cursor: string | null };
}

/**
 * @param filters everything that decides which list it is
 * @throws AppError 'invalid' with property `cursor`
 */
export const openDatedList = (
  { cursorKey, read }: { readonly read: ReadContext } & ReadServices,
  operationId: string,
  query: { readonly limit: number; readonly cursor?: string | undefined },
  filters: CursorFilters,
): DatedList => {
  const list: CursorList<typeof sortKey> = { operationId, sortKey };
  const { now } = read;
  const before = decodeCursor(cursorKey, list, filters, query.cursor);
  return {
    after: before?.sortKey,
    limit: query.limit + 1,
    cut: (rows) => {
      const shown = rows.slice(0, query.limit);
      const last = shown.at(-1);
      if (rows.length <= query.limit || last === undefined) return { rows: shown, cursor: null };
      const place = { firstPageTime: before?.firstPageTime ?? now, sortKey: { at: last.at, fid: last.fid } };
      return { rows: shown, cursor: encodeCursor(cursorKey, list, filters, place) };
    },
  };
};
