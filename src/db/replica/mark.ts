/** Where a database's write-ahead log ends. */
export interface LogPosition {
  /** Bytes since the beginning of the log. */
  readonly position: number;
  /** Changes with each promotion. */
  readonly timeline: string;
  /** The same on all servers that are copies of each other, and nowhere else. */
  readonly cluster: string;
}

/**
 * What a replica must have replayed to show everything that this process knew at a moment, and everything that was
 * committed before a time.
 */
export interface Mark extends LogPosition {
  /** Of the tag clock. */
  readonly moment: number;
  /** `performance.now()` before the primary was asked. */
  readonly asOf: number;
}

/** Milliseconds for which a mark is good: no response shows a state that is older than a second. */
export const MAX_STALENESS_MS = 750;

/** Milliseconds that a read waits for a replica before it goes to the primary. */
export const MAX_WAIT_MS = 50;
