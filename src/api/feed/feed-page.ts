import Type from 'typebox';
import type { ReadContext } from '../../cache/read-context.js';
import { hydrateCasts, type Page } from '../../hydrate/page.js';
import { fromUnixMs, toUnixMs } from '../../protocol/time.js';
import type { FeedItem, FeedPage } from '../../store/query/feed.js';
import { type CastList, viewFeed } from '../../view/cast-page.js';
import { type CursorFilters, type CursorList, decodeCursor, encodeCursor } from '../http/cursor.js';
import { firstPageTimeOf } from '../first-page-time.js';
import type { OperationRequest, ReadServices } from '../operation.js';
import { viewerFid } from '../http/parameter.js';

const PlaceKey = Type.Tuple([Type.Integer(), Type.String()]);

/** A list of casts that is ordered by time and the hash of what put the cast there. */
const feedList = (operationId: string): CursorList<typeof PlaceKey> => ({ operationId, sortKey: PlaceKey });

/** Query members that every list of casts takes. */
export const feedQuery = (maximum = 100) => ({
  viewer_fid: viewerFid,
  limit: Type.Integer({ format: 'int32', minimum: 1, maximum, default: 25 }),
  cursor: Type.Optional(Type.String()),
});

/**
 * Where accounts make a feed, a cast that one of them recasts stands at the time of the recast. Where a place makes it
 * (a channel, a parent URL, what is embedded), recasts change nothing: a recast is made by somebody, not somewhere.
 */
export const withRecasts = Type.Boolean({
  default: true,
  description: 'In feeds of accounts: casts that they recast, at the time of the recast.',
});

/** Members are known of channels that came with them (`castellan import --channels`); the protocol knows none. */
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

/** Reads a page of a list of casts. `horizon`: protocol seconds of the first page; later events do not count. */
export type FeedSkeleton = (read: ReadContext, page: FeedPage, horizon: number) => Promise<FeedItem[]>;

/** A list of casts whose statements name what their rows are made of, so that its pages can be cached. */
export interface CachedFeed {
  readonly select: FeedSkeleton;
  /** @returns when (protocol seconds) the first entry that is stored already comes after the horizon; null: never */
  next(read: ReadContext, horizon: number): Promise<number | null>;
}

/**
 * Reads one page of casts: ids, entities, view. One row beyond the page decides whether there is another.
 * @param filters what decides the list, besides viewer and app, which are added here
 * @throws AppError 'invalid' with property `cursor` for a cursor of another list
 */
export const answerFeed = async (
  operationId: string,
  request: Pick<OperationRequest<FeedQuery>, 'query' | 'caller'>,
  { read, cursorKey, writer }: { readonly read: ReadContext } & ReadServices,
  filters: CursorFilters,
  feed: FeedSkeleton | CachedFeed,
  view: (list: CastList, page: Page) => Buffer = viewFeed,
): Promise<Buffer> => {
  const { viewer_fid, limit, cursor } = request.query;
  const audience = { appId: request.caller.appId, viewer: viewer_fid ?? null };
  const list = feedList(operationId);
  const all = { ...filters, ...audience };
  const previous = decodeCursor(cursorKey, list, all, cursor);
  const firstPageTime = previous?.firstPageTime ?? firstPageTimeOf({ writer }, read.now);
  const horizon = fromUnixMs(firstPageTime);
  const after = previous && { ts: previous.sortKey[0], entry: previous.sortKey[1] };
  const page = { audience, after, limit: limit + 1 };
  const cut = (items: readonly FeedItem[]): CastList => {
    const shown = items.slice(0, limit);
    const last = items.length > limit ? shown.at(-1) : undefined;
    const next = last && encodeCursor(cursorKey, list, all, { firstPageTime, sortKey: [last.ts, last.entry] });
    return { hashes: shown.map((item) => item.hash), next: next ?? null };
  };
  const casts =
    typeof feed === 'function'
      ? cut(await feed(read, page, horizon))
      : await read.list([operationId, all, limit, cursor], async (inner) => {
          const [items, next] = await Promise.all([
            feed.select(inner, page, horizon),
            previous === undefined ? feed.next(inner, horizon) : null,
          ]);
          inner.endsAt(next === null ? null : toUnixMs(next));
          return cut(items);
        });
  return view(casts, await hydrateCasts(read, casts.hashes, { audience }));
};
