/** SQLSTATE of an error that came from PostgreSQL, if it is one. */
const sqlState = (error: unknown): string | undefined => {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
};

const CONNECTION_WORDS = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH']);

/**
 * True when the database cannot be reached or cannot serve now, so that the same call may succeed later.
 * Classes 08 (connection), 57P (shutdown) and 53 (resources) of PostgreSQL's appendix A; the driver's own
 * connection errors carry no SQLSTATE and are known by their message.
 */
export const isDatabaseAway = (error: unknown): boolean => {
  const state = sqlState(error);
  if (state !== undefined && !CONNECTION_WORDS.has(state)) {
    return state.startsWith('08') || state.startsWith('57P') || state.startsWith('53');
  }
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code === 'string' && CONNECTION_WORDS.has(code)) return true;
  return (
    error instanceof Error &&
    /Connection terminated|connection error and is not queryable|Client was closed|timeout exceeded when trying to connect|Query read timeout|Cannot use a pool after calling end/.test(
      error.message,
    )
  );
};

/** True for a transaction that may simply be run again: deadlock victim or serialization failure. */
export const isRetryable = (error: unknown): boolean => {
  const state = sqlState(error);
  return state === '40P01' || state === '40001';
};

/** True for a statement that waited for a lock longer than `lock_timeout`; its transaction is over. */
export const isLockedTooLong = (error: unknown): boolean => sqlState(error) === '55P03';
