import type { Tag } from '../store/tag.js';

/** A value in memory, and what decides how long it is valid. */
export interface Entry<V = unknown> {
  /** Undefined: nothing is stored under the key. */
  readonly value: V | undefined;
  /** What the value was made from. */
  readonly tags: Float64Array | readonly Tag[];
  /** Unix milliseconds before which it is not valid: a clock that was set back asks for an earlier state. */
  readonly from: number;
  /** Unix milliseconds from which on it is not valid any more; infinity: time alone changes nothing. */
  readonly until: number;
  /** Moment of the tag clock up to which none of the tags was invalidated. */
  validAt: number;
  /** How many entries the cache had stored when this one was last made the most recently used. */
  usedAt: number;
}

/** A value as its loader returns it. */
export interface Loaded<V> {
  readonly value: V;
  /** What the value was made from besides what its key says. */
  readonly tags?: readonly Tag[];
  /** Unix milliseconds before which the value is another one, for a clock that is set back; absent: it never was. */
  readonly from?: number | undefined;
  /** Unix milliseconds from which on the value is another one; absent: time alone changes nothing. */
  readonly until?: number | undefined;
}
