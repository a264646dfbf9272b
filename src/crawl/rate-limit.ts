import { LRUCache } from 'lru-cache';

const MAX_KEYS = 10_000;

/**
 * @param clock Unix milliseconds
 * @param pauseMs between two requests to one host, or to one address
 * @returns a function that reserves requests in the order of its calls
 */
export const createRateLimit = (clock: () => number, pauseMs: number) => {
  // `max` would reserve the memory of all entries at once.
  const nextAt = new LRUCache<string, number>({ maxSize: MAX_KEYS, sizeCalculation: () => 1 });
  /**
   * @param deadline Unix milliseconds
   * @returns milliseconds until the request may be sent; undefined, and nothing reserved, if that is after the deadline
   */
  return (key: string, deadline: number): number | undefined => {
    const now = clock();
    const at = Math.max(now, nextAt.get(key) ?? 0);
    if (at >= deadline) return undefined;
    nextAt.set(key, at + pauseMs);
    return at - now;
  };
};
