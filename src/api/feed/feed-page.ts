import Type from 'typebox';
import { fromUnixMs } from '../../protocol/time.js';
import type { FeedItem, FeedPage } from '../../store/feed-read.js';
import { type CastPage, viewFeed } from '../../view/feed.js';
import type { Rendered } from '../../view/rendered.js';
import { type CursorFilters, type CursorList, decodeCursor, encodeCursor } from '../cursor.js';
import type { OperationRequest } from '../operation.js';
import { viewerFid } from '../parameter.js';
import type { Services } from '../service.js';

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

/** Who is a member of a channel is not known to the protocol, nor to this version: nobody is left out. */
export const membersOnly = Type.Boolean({
  default: true,
  deprecated: true,
  description: 'Kept for compatibility: without a list of members, nobody is left out.',
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

/** What a list of casts is read by. `horizon`: protocol seconds of the first page; later events do not count. */
export type FeedSkeleton = (page: FeedPage, horizon: number) => Promise<FeedItem[]>;

/**
 * Reads one page of casts: skeleton, hydration, view. One row beyond the page decides whether there is another.
 * @param filters what decides the list, besides viewer and app, which are added here
 * @throws AppError 'invalid' with property `cursor` for a cursor of another list
 */
export const answerFeed = async (
  operationId: string,
  request: Pick<OperationRequest<FeedQuery>, 'query' | 'caller'>,
  services: Services,
  filters: CursorFilters,
  skeleton: FeedSkeleton,
  view: (casts: CastPage, page: Awaited<ReturnType<Services['hydrate']['casts']>>) => Rendered = viewFeed,
): Promise<Rendered> => {
  const { viewer_fid, limit, cursor } = request.query;
  const { hydrate, clock, cursorKey } = services;
  const audience = { appId: request.caller.appId, viewer: viewer_fid ?? null };
  const list = feedList(operationId);
  const all = { ...filters, ...audience };
  const now = clock();
  const previous = decodeCursor(cursorKey, list, all, cursor);
  const firstPageTime = previous?.firstPageTime ?? now;
  const after = previous && { ts: previous.sortKey[0], entry: previous.sortKey[1] };
  const items = await skeleton({ audience, after, limit: limit + 1 }, fromUnixMs(firstPageTime));
  const shown = items.slice(0, limit);
  const last = items.length > limit ? shown.at(-1) : undefined;
  const next = last && encodeCursor(cursorKey, list, all, { firstPageTime, sortKey: [last.ts, last.entry] });
  const hashes = shown.map((item) => item.hash);
  return view({ hashes, next: next ?? null }, await hydrate.casts(hashes, { now, viewer: viewer_fid, audience }));
};
