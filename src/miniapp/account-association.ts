import type { Networks } from '../onchain/network.js';
import type { EncodedJsonSocialSignature } from '../schema/social/frame.js';
import { selectAccountAddresses } from '../store/protocol/account-authority.js';
import type { Database } from '../store/database.js';
import { type Jfs, JfsError, jfsFault, parseJfs } from './jfs.js';

const signedDomain = ({ payload }: Jfs): unknown => {
  try {
    return (JSON.parse(Buffer.from(payload).toString('utf8')) as { domain?: unknown } | null)?.domain;
  } catch {
    return undefined;
  }
};

/** An account that is not stored (partial mode) cannot be asked who speaks for it; its signature alone counts then. */
const mayAssociate = async (db: Database, { fid, key }: Jfs): Promise<boolean> => {
  const { custody, auth } = await selectAccountAddresses(db, fid);
  return custody === null || [custody, ...auth].some((address) => address.equals(key));
};

/**
 * Checks that an account says that a domain is its own (Mini App specification, "accountAssociation").
 *
 * @param domain as `readDomain` writes it
 * @returns undefined when it holds, else what is wrong, to be put behind "The manifest's accountAssociation"
 * @throws AppError when the signature is to be asked of a chain that does not answer
 */
export const associationFault = async (
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
  return jfsFault(jfs, networks);
};
