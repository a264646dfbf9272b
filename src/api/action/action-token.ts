import { createHash } from 'node:crypto';
import { compactJfs, type JfsSigner, makeJfs } from '../../miniapp/jfs.js';

/** Tolerates clocks that differ, but expires before a stolen token is of much use. */
const TTL_SECONDS = 300;

/**
 * Makes the bearer token of an action. It names the target and the digest of the body, so the target can neither use it
 * at another app nor change the body.
 *
 * @param action `body` as it is sent; `now` in Unix milliseconds
 * @returns a compact JSON Farcaster Signature over `exp` (Unix seconds), `aud` (the target's origin) and `digest` (of
 *   the body, in the format of `Content-Digest` in RFC 9530)
 */
export const makeActionToken = (
  signer: JfsSigner,
  action: { readonly target: URL; readonly body: string; readonly now: number },
): string => {
  const payload = {
    exp: Math.floor(action.now / 1000) + TTL_SECONDS,
    aud: action.target.origin,
    digest: `sha-256=:${createHash('sha256').update(action.body).digest('base64')}:`,
  };
  return compactJfs(makeJfs(signer, JSON.stringify(payload)));
};
