import { setTimeout as delay } from 'node:timers/promises';

/**
 * Attempts what is due, at most `atOnce` at a time, until nothing is due and nothing under way: a slow attempt takes
 * one place and holds up no other.
 *
 * @param parts `claim` gives at most `limit` that are due and keeps them from others; `failed` is told what an attempt
 *   threw; while attempts are under way, what has become due is looked for every `lookMs`
 * @throws what `claim` threw, after the attempts under way have ended
 */
export const attemptDue = async <Item>(parts: {
  readonly atOnce: number;
  readonly lookMs: number;
  readonly claim: (limit: number) => Promise<readonly Item[]>;
  readonly attempt: (item: Item) => Promise<void>;
  readonly failed: (error: unknown) => void;
  readonly isStopping: () => boolean;
}): Promise<void> => {
  const { atOnce, lookMs, claim, attempt, failed, isStopping } = parts;
  const underway = new Set<Promise<void>>();
  try {
    do {
      const free = isStopping() ? 0 : atOnce - underway.size;
      for (const item of free > 0 ? await claim(free) : []) {
        const one = attempt(item)
          .catch(failed)
          .finally(() => void underway.delete(one));
        underway.add(one);
      }
      if (underway.size > 0) await Promise.race([...underway, delay(lookMs, undefined, { ref: false })]);
    } while (underway.size > 0);
  } finally {
    await Promise.all(underway);
  }
};
