import type { Database } from '../../db/database.js';
import { notFound } from '../../error.js';
import { authAddressKey } from '../../store/access/fid-of-address.js';
import { selectManagedSigner } from '../../store/access/managed-signer.js';

/** A key from the command line, with the name of its member in request bodies. */
export interface NamedKey {
  readonly property: 'signer_uuid' | 'public_key' | 'address';
  /** 32 bytes: an address is padded on the left, as the key registry has it. */
  readonly bytes: Uint8Array;
}

/**
 * @param text signer_uuid, 0x and 64 hex digits of a public key, or 0x and 40 hex digits of an auth address
 * @throws AppError 'not_found' for an unknown signer_uuid
 */
export const namedKey = async (db: Database, text: string): Promise<NamedKey> => {
  if (text.startsWith('0x')) {
    const bytes = Buffer.from(text.slice(2), 'hex');
    return bytes.length === 32
      ? { property: 'public_key', bytes }
      : { property: 'address', bytes: authAddressKey(bytes) };
  }
  const row = await selectManagedSigner(db, text);
  if (row) return { property: 'signer_uuid', bytes: row.publicKey };
  throw notFound(`There is no signer ${text}: \`castellan signer list\` shows all.`);
};
