import { readQuery } from '../query-function.js';

/**
 * Some rows of `account` are of accounts that were only followed by others, or whose keys or counters came first. For the
 * API, an account exists once it is registered or has a message.
 *
 * @param account SQL name of the table in the statement
 * @returns SQL condition
 */
export const accountExists = (account: string): string =>
  `(${account}.registered_at is not null or ${account}.first_ts is not null)`;

/** @returns those of the fids whose accounts exist for the API */
export const selectExistingFids = readQuery(
  'account_existing',
  `select a.fid from account a where a.fid = any(:fids::bigint[]) and ${accountExists('a')}`,
).columnSet('fid', (fids: readonly number[]) => ({ fids }));
