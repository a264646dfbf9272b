import { AppError } from '../error.js';
import type { Session } from '../store/database.js';
import { isDataFault } from '../store/failure.js';

/** Our own code threw on items: it does so again whenever they come, whatever state the database is in. */
class ItemFault extends Error {
  override readonly name = 'ItemFault';

  constructor(cause: unknown) {
    super(`The items cannot be worked out: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/**
 * True when a failed submit may be the fault of its items: PostgreSQL says that the data are bad, or our own code threw.
 * Any other failure says nothing about the items: they wait and are tried again.
 */
export const isItemFault = (error: unknown): boolean => error instanceof ItemFault || isDataFault(error);

/** Runs work on items that needs no database. @throws ItemFault for what it throws */
export const blamingItems = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    // The threads that verify are gone while the service stops.
    if (error instanceof AppError && error.kind === 'unavailable') throw error;
    throw new ItemFault(error);
  }
};

/**
 * Runs work on items inside a transaction and tells apart who threw. A statement that fails takes its transaction along;
 * one that can go on therefore did not fail in the database, but in our own code.
 * @throws ItemFault, or the database's error as it is
 */
export const blamingItemsIn = async <T>(session: Session, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    const canGoOn = await session.run('select 1').then(
      () => true,
      () => false,
    );
    throw canGoOn ? new ItemFault(error) : error;
  }
};
