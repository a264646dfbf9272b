import { HASH_BYTES, MAX_URL_BYTES } from '../limit.js';
import { Rejection } from '../verification-result.js';
import type { CastIdBody } from '../wire/body.js';

/**
 * @param what name of the fid in the error
 * @throws Rejection unless `fid` is a possible fid
 */
export const checkFid = (fid: number, what: string): void => {
  if (fid === 0) throw new Rejection('bad_target', `${what} needs a fid above 0`);
};

/** @throws Rejection unless the id has a fid and a 20-byte hash */
export const checkCastId = (id: CastIdBody, what: string): void => {
  checkFid(id.fid, what);
  checkHash(id.hash, what);
};

/** @throws Rejection unless the hash has 20 bytes */
export const checkHash = (hash: Uint8Array, what: string): void => {
  if (hash.length === HASH_BYTES) return;
  throw new Rejection('bad_target', `${what} needs a hash of ${HASH_BYTES} bytes, has ${hash.length}`);
};

/** Hubs limit only the length: the text need not be a URL. @throws Rejection */
export const checkUrl = (url: Uint8Array, what: string): void => {
  if (url.length >= 1 && url.length <= MAX_URL_BYTES) return;
  throw new Rejection('bad_url', `${what} must have 1 to ${MAX_URL_BYTES} bytes, has ${url.length}`);
};
