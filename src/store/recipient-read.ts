import { type Database, statement } from './database.js';

const payable = statement<{ fid: number; address: string | null }>(
  'payable_address_by_fid',
  `select a.fid, encode(coalesce(v.address, a.custody_address), 'hex') as address
     from account a
     left join verification v on v.fid = a.fid and v.protocol = 0 and v.address = a.primary_eth_address
    where a.fid = any($1::bigint[])`,
);

/**
 * @returns by fid the address (hex without 0x) where an account takes tokens: its primary Ethereum address while it is
 *   verified, else its custody address. Accounts that are not stored, or of which neither is known, are not in it.
 */
export const selectPayableAddresses = async (db: Database, fids: readonly number[]): Promise<Map<number, string>> => {
  const rows = fids.length === 0 ? [] : await db.read(payable, [fids]);
  return new Map(rows.flatMap(({ fid, address }) => (address === null ? [] : [[fid, address]])));
};
