import { createHash } from 'node:crypto';
import { compactJfs, type JfsSigner, makeJfs } from '../../miniapp/jfs.js';

/** Long enough for clocks that differ, too short to be worth stealing. */
const LIFE_SECONDS = 300;

/**
 * Makes the bearer token of an action: whom it is for and what exactly it allows stand in it, so that a target can
 * neither pass it on to another app nor put another body behind it.
 *
 * @param action `body` is sent as it stands; `now` Unix milliseconds
 * @returns a compact JSON Farcaster Signature over `exp` (Unix seconds), `aud` (the target's origin) and `digest`
 *   (of the body, written as RFC 9530 writes `Content-Digest`)
 */
export const makeActionToken = (
  signer: JfsSigner,
  action: { readonly target: URL; readonly body: string; readonly now: number },
): string => {
  const payload = {
    exp: Math.floor(action.now / 1000) + LIFE_SECONDS,
    aud: action.target.origin,
    digest: `sha-256=:${createHash('sha256').update(action.body).digest('base64')}:`,
  };
  return compactJfs(makeJfs(signer, JSON.stringify(payload)));
};
