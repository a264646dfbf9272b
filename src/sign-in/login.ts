import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '../db/database.js';
import { invalidField } from '../error.js';
import { bareHex } from '../hex.js';
import { selectSignInDomains } from '../store/access/app.js';
import { insertLoginNonce, useLoginNonce } from '../store/access/login-nonce.js';
import { parseSignInMessage, requireSigned, type SignedSignIn, type SignInDependencies } from './sign-in-message.js';

const NONCE_BYTES = 16;
const NONCE_SECONDS = 600;

/**
 * @param now Unix milliseconds
 * @returns a nonce of letters and digits (EIP-4361), valid for one message within this app
 */
export const generateNonce = async (db: Database, appId: string, now: number): Promise<string> => {
  const nonce = bareHex(randomBytes(NONCE_BYTES));
  await insertLoginNonce(db, { nonce, appId, expiresAt: new Date(now + NONCE_SECONDS * 1000), now: new Date(now) });
  return nonce;
};

/**
 * Prevents a site from reusing the sign-ins of its own users for an app that only checks the address.
 * @throws AppError 'invalid' with property `message` for a domain that the app does not list
 */
const requireDomain = async (db: Database, appId: string, domain: string): Promise<void> => {
  const domains = await selectSignInDomains(db, appId);
  if (domains.length === 0 || domains.includes(domain)) return;
  throw invalidField('message', `the domain of message must be one that the app names: ${domains.join(', ')}`);
};

/**
 * Verifies a sign-in: an EIP-4361 message that is valid now and for a domain of the app, its signature and its nonce.
 * Programs send the same sign-in once more when its user has approved a signer, so that it is good until its nonce expires.
 * @param now Unix milliseconds
 * @returns the accounts of the address (by custody or as auth address); if the message names an account (Sign In With
 *   Farcaster), only that one
 * @throws AppError 'invalid' with property `message` or `signature`; if the chain of a contract wallet does not respond
 */
export const readSignIn = async (
  dependencies: SignInDependencies,
  appId: string,
  { message, signature }: SignedSignIn,
  now: number,
): Promise<number[]> => {
  const { db } = dependencies;
  const parsed = await parseSignInMessage(message, now);
  const accounts = await requireSigned(dependencies, parsed, signature);
  await requireDomain(db, appId, parsed.domain);
  const messageHash = createHash('sha256').update(message).digest();
  // Used last, so that an invalid message does not use it up.
  if (!(await useLoginNonce(db, { nonce: parsed.nonce, appId, messageHash, now: new Date(now) }))) {
    const fault = 'is not known, has expired or was used for another message';
    throw invalidField('message', `the nonce of message ${fault}: get another one`);
  }
  const fids = [...new Set(accounts.map(({ fid }) => fid))];
  const [named] = parsed.fids;
  return named === undefined ? fids : fids.filter((fid) => fid === named);
};
