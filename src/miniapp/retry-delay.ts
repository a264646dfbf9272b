const FIRST_MS = 10_000;
const LONGEST_MS = 3_600_000;
/** Events that failed together must not all come back together. */
const JITTER = 0.2;

/** How long an event is tried. */
export const RETRY_WINDOW_MS = 24 * 3_600_000;

/**
 * @param attempts that failed so far, at least 1
 * @param random from 0 to 1
 * @returns milliseconds until the next: 10 s, then twice as long each time, never above an hour; a fifth more or less
 */
export const retryDelay = (attempts: number, random: number): number =>
  Math.round(Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempts - 1)) * (1 - JITTER + 2 * JITTER * random));
