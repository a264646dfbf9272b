import type { Tag } from '../store/tag.js';

/** 16 MB. */
const PLACES = 2 ** 22;
/** What a place of the table holds at most. */
const MOST = 2 ** 32 - 1;

/** @returns 32 bits that depend on all 53 bits of the tag */
const hash = (tag: Tag): number => {
  let mixed = Math.imul(tag | 0, 0x9e3779b1) ^ Math.imul((tag / 2 ** 32) | 0, 0x85ebca77);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return mixed ^ (mixed >>> 16);
};

/**
 * Knows when each tag was last invalidated. A loader notes `now()` before its first read; what it makes is valid as long
 * as none of its tags was invalidated since. A moment is the number of invalidations so far, not a time.
 *
 * The table has a fixed number of places, and tags share them: then something counts as invalidated without need, but
 * an invalidation is never missed and none is forgotten.
 */
export class TagClock {
  /** For each place, the moments from `#start` to the last invalidation of a tag there. */
  readonly #invalidated: Uint32Array;
  readonly #mask: number;
  /** The moment from which the table counts. */
  #start = 0;
  #now: number;
  /** What was noted before this moment is not valid, whatever its tags. */
  #validFrom: number;

  /**
   * @param places a power of two; each takes 4 bytes
   * @param firstMoment below 2^32, so that a test need not count that far
   */
  constructor(places = PLACES, firstMoment = 0) {
    this.#invalidated = new Uint32Array(places);
    this.#mask = places - 1;
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

  /** @param moment what `now()` returned then. @returns whether one of the tags may have been invalidated after it */
  isInvalidatedSince(moment: number, tags: Float64Array | readonly Tag[]): boolean {
    if (moment < this.#validFrom) return true;
    if (moment === this.#now) return false;
    const since = moment - this.#start;
    for (let index = 0; index < tags.length; index++) {
      if ((this.#invalidated[hash(tags[index] as Tag) & this.#mask] as number) > since) return true;
    }
    return false;
  }

  /** Moments grow for ever; a table that cannot hold the next one begins anew, and nothing noted before is valid. */
  #advance(): void {
    this.#now++;
    if (this.#now - this.#start <= MOST) return;
    this.#invalidated.fill(0);
    this.#start = this.#now;
    this.#validFrom = this.#now;
  }
}
