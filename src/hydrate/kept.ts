import type { Entry, Revision } from './entity-cache.js';

/** Something that was made from entities, kept for others together with all that was looked up for it. */
export interface Kept {
  /** Everything that was looked up for it. */
  readonly from: readonly Entry<unknown, unknown>[];
  /** Unix milliseconds at which it becomes void by itself; undefined: never. */
  readonly endsAt: number | undefined;
  /** The revision at which it was last found to hold. */
  heldAt: number;
}

/** @param until Unix milliseconds, infinity for never. @returns it as `Kept` has it. */
export const endOf = (until: number): number | undefined => (until === Number.POSITIVE_INFINITY ? undefined : until);

/**
 * Nobody takes out what was kept when something changes: each use looks whether all entities that went into it are
 * still what is stored. That costs a comparison of numbers for each, and one alone while nothing at all changed.
 * @param now Unix milliseconds
 */
export const holds = (kept: Kept, now: number, revision: Revision): boolean => {
  if (kept.endsAt !== undefined && now >= kept.endsAt) return false;
  if (kept.heldAt === revision.count) return true;
  for (const entry of kept.from) if (entry.epoch !== entry.cache.epoch) return false;
  kept.heldAt = revision.count;
  return true;
};
