import type { Tag } from '../db/statement.js';

/** A value in memory with the data that decides how long it is valid. */
export interface Entry<V = unknown> {
  /** Undefined: the database has nothing under this key. */
  readonly value: V | undefined;
  readonly tags: Float64Array | readonly Tag[];
  /** Unix milliseconds; not valid before this time if the clock is set back. */
  readonly from: number;
  /** Unix milliseconds at which it expires; infinity: never by time. */
  readonly until: number;
  /** Moment of the tag clock up to which no tag was invalidated. */
  validAt: number;
  /** How many entries the cache had stored when this one was last moved to the front. */
  usedAt: number;
}

/** A value as its loader returns it. */
export interface Loaded<V> {
  readonly value: V;
  /** Tags in addition to those that follow from the key. */
  readonly tags?: readonly Tag[];
  /** Unix milliseconds before which the value was different, in case the clock is set back; absent: never. */
  readonly from?: number | undefined;
  /** Unix milliseconds from which the value is different; absent: time alone does not change it. */
  readonly until?: number | undefined;
}
