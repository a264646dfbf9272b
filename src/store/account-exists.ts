/**
 * Rows of `account` may stand for accounts of which nothing is known but that somebody follows them: lists leave
 * those out, as they do not exist for the interface.
 *
 * @param account SQL name under which the statement knows the table
 * @returns SQL condition
 */
export const accountExists = (account: string): string =>
  `(${account}.registered_at is not null or ${account}.first_ts is not null)`;
