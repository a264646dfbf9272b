/** A place in a list that is ordered by time and fid. */
export interface DatedPlace {
  readonly fid: number;
  /** Unix microseconds, as exact as the store keeps time: 53 bits reach beyond the year 2200. */
  readonly at: number;
}

/** @returns SQL of a `timestamptz` as Unix microseconds. */
export const inMicroseconds = (column: string): string => `(extract(epoch from ${column}) * 1000000)::bigint`;

/** @returns SQL of Unix microseconds as a `timestamptz`; null lies after all times. */
export const fromMicroseconds = (parameter: string): string =>
  `coalesce(timestamptz 'epoch' + ${parameter}::bigint * interval '1 microsecond', 'infinity')`;
