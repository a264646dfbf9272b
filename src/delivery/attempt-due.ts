import { setTimeout as delay } from 'node:timers/promises';

/**
 * Attempts due items, at most `concurrency` at a time, until none is due or in progress; a slow attempt does not delay
 * the others.
 * @param options `claim` returns at most `limit` due items and reserves them; `failed` is called with the error of an
 *   attempt; while attempts are in progress, newly due items are claimed every `pollIntervalMs`
 * @throws what `claim` threw, after the attempts in progress have ended
 */
export const attemptDue = async <Item>(options: {
  readonly concurrency: number;
  readonly pollIntervalMs: number;
  readonly claim: (limit: number) => Promise<readonly Item[]>;
  readonly attempt: (item: Item) => Promise<void>;
  readonly failed: (error: unknown) => void;
  readonly isStopping: () => boolean;
}): Promise<void> => {
  const { concurrency, pollIntervalMs, claim, attempt, failed, isStopping } = options;
  const inFlight = new Set<Promise<void>>();
  let claimed: readonly Item[];
  try {
    do {
      const free = isStopping() ? 0 : concurrency - inFlight.size;
      claimed = free > 0 ? await claim(free) : [];
      for (const item of claimed) {
        const one = attempt(item)
          .catch(failed)
          .finally(() => void inFlight.delete(one));
        inFlight.add(one);
      }
      if (inFlight.size > 0) await Promise.race([...inFlight, delay(pollIntervalMs, undefined, { ref: false })]);
      // All attempts may have ended at once, while more items are due.
    } while (inFlight.size > 0 || claimed.length > 0);
  } finally {
    await Promise.all(inFlight);
  }
};
