import type { Session } from '../../db/statement.js';
import { bareHex } from '../../hex.js';
import { type SignerKeyRow, selectSignerKeys, upsertSignerKeys } from '../../store/protocol/signer-key.js';
import type { BatchChanges } from '../batch-changes.js';

/** Keys of this type sign messages; those of the other type are auth addresses. */
export const SIGNER_KEY_TYPE = 1;

/** Stores registered and removed keys. */
export const ingestSignerKeys = async (
  session: Session,
  rows: readonly SignerKeyRow[],
  changes: BatchChanges,
): Promise<void> => {
  const known = await selectSignerKeys(session, rows);
  const changed = await upsertSignerKeys(session, rows);
  const place = ({ fid, key }: { fid: number; key: Uint8Array }): string => `${fid}:${bareHex(key)}`;
  const wereAddresses = new Set(known.filter((row) => row.key_type !== SIGNER_KEY_TYPE).map(place));
  const addresses = changed.filter((row) => row.key_type !== SIGNER_KEY_TYPE || wereAddresses.has(place(row)));
  changes.invalidateProfiles(addresses.map((row) => row.fid));
  changes.addAddressChanges(changed.map((row) => row.fid));
  changes.invalidateSigners(changed.map((row) => row.fid));
};
