import { deleteRows, insertRows } from './bulk.js';
import type { Session } from './database.js';

export interface VerificationRow {
  readonly fid: number;
  /** 0 Ethereum, 1 Solana. */
  readonly protocol: number;
  readonly address: Uint8Array;
  readonly ts: number;
  readonly hash: Uint8Array;
}

const KEY = { fid: 'bigint', protocol: 'smallint', address: 'bytea' } as const;

/** Roles of `address_owner`. */
export const AddressRole = { custody: 0, verified: 1 } as const;

export interface AddressOwnerRow {
  readonly address: Uint8Array;
  readonly role: number;
  readonly fid: number;
  readonly ts: number;
}

const OWNER_KEY = { address: 'bytea', role: 'smallint', fid: 'bigint' } as const;

export const insertVerifications = async (session: Session, rows: readonly VerificationRow[]): Promise<void> => {
  await insertRows(session, 'verification', { ...KEY, ts: 'integer', hash: 'bytea' }, rows);
};

export const deleteVerifications = (session: Session, rows: readonly VerificationRow[]): Promise<void> =>
  deleteRows(session, 'verification', KEY, rows);

export const insertAddressOwners = async (session: Session, rows: readonly AddressOwnerRow[]): Promise<void> => {
  await insertRows(
    session,
    'address_owner',
    { ...OWNER_KEY, ts: 'integer' },
    rows,
    'on conflict (address, role, fid) do update set ts = excluded.ts',
  );
};

export const deleteAddressOwners = (
  session: Session,
  rows: readonly Pick<AddressOwnerRow, 'address' | 'role' | 'fid'>[],
): Promise<void> => deleteRows(session, 'address_owner', OWNER_KEY, rows);
