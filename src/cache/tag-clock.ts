import type { Tag } from '../db/statement.js';

/** Slots of 4 bytes each: 16 MB. */
const SLOTS = 2 ** 22;
/** Largest value of a slot. */
const MAX_SLOT_VALUE = 2 ** 32 - 1;

/** @returns 32 bits that depend on all 53 bits of the tag */
const hash = (tag: Tag): number => {
  let mixed = Math.imul(tag | 0, 0x9e3779b1) ^ Math.imul((tag / 2 ** 32) | 0, 0x85ebca77);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return mixed ^ (mixed >>> 16);
};

/**
 * Records when each tag was last invalidated. A loader calls `now()` before its first read; its result is valid until
 * one of its tags is invalidated. A moment is the number of invalidations so far, not a time.
 *
 * The table has a fixed number of slots, which tags share: a collision only causes a needless reload, never a missed
 * invalidation.
 */
export class TagClock {
  /** For each slot, the moments from `#start` to the last invalidation of one of its tags. */
  readonly #invalidated: Uint32Array;
  readonly #mask: number;
  /** The moment from which the table counts. */
  #start = 0;
  #now: number;
  /** Results of loads that began before this moment are invalid, whatever their tags. */
  #validFrom: number;

  /**
   * @param slots number of slots, a power of two
   * @param firstMoment below 2^32; lets a test start close to the overflow
   */
  constructor(slots = SLOTS, firstMoment = 0) {
    this.#invalidated = new Uint32Array(slots);
    this.#mask = slots - 1;
    this.#now = firstMoment;
    this.#validFrom = firstMoment;
  }

  /** @returns the moment, only for `isInvalidatedSince` */
  now(): number {
    return this.#now;
  }

  invalidate(tags: Iterable<Tag>): void {
    this.#advance();
    const since = this.#now - this.#start;
    for (const tag of tags) this.#invalidated[hash(tag) & this.#mask] = since;
  }

  invalidateAll(): void {
    this.#advance();
    this.#validFrom = this.#now;
  }

  /** @param moment an earlier result of `now()`. @returns whether one of the tags may have been invalidated since */
  isInvalidatedSince(moment: number, tags: Float64Array | readonly Tag[]): boolean {
    if (moment < this.#validFrom) return true;
    if (moment === this.#now) return false;
    const since = moment - this.#start;
    for (let index = 0; index < tags.length; index++) {
      if ((this.#invalidated[hash(tags[index] as Tag) & this.#mask] as number) > since) return true;
    }
    return false;
  }

  /**
   * Moments increase forever; when a slot cannot hold the next one, the table is reset and all earlier loads are
   * invalid.
   */
  #advance(): void {
    this.#now++;
    if (this.#now - this.#start <= MAX_SLOT_VALUE) return;
    this.#invalidated.fill(0);
    this.#start = this.#now;
    this.#validFrom = this.#now;
  }
}
