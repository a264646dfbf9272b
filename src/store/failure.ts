/** SQLSTATE of an error that came from PostgreSQL, if it is one. Its classes begin with a digit, F0, HV, P0 or XX. */
export const sqlState = (error: unknown): string | undefined => {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^(?:[0-9][0-9A-Z]|F0|HV|P0|XX)[0-9A-Z]{3}$/.test(code) ? code : undefined;
};

/** What the system and its resolver say of a server that cannot be reached. */
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
const AWAY = /^(?:08|28|3D|53|57P)/;

/**
 * True when the database cannot be reached or cannot serve now, so that the same call may succeed later. The driver's
 * own connection errors carry no SQLSTATE and are known by their message.
 */
export const isDatabaseAway = (error: unknown): boolean => {
  const state = sqlState(error);
  if (state !== undefined) return AWAY.test(state) || isReadOnly(error);
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
 * Classes by which PostgreSQL says that the data of a statement are at fault: cardinality (two rows of one statement
 * compete), data exception, integrity constraint, check option, program limit (too long for an index), and what a trigger
 * raises. No class is certain: 54000 is also what a database says that must be vacuumed first.
 */
const DATA_FAULT = /^(?:21|22|23|44|54|P0001)/;

/** A sequence that has come to its end has the class of a data exception, and concerns every row. */
const SEQUENCE_EXHAUSTED = '2200H';

/**
 * True when PostgreSQL says that the data of a statement are at fault. Everything else (connection, authorization, locks,
 * cancelled statements, permissions, a read-only or full database, internal errors, errors without SQLSTATE) says nothing
 * about the data: the same call may succeed later.
 */
export const isDataFault = (error: unknown): boolean => {
  const state = sqlState(error);
  return state !== undefined && state !== SEQUENCE_EXHAUSTED && DATA_FAULT.test(state);
};

/** True for a transaction that may simply be run again: deadlock victim or serialization failure. */
export const isRetryable = (error: unknown): boolean => {
  const state = sqlState(error);
  return state === '40P01' || state === '40001';
};

/** True for a statement that PostgreSQL gave up on because it ran longer than its time limit (`statement_timeout`). */
export const isTimedOut = (error: unknown): boolean => sqlState(error) === '57014';

/** True for a statement that waited for a lock longer than `lock_timeout`; its transaction is over. */
export const isLockedTooLong = (error: unknown): boolean => sqlState(error) === '55P03';

/**
 * True for a write on a connection that is read-only: it leads to a standby, or was opened while the database took no
 * writes. It stays so for as long as it is open, whatever becomes of the database.
 */
export const isReadOnly = (error: unknown): boolean => sqlState(error) === '25006';
