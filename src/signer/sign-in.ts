import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '../db/database.js';
import { invalidField } from '../error.js';
import { bareHex, fromHex } from '../hex.js';
import { selectSignInDomains } from '../store/access/app.js';
import { selectFidsOfAddress } from '../store/access/fid-of-address.js';
import { insertLoginNonce, useLoginNonce } from '../store/access/login-nonce.js';

const NONCE_BYTES = 16;
const NONCE_SECONDS = 600;
/** In characters; wallets show the message to a person. The time to parse grows with the square of the length. */
const MAX_MESSAGE_LENGTH = 4096;

/**
 * @param now Unix milliseconds
 * @returns a nonce of letters and digits (EIP-4361), valid for one message within this app
 */
export const generateNonce = async (db: Database, appId: string, now: number): Promise<string> => {
  const nonce = bareHex(randomBytes(NONCE_BYTES));
  await insertLoginNonce(db, { nonce, appId, expiresAt: new Date(now + NONCE_SECONDS * 1000), now: new Date(now) });
  return nonce;
};

/** Resources of Sign In With Farcaster that name the account (FIP-11). */
const fidResource = /^farcaster:\/\/fids?\/([1-9]\d{0,15})$/;

/**
 * Prevents a site from reusing the sign-ins of its own users for an app that only checks the address.
 * @throws AppError 'invalid' with property `message` for a domain that the app does not list
 */
const requireDomain = async (db: Database, appId: string, domain: string | undefined): Promise<void> => {
  const domains = await selectSignInDomains(db, appId);
  if (domains.length === 0 || (domain !== undefined && domains.includes(domain.toLowerCase()))) return;
  throw invalidField('message', `the domain of message must be one that the app names: ${domains.join(', ')}`);
};

/**
 * Verifies a sign-in: an EIP-4361 message that is valid now and for a domain of the app, its signature and its nonce.
 * Programs send the same sign-in once more when its user has approved a signer, so that it is good until its nonce expires.
 * Signatures of contract wallets are not supported.
 * @param now Unix milliseconds
 * @returns the accounts of the address (by custody or as auth address); if the message names an account (Sign In With
 *   Farcaster), only that one
 * @throws AppError 'invalid' with property `message` or `signature`
 */
export const readSignIn = async (
  db: Database,
  appId: string,
  { message, signature }: { readonly message: string; readonly signature: string },
  now: number,
): Promise<number[]> => {
  if (message.length > MAX_MESSAGE_LENGTH) {
    throw invalidField('message', `message may have ${MAX_MESSAGE_LENGTH} characters at most`);
  }
  const [{ parseSiweMessage, validateSiweMessage }, { recoverMessageAddress }] = await Promise.all([
    import('viem/siwe'),
    import('viem/utils'),
  ]);
  const parsed = parseSiweMessage(message);
  const { address, nonce, resources = [] } = parsed;
  if (address === undefined || nonce === undefined || parsed.version !== '1') {
    throw invalidField('message', 'message is not a Sign-In with Ethereum message (EIP-4361)');
  }
  if (!validateSiweMessage({ message: parsed, time: new Date(now) })) {
    throw invalidField('message', 'message is not in force: look at Expiration Time and Not Before');
  }
  if (!/^0x[0-9a-fA-F]{130}$/.test(signature)) {
    throw invalidField('signature', 'signature must be an Ethereum signature: 0x and 130 hex digits');
  }
  const signer = await recoverMessageAddress({ message, signature: signature as `0x${string}` }).catch(() => undefined);
  if (signer?.toLowerCase() !== address.toLowerCase()) {
    throw invalidField('signature', `signature is not by ${address} over message (EIP-191)`);
  }
  await requireDomain(db, appId, parsed.domain);
  const messageHash = createHash('sha256').update(message).digest();
  // Used last, so that an invalid message does not use it up.
  if (!(await useLoginNonce(db, { nonce, appId, messageHash, now: new Date(now) }))) {
    const fault = 'is not known, has expired or was used for another message';
    throw invalidField('message', `the nonce of message ${fault}: get another one`);
  }
  const fids = await selectFidsOfAddress(db, fromHex(address));
  const meant = resources.map((resource) => fidResource.exec(resource)?.[1]).find((fid) => fid !== undefined);
  return meant === undefined ? fids : fids.filter((fid) => fid === Number(meant));
};
