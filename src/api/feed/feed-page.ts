import Type from 'typebox';
import type { ReadContext } from '../../cache/read-context.js';
import { hydrateCasts, type Page } from '../../hydrate/page.js';
import { fromUnixMs, toUnixMs } from '../../protocol/time.js';
import type { FeedItem, FeedPage } from '../../store/query/feed.js';
import { type CastList, viewFeed } from '../../view/cast-page.js';
import { type CursorFilters, openPage } from '../http/cursor.js';
import type { OperationRequest, ReadServices } from '../http/operation.js';
import { firstPageTimeOf } from '../http/page-snapshot-time.js';
import { viewerFid } from '../http/parameter.js';

/** Time of an entry, and the hash of its message: the cast or a recast. */
const sortKey = Type.Tuple([Type.Integer(), Type.String()]);

export const feedQuery = (maximum = 100) => ({
  viewer_fid: viewerFid,
  limit: Type.Integer({ format: 'int32', minimum: 1, maximum, default: 25 }),
  cursor: Type.Optional(Type.String()),
});

/**
 * In feeds of accounts, a cast that one of them recasts is sorted by the time of the recast. Feeds of a channel, a parent
 * URL or an embed ignore recasts, because a recast belongs to an account and not to a channel.
 */
export const withRecasts = Type.Boolean({
  default: true,
  description: 'In feeds of accounts: casts that they recast, at the time of the recast.',
});

/** Only `castellan import --channels` stores channel members; the protocol has none. */
export const membersOnly = Type.Boolean({
  default: true,
  deprecated: true,
  description: 'In channels: casts of members and leads alone; nobody is left out where members are not known.',
});

export const withReplies = Type.Boolean({
  default: false,
  description: 'With replies in the threads that began there.',
});

interface FeedQuery {
  readonly viewer_fid?: number;
  readonly limit: number;
  readonly cursor?: string;
}

/** Reads a page of casts. `horizon`: time of the first page in protocol seconds; later events are left out. */
export type FeedSkeleton = (read: ReadContext, page: FeedPage, horizon: number) => Promise<FeedItem[]>;

/** A list of casts whose statements have dependency tags, so that its pages can be cached. */
export interface CachedFeed {
  readonly select: FeedSkeleton;
  /** @returns time of the first stored entry after the horizon, in protocol seconds; null: there is none */
  next(read: ReadContext, horizon: number): Promise<number | null>;
}

/**
 * Responds with one page of casts.
 * @param filters all parameters that decide the list, except viewer and app, which are added here
 * @throws AppError 'invalid' with property `cursor` for a cursor of another list
 */
export const respondWithFeed = async (
  operationId: string,
  request: Pick<OperationRequest<FeedQuery>, 'query' | 'caller'>,
  { read, cursorKey, writer }: { readonly read: ReadContext } & ReadServices,
  filters: CursorFilters,
  feed: FeedSkeleton | CachedFeed,
  view: (list: CastList, page: Page) => Buffer = viewFeed,
): Promise<Buffer> => {
  const { viewer_fid, limit, cursor } = request.query;
  const audience = { appId: request.caller.appId, viewer: viewer_fid ?? null };
  const all = { ...filters, ...audience };
  const now = firstPageTimeOf({ writer }, read.now);
  const list = openPage(cursorKey, { operationId, sortKey }, all, request.query, now);
  const horizon = fromUnixMs(list.firstPageTime);
  const after = list.after && { ts: list.after[0], entry: list.after[1] };
  const page = { audience, after, limit: list.limit };
  const cut = (items: readonly FeedItem[]): CastList => {
    const { rows, cursor: next } = list.cut(items, ({ ts, entry }) => [ts, entry]);
    return { hashes: rows.map(({ hash }) => hash), next };
  };
  const casts =
    typeof feed === 'function'
      ? cut(await feed(read, page, horizon))
      : await read.list([operationId, all, limit, cursor], async (inner) => {
          const [items, next] = await Promise.all([
            feed.select(inner, page, horizon),
            after === undefined ? feed.next(inner, horizon) : null,
          ]);
          inner.endsAt(next === null ? null : toUnixMs(next));
          return cut(items);
        });
  return view(casts, await hydrateCasts(read, casts.hashes, { audience }));
};
