import Type from 'typebox';
import type { Basis } from '../../hydrate/basis.js';
import type { Hydration } from '../../hydrate/hydrate.js';
import { fromUnixMs } from '../../protocol/time.js';
import { nullable } from '../../schema/nullable.js';
import { type FollowKind, type FollowRow, selectFollows } from '../../store/follow-read.js';
import { audienceSources, followersOf, signersOf } from '../../store/list-source.js';
import type { Rendered } from '../../view/rendered.js';
import { decodeCursor, encodeCursor } from '../cursor.js';
import { firstPageTimeOf } from '../first-page-time.js';
import { answerList } from '../list-answer.js';
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

const readPage = async (request: FollowListRequest, services: Services, now: number): Promise<FollowListPage> => {
  const { db, cursorKey } = services;
  const { operationId, kind, fid, viewer, appId, sort, limit, cursor } = request;
  const list = { operationId, sortKey };
  const filters = filtersOf(request);
  const before = decodeCursor(cursorKey, list, filters, cursor);
  const firstPageTime = before?.firstPageTime ?? firstPageTimeOf(services, now);
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

/** Writes a page down with the accounts that it shows. */
type View = (rows: FollowListPage['rows'], page: Hydration, cursor: string | null) => Rendered;

/** Answers with one page of followers or followed accounts. @throws AppError 'invalid' with property `cursor` */
export const answerFollowList = async (
  request: FollowListRequest,
  services: Services,
  view: View,
): Promise<Rendered> => {
  const { operationId, kind, fid, viewer, appId, sort, limit, cursor } = request;
  const now = services.clock();
  const write = async (list: FollowListPage, basis?: Basis): Promise<Rendered> =>
    view(
      list.rows,
      await services.hydrate.users(followFids(list.rows), { now, viewer, basis, listed: listedFids(list.rows) }),
      list.cursor,
    );
  // Scores change without a word, so that lists by score are read anew; few lists but those of followers are long.
  if (kind !== 'followers' || sort !== 'desc_chron') return write(await readPage(request, services, now));
  const key = [operationId, filtersOf(request), limit, cursor];
  const sources = [followersOf(fid), ...audienceSources({ appId, viewer: viewer ?? null })];
  const load = async () => {
    const { rows, cursor: next } = await readPage(request, services, now);
    const shown = rows.map(({ fid: follower, ts, app_fid }) => ({ fid: follower, ts, app_fid }));
    const page: FollowListPage = { rows: shown, cursor: next };
    return { page, bytes: 60 * rows.length, sources: rows.map((row) => signersOf(row.fid)) };
  };
  return answerList(services, { key, sources, now }, load, write);
};

/** @returns the accounts that a page of follows shows, the apps behind them included. */
export const followFids = (rows: readonly { readonly fid: number; readonly app_fid: number | null }[]): number[] => [
  ...new Set(rows.flatMap(({ fid, app_fid }) => (app_fid === null ? [fid] : [fid, app_fid]))),
];

/** @returns the accounts that a page of follows is about. */
export const listedFids = (rows: readonly { readonly fid: number }[]): number[] => rows.map(({ fid }) => fid);
