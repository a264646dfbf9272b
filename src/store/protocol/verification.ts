import { deleteRows, insertRows, readRows } from '../query-function.js';
import type { Camel, Written } from '../table.js';
import type { Tables } from '../tables.js';

/** `protocol` is 0 Ethereum, 1 Solana. */
export type VerificationRow = Camel<Written<Tables['verification']>>;

const KEY = { fid: 'bigint', protocol: 'smallint', address: 'bytea' } as const;

/** Values of `address_owner.role`. */
export const AddressRole = { custody: 0, verified: 1 } as const;

export type AddressOwnerRow = Camel<Written<Tables['address_owner']>>;

const OWNER_KEY = { address: 'bytea', role: 'smallint', fid: 'bigint' } as const;

export const insertVerifications = insertRows('insert_verifications', 'verification', {
  ...KEY,
  ts: 'integer',
  hash: 'bytea',
}).done((rows: readonly VerificationRow[]) => [rows]);

export const deleteVerifications = deleteRows('delete_verifications', 'verification', KEY).done(
  (rows: readonly VerificationRow[]) => [rows],
);

/** @returns those of these addresses that their accounts have verified */
export const selectVerifications = readRows(
  'select_verifications',
  KEY,
  (rows) => `select v.* from (${rows}) k
     join verification v on v.fid = k.fid and v.protocol = k.protocol and v.address = k.address`,
).rows((addresses: readonly Pick<VerificationRow, 'fid' | 'protocol' | 'address'>[]) => [addresses]);

export const insertAddressOwners = insertRows(
  'upsert_address_owners',
  'address_owner',
  { ...OWNER_KEY, ts: 'integer' },
  'on conflict (address, role, fid) do update set ts = excluded.ts',
).done((rows: readonly AddressOwnerRow[]) => [rows]);

export const deleteAddressOwners = deleteRows('delete_address_owners', 'address_owner', OWNER_KEY).done(
  (rows: readonly Pick<AddressOwnerRow, 'address' | 'role' | 'fid'>[]) => [rows],
);
