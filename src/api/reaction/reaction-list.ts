import Type from 'typebox';
import type { ReadContext } from '../../cache/read-context.js';
import { fromUnixMs } from '../../protocol/time.js';
import type { ReactionCursor, ReactionPage } from '../../store/query/reaction.js';
import { type CursorFilters, openPage } from '../http/cursor.js';
import type { ReadServices } from '../http/operation.js';
import { firstPageTimeOf } from '../http/page-snapshot-time.js';

export const REACTION_KINDS = ['all', 'likes', 'recasts'] as const;
export type ReactionKind = (typeof REACTION_KINDS)[number];

export const reactionLimit = Type.Integer({ format: 'int32', minimum: 1, maximum: 100, default: 25 });

const LIKE = 1;
const RECAST = 2;

/** @returns the distinct stored types, in a fixed order */
export const reactionTypes = (kinds: readonly ReactionKind[]): number[] => {
  const has = (kind: ReactionKind): boolean => kinds.includes('all') || kinds.includes(kind);
  return [...(has('likes') ? [LIKE] : []), ...(has('recasts') ? [RECAST] : [])];
};

const sortKey = Type.Object({ ts: Type.Integer(), hash: Type.String() });

/** All parameters that decide the list's content. */
export type ReactionFilters = CursorFilters & { readonly types: readonly number[] };

/**
 * Opens a page of a list of reactions, newest first.
 * @throws AppError 'invalid' with property `cursor`
 */
export const openReactionList = (
  { read, cursorKey, writer }: { readonly read: ReadContext } & ReadServices,
  operationId: string,
  query: { readonly limit: number; readonly cursor?: string | undefined },
  filters: ReactionFilters,
) => {
  const now = firstPageTimeOf({ writer }, read.now);
  const list = openPage(cursorKey, { operationId, sortKey }, filters, query, now);
  const { after, limit, firstPageTime } = list;
  const page: ReactionPage = { types: filters.types, horizon: fromUnixMs(firstPageTime), after, limit };
  const cut = <Row extends ReactionCursor>(rows: readonly Row[]) => list.cut(rows, ({ ts, hash }) => ({ ts, hash }));
  return { page, cut };
};
