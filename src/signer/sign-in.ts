import { randomBytes } from 'node:crypto';
import { invalidField } from '../error.js';
import { selectSignInDomains } from '../store/app.js';
import type { Database } from '../store/database.js';
import { selectFidsOfAddress } from '../store/access/fid-of-address.js';
import { deleteLoginNonce, insertLoginNonce } from '../store/login-nonce.js';

const NONCE_BYTES = 16;
const NONCE_SECONDS = 600;
/** Characters; wallets show the message to a person. The parser's time grows with the square of the length. */
const MAX_MESSAGE_LENGTH = 4096;

/** @param now Unix milliseconds. @returns a nonce of letters and digits, as EIP-4361 asks; good once within this app. */
export const drawNonce = async (db: Database, appId: string, now: number): Promise<string> => {
  const nonce = randomBytes(NONCE_BYTES).toString('hex');
  await insertLoginNonce(db, { nonce, appId, expiresAt: new Date(now + NONCE_SECONDS * 1000), now: new Date(now) });
  return nonce;
};

const bytesOf = (hex: string): Buffer => Buffer.from(hex.slice(2), 'hex');

/** Resources of Sign In With Farcaster that say which account is meant (FIP-11). */
const fidResource = /^farcaster:\/\/fids?\/([1-9]\d{0,15})$/;

/**
 * A site that takes sign-ins of its own could pass them on to an app that looks at the address alone.
 * @throws AppError 'invalid' with property `message` for a domain that is not among those the app names
 */
const requireDomain = async (db: Database, appId: string, domain: string | undefined): Promise<void> => {
  const domains = await selectSignInDomains(db, appId);
  if (domains.length === 0 || (domain !== undefined && domains.includes(domain.toLowerCase()))) return;
  throw invalidField('message', `the domain of message must be one that the app names: ${domains.join(', ')}`);
};

/**
 * Checks that an address signed in: a message of EIP-4361 that is in force and for a domain of the app, its signature,
 * its nonce.
 * A wallet that is a contract cannot be asked here, so its signatures are not taken.
 *
 * @param now Unix milliseconds.
 * @returns the accounts that the address may speak for (its custody, or as auth address); where the message names an
 *   account (Sign In With Farcaster), that one alone.
 * @throws AppError 'invalid' with property `message` or `signature`.
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
  // Taken last, so that a message with a fault does not use it up.
  if (!(await deleteLoginNonce(db, nonce, appId, new Date(now)))) {
    throw invalidField('message', 'the nonce of message is not known, was used or has lapsed: get another one');
  }
  const fids = await selectFidsOfAddress(db, bytesOf(address));
  const meant = resources.map((resource) => fidResource.exec(resource)?.[1]).find((fid) => fid !== undefined);
  return meant === undefined ? fids : fids.filter((fid) => fid === Number(meant));
};
