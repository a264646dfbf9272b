import { readQuery } from '../query-function.js';

/** @returns the past or future end of the account's pro subscription; undefined when it never had one */
export const selectProExpiry = readQuery(
  'hub_pro_expiry',
  'select pro_expires_at as at from account where fid = :fid',
).valueOr('at', undefined, (fid: number) => ({ fid }));
