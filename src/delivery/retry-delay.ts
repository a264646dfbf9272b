const FIRST_MS = 10_000;
const LONGEST_MS = 3_600_000;
/** Spreads the retries of events that failed together. */
const JITTER = 0.2;

/** How long an event is retried. */
export const RETRY_WINDOW_MS = 24 * 3_600_000;

/**
 * @param attempts failed so far, at least 1
 * @param random from 0 to 1
 * @returns milliseconds until the next attempt: 10 s, doubled with each one, at most an hour, plus or minus a fifth
 */
export const retryDelay = (attempts: number, random: number): number =>
  Math.round(Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempts - 1)) * (1 - JITTER + 2 * JITTER * random));
