import { createHash } from 'node:crypto';
import { invalidField } from '../../error.js';

/** What a list is of: its name and everything that decides its entries, apart from the size and direction of a page. */
export type ListSubject = readonly (string | number | null)[];

const CHECK_BYTES = 8;

const checkOf = (list: ListSubject, position: Uint8Array): Buffer =>
  createHash('sha256').update(JSON.stringify(list)).update(position).digest().subarray(0, CHECK_BYTES);

const badToken = () =>
  invalidField(
    'pageToken',
    'pageToken must be the nextPageToken of an earlier page of this list, unchanged, or empty.',
  );

/**
 * @param position of the last entry of a page
 * @returns the token of the next page: the position and 8 bytes of a hash that ties it to the list. It is no secret: it
 *   only shows that a token was altered, or belongs to another list.
 */
export const encodeListToken = (list: ListSubject, position: Uint8Array): Uint8Array =>
  new Uint8Array(Buffer.concat([position, checkOf(list, position)]));

/**
 * @param token no bytes, or undefined: the first page
 * @returns the position before the page; undefined: the first page
 * @throws AppError invalid, property `pageToken`, for a token that {@link encodeListToken} did not make for this list
 */
export const decodeListToken = (list: ListSubject, token: Uint8Array | undefined): Buffer | undefined => {
  if (token === undefined || token.length === 0) return undefined;
  const bytes = Buffer.from(token);
  const position = bytes.subarray(0, -CHECK_BYTES);
  if (bytes.length <= CHECK_BYTES || !checkOf(list, position).equals(bytes.subarray(-CHECK_BYTES))) throw badToken();
  return position;
};

/** @param text of the query. @throws AppError invalid, property `pageToken`, for text that is not base64 in its one spelling */
export const readTokenText = (text: string | undefined): Uint8Array | undefined => {
  // Clients often do not percent-encode the token, so a plus is read as a space. Hubs accept that, too.
  const base64 = text?.replaceAll(' ', '+');
  if (base64 === undefined || base64 === '') return undefined;
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64') !== base64) throw badToken();
  return bytes;
};

export const writeTokenText = (token: Uint8Array): string => Buffer.from(token).toString('base64');

/** @returns a whole number as 8 bytes, big-endian: the position in a list that is sorted by it */
export const numberPosition = (value: number): Uint8Array => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
};

/** @param position made by {@link numberPosition} */
export const readNumberPosition = (position: Buffer): number => Number(position.readBigUInt64BE());
