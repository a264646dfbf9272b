import Type from 'typebox';
import { fromUnixMs } from '../../protocol/time.js';
import { nullable } from '../../schema/nullable.js';
import { type FollowKind, type FollowRow, selectFollows } from '../../store/follow-read.js';
import { decodeCursor, encodeCursor } from '../cursor.js';
import type { Services } from '../service.js';

/** Orders of the lists: by time, or by score among the newest follows. */
export const FOLLOW_SORTS = ['desc_chron', 'algorithmic'] as const;

/** What decides a list, and which part of it is asked for. */
interface FollowListRequest {
  readonly operationId: string;
  readonly kind: FollowKind;
  readonly fid: number;
  readonly viewer: number | undefined;
  readonly appId: string;
  readonly sort: (typeof FOLLOW_SORTS)[number];
  readonly limit: number;
  readonly cursor: string | undefined;
}

const Place = Type.Object({ ts: Type.Integer(), hash: Type.String() });
const sortKey = Type.Object({
  score: nullable(Type.Number()),
  ts: Type.Integer(),
  hash: Type.String(),
  edge: nullable(Place),
});

/** @returns one page of followers or followed accounts, and the cursor of the next. */
export const readFollowList = async (
  { operationId, kind, fid, viewer, appId, sort, limit, cursor }: FollowListRequest,
  { db, clock, cursorKey }: Services,
): Promise<{ readonly rows: readonly FollowRow[]; readonly cursor: string | null }> => {
  const list = { operationId, sortKey };
  const filters = { fid, viewer_fid: viewer, sort_type: sort, app: appId };
  const before = decodeCursor(cursorKey, list, filters, cursor);
  const firstPageTime = before?.firstPageTime ?? clock();
  const { rows, next } = await selectFollows(
    db,
    kind,
    fid,
    { appId, viewer: viewer ?? null },
    { ranked: sort === 'algorithmic', horizon: fromUnixMs(firstPageTime), after: before?.sortKey, limit },
  );
  return {
    rows,
    cursor: next === null ? null : encodeCursor(cursorKey, list, filters, { firstPageTime, sortKey: next }),
  };
};

/** @returns the accounts that a page of follows shows, the apps behind them included. */
export const followFids = (rows: readonly { readonly fid: number; readonly app_fid: number | null }[]): number[] => [
  ...new Set(rows.flatMap(({ fid, app_fid }) => (app_fid === null ? [fid] : [fid, app_fid]))),
];
