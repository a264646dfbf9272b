import { type Database, statement } from '../database.js';

/**
 * Rows of `account` may stand for accounts of which nothing is known but that somebody follows them: lists leave
 * those out, as they do not exist for the interface.
 *
 * @param account SQL name under which the statement knows the table
 * @returns SQL condition
 */
export const accountExists = (account: string): string =>
  `(${account}.registered_at is not null or ${account}.first_ts is not null)`;

const existingFids = statement<{ fid: number }>(
  'account_existing',
  `select a.fid from account a where a.fid = any($1::bigint[]) and ${accountExists('a')}`,
);

/** @returns those of these fids that are accounts for the interface. */
export const selectExistingFids = async (db: Database, fids: readonly number[]): Promise<Set<number>> =>
  new Set((await db.read(existingFids, [fids])).map(({ fid }) => fid));
