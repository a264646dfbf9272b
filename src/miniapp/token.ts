import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** @returns a new notification token with the hash that is stored */
export const generateToken = (): { readonly token: string; readonly hash: Buffer } => {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, hash: hashToken(token) };
};

/** @returns SHA-256 of a token; tokens are random, so an unsalted hash cannot be reversed */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();
