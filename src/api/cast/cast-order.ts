import { HOUR_MS } from '../../duration.js';
import type { Cast } from '../../hydrate/cast.js';
import type { Page } from '../../hydrate/page.js';
import { toUnixMs } from '../../protocol/time.js';

export const CAST_ORDERS = ['trending', 'likes', 'recasts', 'replies', 'recent'] as const;
type CastOrder = (typeof CAST_ORDERS)[number];

/**
 * Ranks a cast by reactions and age: reactions that take more effort weigh more, and age lowers the rank with a power
 * of 1.5, so a cast of yesterday needs about 40 times the reactions of one of this hour.
 */
const trend = ({ row }: Cast, now: number): number => {
  const hours = Math.max(0, now - toUnixMs(row.ts)) / HOUR_MS;
  const attention = row.likeCount + 2 * row.recastCount + 2 * row.replyCount + 3 * row.quoteCount;
  return attention / (hours + 2) ** 1.5;
};

const RANK: Readonly<Record<CastOrder, (cast: Cast, now: number) => number>> = {
  trending: trend,
  likes: ({ row }) => row.likeCount,
  recasts: ({ row }) => row.recastCount,
  replies: ({ row }) => row.replyCount,
  recent: ({ row }) => row.ts,
};

/** @param now Unix milliseconds. @returns the hashes by descending rank; casts that are not stored come last */
export const orderCasts = (hashes: readonly string[], order: CastOrder, { casts }: Page, now: number): string[] => {
  const rankOf = (hash: string): number => {
    const cast = casts.get(hash);
    return cast === undefined ? -1 : RANK[order](cast, now);
  };
  return [...hashes].sort((a, b) => rankOf(b) - rankOf(a));
};
