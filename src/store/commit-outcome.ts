import pg from 'pg';
import { isDatabaseAway } from './failure.js';

/** "transaction_resolution_unknown": PostgreSQL's appendix A, class 08 (connection exception). */
const OUTCOME_UNKNOWN = '08007';

/**
 * The connection broke after a write was sent to be committed and before PostgreSQL confirmed it, so the write may or
 * may not be stored. Its code is of class 08, so `isDatabaseAway` is true as well: whoever waits for the database and
 * sends idempotent work again needs no other rule.
 */
export class OutcomeUnknownError extends Error {
  override readonly name = 'OutcomeUnknownError';
  readonly code = OUTCOME_UNKNOWN;

  constructor(cause: unknown) {
    super('The connection to the database broke while a write was being committed; it may be stored.', { cause });
  }
}

/** True for an error that says that a write may be stored or not; every other error means that it is not. */
export const isOutcomeUnknown = (error: unknown): boolean => error instanceof OutcomeUnknownError;

/**
 * Runs what follows a committed write in the same request. A database that fails then undoes nothing of it, so nobody
 * may be told that nothing happened.
 * @throws OutcomeUnknownError when the database is away, else what `work` throws
 */
export const afterCommit = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!isDatabaseAway(error)) throw error;
    throw new OutcomeUnknownError(error);
  }
};

/**
 * True when the connection is gone, so that the server's answer to what was sent last will never come. An error that
 * the server answered with ended the statement, unless it ended the session: class 08, or 57P (shutdown), of
 * PostgreSQL's appendix A.
 */
export const isConnectionLost = (error: unknown): boolean =>
  error instanceof pg.DatabaseError ? /^(08|57P)/.test(error.code ?? '') : isDatabaseAway(error);
