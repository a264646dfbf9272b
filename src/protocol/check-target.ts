import type { CastIdBody } from './wire/body.js';
import { HASH_BYTES, MAX_URL_BYTES } from './limit.js';
import { Refusal } from './verification-result.js';

/** @throws Refusal unless `fid` may belong to somebody; `what` names it in the detail */
export function checkFid(fid: number, what: string): void {
  if (fid === 0) throw new Refusal('bad_target', `${what} needs a fid above 0`);
}

/** @throws Refusal unless the id has a fid and a hash of 20 bytes */
export function checkCastId(id: CastIdBody, what: string): void {
  checkFid(id.fid, what);
  checkHash(id.hash, what);
}

/** @throws Refusal unless the hash has 20 bytes */
export function checkHash(hash: Uint8Array, what: string): void {
  if (hash.length === HASH_BYTES) return;
  throw new Refusal('bad_target', `${what} needs a hash of ${HASH_BYTES} bytes, has ${hash.length}`);
}

/** Hubs bound a URL's length and nothing else: it need not be a URL. @throws Refusal */
export function checkUrl(url: Uint8Array, what: string): void {
  if (url.length >= 1 && url.length <= MAX_URL_BYTES) return;
  throw new Refusal('bad_url', `${what} must have 1 to ${MAX_URL_BYTES} bytes, has ${url.length}`);
}
