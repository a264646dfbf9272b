import type { Author } from './author.js';

/** The member `accountAssociation` of a manifest. */
export interface Association {
  readonly header: string;
  readonly payload: string;
  readonly signature: string;
}

const base64url = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64url');

/**
 * Signs the claim of an account that a domain is its own (Mini App specification, "accountAssociation"; JSON Farcaster
 * Signatures, FIP-208), with its custody key.
 * @param domain with the port, if the mini app has one: `localhost:4000`
 */
export const signAssociation = async ({ fid, custody: { account } }: Author, domain: string): Promise<Association> => {
  const header = base64url(JSON.stringify({ fid, type: 'custody', key: account.address }));
  const payload = base64url(JSON.stringify({ domain }));
  const signature = await account.signMessage({ message: `${header}.${payload}` });
  return { header, payload, signature: base64url(Buffer.from(signature.slice(2), 'hex')) };
};
