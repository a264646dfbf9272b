import { LRUCache } from 'lru-cache';

/** Pause between two requests to one host. */
const PAUSE_MS = 1_000;
const MAX_HOSTS = 10_000;

/** @returns a function that reserves requests to hosts, one a second for each host, in the order of its calls */
export const createHostRateLimit = (clock: () => number) => {
  // `max` would reserve the memory of all entries at once.
  const nextAt = new LRUCache<string, number>({ maxSize: MAX_HOSTS, sizeCalculation: () => 1 });
  /**
   * @param deadline Unix milliseconds
   * @returns milliseconds until the request may be sent; undefined, and nothing reserved, if that is after the deadline
   */
  return (host: string, deadline: number): number | undefined => {
    const now = clock();
    const at = Math.max(now, nextAt.get(host) ?? 0);
    if (at >= deadline) return undefined;
    nextAt.set(host, at + PAUSE_MS);
    return at - now;
  };
};
