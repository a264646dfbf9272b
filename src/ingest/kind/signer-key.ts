import type { Session } from '../../store/database.js';
import { type SignerKeyRow, selectSignerKeys, upsertSignerKeys } from '../../store/signer-key.js';
import type { BatchChanges } from '../batch-changes.js';

/** Keys of this type sign; those of the other are auth addresses, which the profile shows. */
export const SIGNER_KEY_TYPE = 1;

/**
 * Writes keys that were registered or taken back.
 * @returns the keys that may no longer sign: all that they signed goes
 */
export const ingestSignerKeys = async (
  session: Session,
  rows: readonly SignerKeyRow[],
  changes: BatchChanges,
): Promise<{ fid: number; signer: Uint8Array }[]> => {
  const known = await selectSignerKeys(session, rows);
  const changed = await upsertSignerKeys(session, rows);
  const place = ({ fid, key }: { fid: number; key: Uint8Array }): string =>
    `${fid}:${Buffer.from(key).toString('hex')}`;
  const wereAddresses = new Set(known.filter((row) => row.key_type !== SIGNER_KEY_TYPE).map(place));
  const addresses = changed.filter((row) => row.key_type !== SIGNER_KEY_TYPE || wereAddresses.has(place(row)));
  changes.invalidateProfiles(addresses.map((row) => row.fid));
  changes.addAddressChanges(changed.map((row) => row.fid));
  changes.invalidateSigners(changed.map((row) => row.fid));
  return changed.filter((row) => !row.active).map(({ fid, key }) => ({ fid, signer: key }));
};
