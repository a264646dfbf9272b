import Type, { type TProperties } from 'typebox';
import type { ReadContext } from '../../cache/read-context.js';
import { hydrateCasts, type Page } from '../../hydrate/page.js';
import { toUnixMs } from '../../protocol/time.js';
import type { FeedItem, FeedPage } from '../../store/query/feed.js';
import type { Audience } from '../../store/visibility.js';
import { type CastList, viewFeed } from '../../view/cast-page.js';
import type { Operation, ReadServices } from '../http/operation.js';
import { viewerFid } from '../http/parameter.js';
import { cutPage } from '../page/list-operation.js';
import { type PageDescription, type PageRequest, pagedOperation } from '../page/paged-operation.js';

/** Score of a cast in a ranked feed; time of an entry, and the hash of its message: the cast or a recast. */
const sortKey = Type.Object({ score: Type.Optional(Type.Integer()), ts: Type.Integer(), entry: Type.String() });

const keyOf = ({ score, ts, entry }: FeedItem) => ({ ...(score !== undefined && { score }), ts, entry });

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

/** Programs name the recommendation service that the interface once called. */
export const ignoredProvider = Type.Optional(
  Type.String({ deprecated: true, description: 'Ignored: this server ranks the casts itself.' }),
);

const viewing = { viewer_fid: viewerFid };
type FeedQuery<Query extends TProperties> = Query & typeof viewing;

/** A page of a feed: later events than `horizon`, the time of the first page in protocol seconds, are left out. */
export interface FeedPlace extends FeedPage {
  readonly horizon: number;
}

/** @returns time of the first stored entry after the horizon, in protocol seconds; null: there is none */
type ReadNext = (read: ReadContext, horizon: number) => Promise<number | null>;

interface FeedDefinition<Query extends TProperties, Filters extends object> extends PageDescription<Query> {
  /** Casts of a page at most. Default: 100. */
  readonly maximum?: number;
  /** Casts of a page where the request does not say. Default: 25. */
  readonly standard?: number;
  /**
   * @returns everything that the feed depends on besides viewer and app, as JSON values; `select` gets nothing else of
   *   the request
   * @throws AppError
   */
  filters(
    request: PageRequest<FeedQuery<Query>>,
    read: ReadContext,
    services: ReadServices,
  ): Filters | Promise<Filters>;
  select(read: ReadContext, filters: Filters, place: FeedPlace, services: ReadServices): Promise<readonly FeedItem[]>;
  /** For feeds whose statements have dependency tags, so that their pages can be cached; undefined for other ones. */
  readonly next?: (filters: Filters) => ReadNext | undefined;
  /** Default: the view of `FeedResponse`. */
  readonly view?: (list: CastList, page: Page) => Buffer;
}

/** Declares an operation that lists casts page by page, as the viewer may see them. */
export const feedOperation = <const Query extends TProperties, Filters extends object>({
  query,
  maximum = 100,
  standard = 25,
  filters,
  select,
  next = () => undefined,
  view = viewFeed,
  ...definition
}: FeedDefinition<Query, Filters>): Operation =>
  pagedOperation({
    ...definition,
    query: { ...query, ...viewing } as FeedQuery<Query>,
    limit: Type.Integer({ format: 'int32', minimum: 1, maximum, default: standard }),
    sortKey,
    filters: async (request, read, services) => {
      const { viewer_fid: viewer } = request.query as { readonly viewer_fid?: number };
      const audience: Audience = { appId: request.caller.appId, viewer: viewer ?? null };
      return { feed: await filters(request, read, services), audience };
    },
    isUncached: ({ feed }) => next(feed) === undefined,
    load: async (read, { feed, audience }, { size, ...place }, services) => {
      const [items, nextEntry] = await Promise.all([
        select(read, feed, { ...place, limit: size + 1, audience }, services),
        place.after === undefined ? next(feed)?.(read, place.horizon) : null,
      ]);
      read.endsAt(nextEntry && toUnixMs(nextEntry));
      const { content, end } = cutPage(items, size, keyOf);
      // Hashes alone: the lists of a popular server take much of its memory.
      return { content: content.map(({ hash }) => hash), end };
    },
    view: async (hashes, cursor, _, read, { audience }) =>
      view({ hashes, next: cursor }, await hydrateCasts(read, hashes, { audience })),
  });
