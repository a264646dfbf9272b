import Type from 'typebox';
import type { ReadContext } from '../../cache/read-context.js';
import { hydrateUsers, type Page } from '../../hydrate/page.js';
import { fromUnixMs } from '../../protocol/time.js';
import { nullable } from '../../schema/nullable.js';
import { type FollowKind, type FollowRow, selectFollows } from '../../store/query/follow.js';
import { decodeCursor, encodeCursor } from '../http/cursor.js';
import { firstPageTimeOf } from '../first-page-time.js';
import type { ReadServices } from '../operation.js';

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

interface FollowListPage {
  readonly rows: readonly Omit<FollowRow, 'hash'>[];
  readonly cursor: string | null;
}

const filtersOf = ({ fid, viewer, sort, appId }: FollowListRequest) => ({
  fid,
  viewer_fid: viewer,
  sort_type: sort,
  app: appId,
});

type Parts = { readonly read: ReadContext } & ReadServices;

const readPage = async (request: FollowListRequest, { read, cursorKey, writer }: Parts): Promise<FollowListPage> => {
  const { operationId, kind, fid, viewer, appId, sort, limit, cursor } = request;
  const list = { operationId, sortKey };
  const filters = filtersOf(request);
  const before = decodeCursor(cursorKey, list, filters, cursor);
  const firstPageTime = before?.firstPageTime ?? firstPageTimeOf({ writer }, read.now);
  const { rows, next } = await selectFollows(
    read,
    kind,
    fid,
    { appId, viewer: viewer ?? null },
    { ranked: sort === 'algorithmic', horizon: fromUnixMs(firstPageTime), after: before?.sortKey, limit },
  );
  return {
    rows: rows.map(({ fid: follower, ts, app_fid }) => ({ fid: follower, ts, app_fid })),
    cursor: next === null ? null : encodeCursor(cursorKey, list, filters, { firstPageTime, sortKey: next }),
  };
};

/** Writes a page down with the accounts that it shows. */
type View = (rows: FollowListPage['rows'], page: Page, cursor: string | null) => Buffer;

/** Answers with one page of followers or followed accounts. @throws AppError 'invalid' with property `cursor` */
export const answerFollowList = async (request: FollowListRequest, parts: Parts, view: View): Promise<Buffer> => {
  const { operationId, kind, viewer, sort, limit, cursor } = request;
  const { read } = parts;
  // Scores change without a word, so that lists by score are read anew; few lists but those of followers are long.
  const isCached = kind === 'followers' && sort === 'desc_chron';
  const key = [operationId, filtersOf(request), limit, cursor];
  const list = isCached
    ? await read.list(key, (inner) => readPage(request, { ...parts, read: inner }))
    : await readPage(request, parts);
  const fids = listedFids(list.rows);
  const dehydrated = list.rows.flatMap(({ app_fid }) => app_fid ?? []);
  return view(list.rows, await hydrateUsers(read, fids, { viewer, listed: fids, dehydrated }), list.cursor);
};

/** @returns the accounts that a page of follows is about. */
export const listedFids = (rows: readonly { readonly fid: number }[]): number[] => rows.map(({ fid }) => fid);
