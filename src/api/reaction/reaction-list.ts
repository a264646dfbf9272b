import Type, { type Static } from 'typebox';
import type { ReadContext } from '../../cache/read-context.js';
import { fromUnixMs } from '../../protocol/time.js';
import type { ReactionPage, ReactionPlace } from '../../store/query/reaction.js';
import { type CursorFilters, type CursorList, decodeCursor, encodeCursor } from '../http/cursor.js';
import { firstPageTimeOf } from '../first-page-time.js';
import type { ReadServices } from '../operation.js';

export const REACTION_KINDS = ['all', 'likes', 'recasts'] as const;
export type ReactionKind = (typeof REACTION_KINDS)[number];

/** Most and usual number of reactions in a page. */
export const reactionLimit = Type.Integer({ format: 'int32', minimum: 1, maximum: 100, default: 25 });

const LIKE = 1;
const RECAST = 2;

/** @returns the stored kinds, in a fixed order and each once. */
export const reactionTypes = (kinds: readonly ReactionKind[]): number[] => {
  const has = (kind: ReactionKind): boolean => kinds.includes('all') || kinds.includes(kind);
  return [...(has('likes') ? [LIKE] : []), ...(has('recasts') ? [RECAST] : [])];
};

const sortKey = Type.Object({ ts: Type.Integer(), hash: Type.String() });

/** A list of reactions, newest first, in pages of one request. */
export interface ReactionList {
  /** One row more than the page holds, to know whether another page follows. */
  readonly page: ReactionPage;
  /** Cuts the rows to the page's size and writes the cursor of the next. */
  cut<Row extends ReactionPlace>(
    rows: readonly Row[],
  ): { readonly rows: readonly Row[]; readonly cursor: string | null };
}

/** Everything that decides which list it is. */
export type ReactionFilters = CursorFilters & { readonly types: readonly number[] };

/**
 * @throws AppError 'invalid' with property `cursor`
 */
export const openReactionList = (
  { read, cursorKey, writer }: { readonly read: ReadContext } & ReadServices,
  operationId: string,
  query: { readonly limit: number; readonly cursor?: string | undefined },
  filters: ReactionFilters,
): ReactionList => {
  const list: CursorList<typeof sortKey> = { operationId, sortKey };
  const before = decodeCursor(cursorKey, list, filters, query.cursor);
  const firstPageTime = before?.firstPageTime ?? firstPageTimeOf({ writer }, read.now);
  const after: Static<typeof sortKey> | undefined = before?.sortKey;
  return {
    page: { types: filters.types, horizon: fromUnixMs(firstPageTime), after, limit: query.limit + 1 },
    cut: (rows) => {
      const shown = rows.slice(0, query.limit);
      const last = shown.at(-1);
      if (rows.length <= query.limit || last === undefined) return { rows: shown, cursor: null };
      const place = { ts: last.ts, hash: last.hash };
      return { rows: shown, cursor: encodeCursor(cursorKey, list, filters, { firstPageTime, sortKey: place }) };
    },
  };
};
