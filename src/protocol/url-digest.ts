import { createHash } from 'node:crypto';

/**
 * @returns the 20 bytes that represent a URL in place of a cast hash: targets and parents that are URLs have fid 0 and
 *   this digest. This is our convention (truncated SHA-256), not the protocol's.
 */
export const urlDigest = (url: string): Buffer => createHash('sha256').update(url, 'utf8').digest().subarray(0, 20);
