import { MessageType } from '@farcaster/core';
import type { Database } from '../../db/database.js';
import { readQuery } from '../query-function.js';

/** An Ethereum address that an account verified. */
export interface VerifiedAddress {
  /** Hex without 0x. */
  readonly address: string;
  /** Data bytes of the message that verifies it: they include whether the address is a contract, and its chain. */
  readonly data: Uint8Array;
}

/** The addresses that may receive tokens for an account. */
export interface AccountAddressRow {
  /** Hex without 0x; null: not known here. */
  readonly custody: string | null;
  /** The primary one first, the others from the oldest to the newest. */
  readonly verified: readonly VerifiedAddress[];
}

const addresses = readQuery(
  'recipient_address_by_fid',
  `select a.fid, encode(a.custody_address, 'hex') as custody, encode(v.address, 'hex') as address, m.data
     from account a
     left join verification v on v.fid = a.fid and v.protocol = 0
     left join message m on m.fid = v.fid and m.type = ${MessageType.VERIFICATION_ADD_ETH_ADDRESS} and m.subtype = v.protocol
                        and m.ts = v.ts and m.hash = v.hash and not m.void
    where a.fid = any(:fids::bigint[])
    order by a.fid, (v.address = a.primary_eth_address) is true desc, v.ts, v.hash`,
).rows();

/** @returns by fid the addresses of accounts; those that are not stored are not in it. */
export const selectRecipientAddresses = async (
  db: Database,
  fids: readonly number[],
): Promise<Map<number, AccountAddressRow>> => {
  const rows = fids.length === 0 ? [] : await addresses(db, { fids });
  const found = new Map<number, { custody: string | null; verified: VerifiedAddress[] }>();
  for (const { fid, custody, address, data } of rows) {
    const account = found.get(fid) ?? { custody, verified: [] };
    if (address !== null && data !== null) account.verified.push({ address, data });
    found.set(fid, account);
  }
  return found;
};
