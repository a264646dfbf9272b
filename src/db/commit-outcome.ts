import pg from 'pg';
import { isDatabaseUnavailable } from './failure.js';

/** "transaction_resolution_unknown": PostgreSQL's appendix A, class 08 (connection exception). */
const OUTCOME_UNKNOWN = '08007';

/**
 * The connection broke after a commit was sent and before PostgreSQL confirmed it, so the write may or may not be
 * stored. Its code is of class 08, so `isDatabaseUnavailable` is true, too: callers that wait for the database and
 * repeat idempotent work need no special case.
 */
export class OutcomeUnknownError extends Error {
  override readonly name = 'OutcomeUnknownError';
  readonly code = OUTCOME_UNKNOWN;

  constructor(cause: unknown) {
    super('The connection to the database broke while a write was being committed; it may be stored.', { cause });
  }
}

/** Whether a write may or may not be stored; after any other error it is not stored. */
export const isOutcomeUnknown = (error: unknown): boolean => error instanceof OutcomeUnknownError;

/**
 * Runs work after a committed write in the same request. If the database fails then, the write is still stored, so the
 * caller must not report that nothing happened.
 * @throws OutcomeUnknownError when the database is unavailable, else errors of `work`
 */
export const afterCommit = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    throw new OutcomeUnknownError(error);
  }
};

/**
 * Whether the connection is lost, so that no response to the last statement will come. Errors sent by the server end
 * only the statement, except those that end the session: class 08 and 57P (shutdown) of PostgreSQL's appendix A.
 */
export const isConnectionLost = (error: unknown): boolean =>
  error instanceof pg.DatabaseError ? /^(08|57P)/.test(error.code ?? '') : isDatabaseUnavailable(error);
