import { createHash } from 'node:crypto';

/**
 * A URL as the 20 bytes under which it stands where a cast hash would: targets and parents that are URLs have
 * fid 0 and this digest. Our own convention (SHA-256, cut), not the protocol's.
 */
export const urlDigest = (url: string): Buffer => createHash('sha256').update(url, 'utf8').digest().subarray(0, 20);
