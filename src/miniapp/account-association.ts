import type { Database } from '../db/database.js';
import type { Networks } from '../onchain/network.js';
import type { EncodedJsonSocialSignature } from '../schema/social/frame.js';
import { selectAccountAddresses } from '../store/protocol/account-authority.js';
import { type Jfs, JfsError, jfsError, parseJfs } from './jfs.js';

const signedDomain = ({ payload }: Jfs): unknown => {
  try {
    return (JSON.parse(Buffer.from(payload).toString('utf8')) as { domain?: unknown } | null)?.domain;
  } catch {
    return undefined;
  }
};

/** The keys of an account that is not stored (partial mode) are unknown, so its signature alone counts. */
const mayAssociate = async (db: Database, { fid, key }: Jfs): Promise<boolean> => {
  const { custody, auth } = await selectAccountAddresses(db, fid);
  return custody === null || [custody, ...auth].some((address) => address.equals(key));
};

/**
 * Verifies that an account claims a domain (Mini App specification, "accountAssociation").
 * @param domain as `readDomain` returns it
 * @returns undefined for a valid claim, else the fault, which continues "The manifest's accountAssociation"
 * @throws AppError if a chain does not respond that must verify the signature
 */
export const associationError = async (
  { db, networks }: { readonly db: Database; readonly networks: Networks },
  domain: string,
  association: EncodedJsonSocialSignature,
): Promise<string | undefined> => {
  let jfs: Jfs;
  try {
    jfs = parseJfs(association);
  } catch (error) {
    if (error instanceof JfsError) return error.message;
    throw error;
  }
  if (jfs.type === 'app_key') return 'is signed by an app key; it must be by a custody or auth address.';
  const signed = signedDomain(jfs);
  const host = domain.split(':', 1)[0];
  if (typeof signed !== 'string' || ![domain, host].includes(signed.toLowerCase())) return 'is for another domain.';
  if (!(await mayAssociate(db, jfs))) return `is signed by an address that is none of account ${jfs.fid}.`;
  return jfsError(jfs, networks);
};
