/** SQLSTATE of an error from PostgreSQL, if it is one. Its classes begin with a digit, F0, HV, P0 or XX. */
export const sqlState = (error: unknown): string | undefined => {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^(?:[0-9][0-9A-Z]|F0|HV|P0|XX)[0-9A-Z]{3}$/.test(code) ? code : undefined;
};

/** Error codes of the system and its resolver for a server that cannot be reached. */
const CONNECTION_CODES = new Set([
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'EAI_FAIL',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETRESET',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/** Connection, invalid authorization, no such database, resources, shutdown (PostgreSQL's appendix A). */
const UNAVAILABLE = /^(?:08|28|3D|53|57P)/;

/**
 * Whether the database cannot be reached or cannot work now, so that the same call may succeed later. The driver's own
 * connection errors have no SQLSTATE and are recognized by their message.
 */
export const isDatabaseUnavailable = (error: unknown): boolean => {
  const state = sqlState(error);
  if (state !== undefined) return UNAVAILABLE.test(state) || isReadOnly(error);
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code === 'string' && CONNECTION_CODES.has(code)) return true;
  return (
    error instanceof Error &&
    /Connection terminated|connection error and is not queryable|Client was closed|timeout exceeded when trying to connect|Query read timeout|Cannot use a pool after calling end/.test(
      error.message,
    )
  );
};

/**
 * Classes of errors caused by the data of a statement: cardinality (a statement affects a row twice), data exception,
 * integrity constraint, check option, program limit (too long for an index), and errors raised by triggers. This is not
 * certain: 54000 is also the error of a database that must be vacuumed first.
 */
const DATA_ERROR = /^(?:21|22|23|44|54|P0001)/;

/** An exhausted sequence has the class of a data exception, but affects every row. */
const SEQUENCE_EXHAUSTED = '2200H';

/**
 * Whether PostgreSQL rejected the data of a statement. Other errors (connection, authorization, locks, cancelled
 * statements, permissions, a read-only or full database, internal errors, errors without SQLSTATE) say nothing about
 * the data: the same call may succeed later.
 */
export const isDataError = (error: unknown): boolean => {
  const state = sqlState(error);
  return state !== undefined && state !== SEQUENCE_EXHAUSTED && DATA_ERROR.test(state);
};

/** Whether a transaction can be repeated: after a deadlock or a serialization failure. */
export const isRetryable = (error: unknown): boolean => {
  const state = sqlState(error);
  return state === '40P01' || state === '40001';
};

/** Whether PostgreSQL cancelled a statement that exceeded its time limit (`statement_timeout`). */
export const isTimedOut = (error: unknown): boolean => sqlState(error) === '57014';

/** Whether a statement waited for a lock longer than `lock_timeout`; its transaction has ended. */
export const isLockedTooLong = (error: unknown): boolean => sqlState(error) === '55P03';

/**
 * Whether a write was sent over a read-only connection: to a standby, or one opened while the database was read-only.
 * The connection stays read-only even if the database becomes writable.
 */
export const isReadOnly = (error: unknown): boolean => sqlState(error) === '25006';
