import { invalidField } from '../error.js';

/** The position of a message in a hub's list, which is sorted by timestamp, then by hash. */
export interface PagePosition {
  /** Seconds since 2021-01-01T00:00:00Z, 0 to 2^32 - 1. */
  readonly timestamp: number;
  /** The message's 20-byte hash. */
  readonly hash: Uint8Array;
}

const TOKEN_FORM = /^[A-Za-z0-9+/]{32}$/;

/**
 * @param position the last message of a page
 * @returns the token for the next page: base64 of the timestamp (4 bytes, big-endian) and the hash, as hubs encode it,
 *   so that tokens work across hubs
 */
export const encodePageToken = (position: PagePosition): string => {
  const bytes = Buffer.alloc(24);
  bytes.writeUInt32BE(position.timestamp, 0);
  bytes.set(position.hash, 4);
  return bytes.toString('base64');
};

/**
 * @param token the query parameter `pageToken`
 * @returns the position before the page; undefined for '', the first page
 * @throws AppError invalid, property `pageToken`, for anything that {@link encodePageToken} cannot return
 */
export const decodePageToken = (token: string): PagePosition | undefined => {
  if (token === '') return undefined;
  // Clients often do not percent-encode the token, so a plus is read as a space. Hubs accept that, too.
  const base64 = token.replaceAll(' ', '+');
  // 24 bytes are exactly 32 characters without padding, so each token has one spelling.
  if (!TOKEN_FORM.test(base64)) {
    throw invalidField('pageToken', 'pageToken must be the nextPageToken of an earlier page, unchanged, or empty.');
  }
  const bytes = Buffer.from(base64, 'base64');
  return { timestamp: bytes.readUInt32BE(0), hash: new Uint8Array(bytes.subarray(4)) };
};
