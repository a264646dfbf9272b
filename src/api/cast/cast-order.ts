import type { Cast } from '../../hydrate/cast.js';
import type { Hydration } from '../../hydrate/hydrate.js';
import { toUnixMs } from '../../protocol/time.js';

export const CAST_ORDERS = ['trending', 'likes', 'recasts', 'replies', 'recent'] as const;
type CastOrder = (typeof CAST_ORDERS)[number];

const HOUR_MS = 3_600_000;

/**
 * How much attention a cast has for its age: reactions weigh the more the more work they are, and age counts
 * against it with a power of 1.5, so that a cast of yesterday needs about 40 times the attention of one of this hour.
 */
const trend = ({ content, counts }: Cast, now: number): number => {
  const hours = Math.max(0, now - toUnixMs(content.row.ts)) / HOUR_MS;
  const attention = counts.like_count + 2 * counts.recast_count + 2 * counts.reply_count + 3 * counts.quote_count;
  return attention / (hours + 2) ** 1.5;
};

const RANK: Readonly<Record<CastOrder, (cast: Cast, now: number) => number>> = {
  trending: trend,
  likes: ({ counts }) => counts.like_count,
  recasts: ({ counts }) => counts.recast_count,
  replies: ({ counts }) => counts.reply_count,
  recent: ({ content }) => content.row.ts,
};

/** @returns the hashes with the highest rank first; equal ones keep their order, casts not stored go last. */
export const orderCasts = (hashes: readonly string[], order: CastOrder, page: Hydration): string[] => {
  const rankOf = (hash: string): number => {
    const cast = page.casts.get(hash);
    return cast === undefined ? -1 : RANK[order](cast, page.now);
  };
  return [...hashes].sort((a, b) => rankOf(b) - rankOf(a));
};
