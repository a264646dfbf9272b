import Type from 'typebox';
import type { ReadContext } from '../../cache/read-context.js';
import type { TimeCursor } from '../../store/query/microsecond-time.js';
import { type CursorFilters, openPage } from './cursor.js';
import type { ReadServices } from './operation.js';

const sortKey = Type.Object({ at: Type.Integer(), fid: Type.Integer() });

/**
 * Opens a page of a list of accounts that is sorted by time, newest first.
 * @param filters all parameters that decide the list's content
 * @throws AppError 'invalid' with property `cursor`
 */
export const createChronologicalList = (
  { cursorKey, read }: { readonly read: ReadContext } & ReadServices,
  operationId: string,
  query: { readonly limit: number; readonly cursor?: string | undefined },
  filters: CursorFilters,
) => {
  const { after, limit, cut } = openPage(cursorKey, { operationId, sortKey }, filters, query, read.now);
  return {
    after,
    limit,
    cut: <Row extends TimeCursor>(rows: readonly Row[]) => cut(rows, ({ at, fid }) => ({ at, fid })),
  };
};
