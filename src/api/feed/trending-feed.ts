import type { ReadContext } from '../../cache/read-context.js';
import { selectTrendingCasts, selectTrendingCastsByUrls } from '../../store/feed/trending.js';
import type { FeedItem } from '../../store/query/feed.js';
import type { FeedPlace } from './feed-operation.js';

/** Seconds of each period that can be asked for. */
const SECONDS = { '1h': 3600, '6h': 21_600, '12h': 43_200, '24h': 86_400, '7d': 604_800 } as const;

export type TrendingWindow = keyof typeof SECONDS;
export const TRENDING_WINDOWS: [TrendingWindow, ...TrendingWindow[]] = ['1h', '6h', '12h', '24h', '7d'];

/** @param parentUrls keeps the casts under these; null: of the whole network */
export const selectTrending = (
  read: ReadContext,
  { window, parentUrls }: { readonly window: TrendingWindow; readonly parentUrls: readonly string[] | null },
  place: FeedPlace,
): Promise<readonly FeedItem[]> => {
  const period = { start: place.horizon - SECONDS[window], horizon: place.horizon };
  return parentUrls === null
    ? selectTrendingCasts(read, period, place)
    : selectTrendingCastsByUrls(read, parentUrls, period, place);
};
