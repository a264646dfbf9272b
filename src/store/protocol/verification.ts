import { bulkDelete, bulkInsert, executeRows } from '../../db/bulk-statement.js';
import type { Session } from '../../db/statement.js';
import type { Written } from '../table.js';
import type { Tables } from '../tables.js';

/** `protocol` is 0 Ethereum, 1 Solana. */
export type VerificationRow = Written<Tables['verification']>;

const KEY = { fid: 'bigint', protocol: 'smallint', address: 'bytea' } as const;

/** Values of `address_owner.role`. */
export const AddressRole = { custody: 0, verified: 1 } as const;

export type AddressOwnerRow = Written<Tables['address_owner']>;

const OWNER_KEY = { address: 'bytea', role: 'smallint', fid: 'bigint' } as const;

const insertVerificationRows = bulkInsert('insert_verifications', 'verification', {
  ...KEY,
  ts: 'integer',
  hash: 'bytea',
});

export const insertVerifications = (session: Session, rows: readonly VerificationRow[]): Promise<void> =>
  executeRows(session, insertVerificationRows, rows);

const deleteVerificationRows = bulkDelete('delete_verifications', 'verification', KEY);

export const deleteVerifications = (session: Session, rows: readonly VerificationRow[]): Promise<void> =>
  executeRows(session, deleteVerificationRows, rows);

const upsertOwners = bulkInsert(
  'upsert_address_owners',
  'address_owner',
  { ...OWNER_KEY, ts: 'integer' },
  'on conflict (address, role, fid) do update set ts = excluded.ts',
);

export const insertAddressOwners = (session: Session, rows: readonly AddressOwnerRow[]): Promise<void> =>
  executeRows(session, upsertOwners, rows);

const deleteOwners = bulkDelete('delete_address_owners', 'address_owner', OWNER_KEY);

export const deleteAddressOwners = (
  session: Session,
  rows: readonly Pick<AddressOwnerRow, 'address' | 'role' | 'fid'>[],
): Promise<void> => executeRows(session, deleteOwners, rows);
