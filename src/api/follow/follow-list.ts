import Type from 'typebox';
import type { ReadContext } from '../../cache/read-context.js';
import { hydrateUsers, type Page } from '../../hydrate/page.js';
import { fromUnixMs } from '../../protocol/time.js';
import { Fid } from '../../schema/fid.js';
import { nullable } from '../../schema/nullable.js';
import { FollowersResponse } from '../../schema/social/follow.js';
import { stringEnum } from '../../schema/string-enum.js';
import { type FollowKind, type FollowRow, selectFollows } from '../../store/query/follow.js';
import { viewFollowers } from '../../view/follower.js';
import { openPage } from '../http/cursor.js';
import { type Operation, operation, type ReadServices } from '../http/operation.js';
import { firstPageTimeOf } from '../http/page-snapshot-time.js';
import { experimentalHeader, viewerFid } from '../http/parameter.js';

/** By time, or by score among the newest follows. */
export const FOLLOW_SORTS = ['desc_chron', 'algorithmic'] as const;

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

type Dependencies = { readonly read: ReadContext } & ReadServices;

const readPage = async (
  request: FollowListRequest,
  { read, cursorKey, writer }: Dependencies,
): Promise<FollowListPage> => {
  const { operationId, kind, fid, viewer, appId, sort, limit } = request;
  const now = firstPageTimeOf({ writer }, read.now);
  const list = openPage(cursorKey, { operationId, sortKey }, filtersOf(request), request, now);
  const { rows, next } = await selectFollows(
    read,
    kind,
    fid,
    { appId, viewer: viewer ?? null },
    { ranked: sort === 'algorithmic', horizon: fromUnixMs(list.firstPageTime), after: list.after, limit },
  );
  return {
    rows: rows.map(({ fid: follower, ts, app_fid }) => ({ fid: follower, ts, app_fid })),
    cursor: list.cursorAfter(next ?? undefined),
  };
};

type View = (rows: FollowListPage['rows'], page: Page, cursor: string | null) => Buffer;

/** Declares the list of followers or of followed accounts. @param definition `limit` is the usual page size */
export const followListOperation = (definition: {
  readonly id: string;
  readonly path: string;
  readonly kind: 'followers' | 'following';
  readonly summary: string;
  readonly limit: number;
}): Operation => {
  const { id, path, kind, summary } = definition;
  return operation({
    id,
    path,
    tags: ['Follows'],
    summary,
    headers: experimentalHeader,
    query: Type.Object({
      fid: Fid,
      viewer_fid: viewerFid,
      sort_type: Type.Optional(
        stringEnum(FOLLOW_SORTS, {
          description:
            'desc_chron when absent; algorithmic ranks the newest 1,000 by score, older ones follow by time.',
        }),
      ),
      limit: Type.Integer({ format: 'int32', minimum: 1, maximum: 100, default: definition.limit }),
      cursor: Type.Optional(Type.String()),
    }),
    response: FollowersResponse,
    errors: [400, 500],
    read: ({ query, caller }, read, services) => {
      const { fid, viewer_fid: viewer, sort_type: sort = 'desc_chron', limit, cursor } = query;
      return respondWithFollowList(
        { operationId: id, kind, fid, viewer, appId: caller.appId, sort, limit, cursor },
        { read, ...services },
        viewFollowers,
      );
    },
  });
};

/** Responds with one page of followers or followed accounts. @throws AppError 'invalid' with property `cursor` */
export const respondWithFollowList = async (
  request: FollowListRequest,
  deps: Dependencies,
  view: View,
): Promise<Buffer> => {
  const { operationId, kind, viewer, sort, limit, cursor } = request;
  const { read } = deps;
  // A change of scores invalidates no tag, so lists by score are not cached; most lists other than followers are short.
  const isCached = kind === 'followers' && sort === 'desc_chron';
  const key = [operationId, filtersOf(request), limit, cursor];
  const list = isCached
    ? await read.list(key, (inner) => readPage(request, { ...deps, read: inner }))
    : await readPage(request, deps);
  const fids = listedFids(list.rows);
  const dehydrated = list.rows.flatMap(({ app_fid }) => app_fid ?? []);
  return view(list.rows, await hydrateUsers(read, fids, { viewer, listed: fids, dehydrated }), list.cursor);
};

export const listedFids = (rows: readonly { readonly fid: number }[]): number[] => rows.map(({ fid }) => fid);
