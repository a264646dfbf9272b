/** Milliseconds. */
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Seconds, as the protocol counts. */
export const DAY_SECONDS = 86_400;

/**
 * How often work is looked for that nothing announced: another process may have ended before it could, or what it tries
 * again may be due.
 */
export const UNANNOUNCED_WORK_MS = 10_000;
