import type { WebhookSubscriptionFilters } from '../schema/event/webhook.js';
import { compilePattern } from './pattern.js';

/**
 * Instructions that the regular expressions of the streams of one app may have together, and those of its webhooks. A
 * cast of 1 KiB takes at most some 50 ns for each of them and each byte: a second.
 */
export const MAX_APP_PATTERNS = 20_000;
/** The same for all apps: of the streams of a process, and of all webhooks. */
export const MAX_ALL_PATTERNS = 40_000;

/** Instructions of regular expressions, by the text of each. */
export type PatternSizes = ReadonlyMap<string, number>;

/**
 * @param filters as `readFilters` returns them
 * @returns the size of each regular expression in them
 */
export const patternSizes = (filters: WebhookSubscriptionFilters): PatternSizes => {
  const sizes = new Map<string, number>();
  for (const filter of Object.values(filters) as Record<string, unknown>[]) {
    for (const name of ['text', 'embeds']) {
      const source = filter[name];
      if (typeof source === 'string') sizes.set(source, compilePattern(source, name).size);
    }
  }
  return sizes;
};

/** @returns instructions of all of them; what several have counts once, as it is searched for once */
export const totalSize = (all: Iterable<PatternSizes>): number => {
  const distinct = new Map<string, number>();
  for (const sizes of all) for (const [source, size] of sizes) distinct.set(source, size);
  let total = 0;
  for (const size of distinct.values()) total += size;
  return total;
};
