import Type from 'typebox';
import type { Basis } from '../../hydrate/basis.js';
import { dueAt, type LoadedPage } from '../../hydrate/list-cache.js';
import { fromUnixMs } from '../../protocol/time.js';
import type { FeedItem, FeedPage } from '../../store/feed-read.js';
import { audienceSources, type ListSource } from '../../store/list-source.js';
import { type CastPage, viewFeed } from '../../view/feed.js';
import type { Rendered } from '../../view/rendered.js';
import { type CursorFilters, type CursorList, decodeCursor, encodeCursor } from '../cursor.js';
import { firstPageTimeOf } from '../first-page-time.js';
import { answerList } from '../list-answer.js';
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

/** What a list of casts is read by. `horizon`: protocol seconds of the first page; later events do not count. */
export type FeedSkeleton = (page: FeedPage, horizon: number) => Promise<FeedItem[]>;

/** A list of casts whose pages are kept. */
export interface KeptFeed {
  readonly skeleton: FeedSkeleton;
  /**
   * What all pages of the list are made from, whatever the audience, and when (protocol seconds) the first entry that
   * is stored already comes after the horizon; null: there is none.
   */
  origin(horizon: number): Promise<{ readonly sources: readonly ListSource[]; readonly next: number | null }>;
}

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
  feed: FeedSkeleton | KeptFeed,
  view: (casts: CastPage, page: Awaited<ReturnType<Services['hydrate']['casts']>>) => Rendered = viewFeed,
): Promise<Rendered> => {
  const { viewer_fid, limit, cursor } = request.query;
  const { hydrate, clock, cursorKey } = services;
  const audience = { appId: request.caller.appId, viewer: viewer_fid ?? null };
  const list = feedList(operationId);
  const all = { ...filters, ...audience };
  const now = clock();
  const [skeleton, origin] = typeof feed === 'function' ? [feed] : [feed.skeleton, feed.origin];
  const load = async (): Promise<LoadedPage<CastPage>> => {
    const previous = decodeCursor(cursorKey, list, all, cursor);
    const firstPageTime = previous?.firstPageTime ?? firstPageTimeOf(services, now);
    const horizon = fromUnixMs(firstPageTime);
    const after = previous && { ts: previous.sortKey[0], entry: previous.sortKey[1] };
    const [items, from] = await Promise.all([
      skeleton({ audience, after, limit: limit + 1 }, horizon),
      origin?.(horizon),
    ]);
    const shown = items.slice(0, limit);
    const last = items.length > limit ? shown.at(-1) : undefined;
    const next = last && encodeCursor(cursorKey, list, all, { firstPageTime, sortKey: [last.ts, last.entry] });
    const page = { hashes: shown.map((item) => item.hash), next: next ?? null };
    return {
      page,
      bytes: 80 * shown.length,
      sources: from?.sources ?? [],
      until: previous ? undefined : dueAt(from?.next),
    };
  };
  const write = async (page: CastPage, basis?: Basis): Promise<Rendered> =>
    view(page, await hydrate.casts(page.hashes, { now, viewer: viewer_fid, audience, basis }));
  if (origin === undefined) return write((await load()).page);
  const key = [operationId, all, limit, cursor];
  return answerList(services, { key, sources: audienceSources(audience), now }, load, write);
};
