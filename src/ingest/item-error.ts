import { isDataError } from '../db/failure.js';
import type { Session } from '../db/statement.js';
import { AppError } from '../error.js';

/** Our code threw on items; it would do so again in any state of the database. */
class ItemError extends Error {
  override readonly name = 'ItemError';

  constructor(cause: unknown) {
    super(`The items cannot be worked out: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/**
 * True if a failed submission may be caused by its items: PostgreSQL rejected the data, or our code threw. Other
 * failures are retried.
 */
export const isItemError = (error: unknown): boolean => error instanceof ItemError || isDataError(error);

/** Runs work on items without the database. @throws ItemError for its errors */
export const withItemErrors = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    // The verification threads are unavailable while the service stops.
    if (error instanceof AppError && error.kind === 'unavailable') throw error;
    throw new ItemError(error);
  }
};

/**
 * Runs work on items inside a transaction and finds the source of an error: a failed statement aborts its transaction,
 * so if a further statement succeeds, our code failed.
 * @throws ItemError, or the error of the database
 */
export const withItemErrorsIn = async <T>(session: Session, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    const canGoOn = await session.run('select 1').then(
      () => true,
      () => false,
    );
    throw canGoOn ? new ItemError(error) : error;
  }
};
