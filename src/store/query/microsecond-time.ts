/** A position in a list sorted by time and fid. */
export interface TimeCursor {
  readonly fid: number;
  /** Unix microseconds, the precision of `timestamptz`; 53 bits suffice beyond the year 2200. */
  readonly at: number;
}

/** @returns SQL that converts a `timestamptz` to Unix microseconds */
export const inMicroseconds = (column: string): string => `(extract(epoch from ${column}) * 1000000)::bigint`;

/** @returns SQL that converts Unix microseconds to a `timestamptz`; null becomes infinity */
export const fromMicroseconds = (parameter: string): string =>
  `coalesce(timestamptz 'epoch' + ${parameter}::bigint * interval '1 microsecond', 'infinity')`;
