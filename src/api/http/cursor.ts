import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Static, TSchema } from 'typebox';
import { invalidField } from '../../error.js';

const VERSION = 1;
const DIGEST_BYTES = 16;
const TIME_BYTES = 6;
const MAC_BYTES = 32;
const HEAD_BYTES = 1 + DIGEST_BYTES + TIME_BYTES;

/** Keys of cursors, including those of previous master keys. */
export interface CursorKey {
  readonly sign: Uint8Array;
  /** Includes `sign`. */
  readonly accept: readonly Uint8Array[];
}

/** Identifies a list that is read in pages. */
export interface CursorList<Key extends TSchema> {
  readonly operationId: string;
  /** Schema of the full sort key: the columns of `ORDER BY`, as JSON values (no bigint). */
  readonly sortKey: Key;
}

/** All parameters that decide which items the list has and in which order: filters, viewer, order. Not the page's size. */
export type CursorFilters = Readonly<Record<string, unknown>>;

export interface CursorPage<Key> {
  /** When the first page was requested, in Unix milliseconds; later events are left out of later pages. */
  readonly firstPageTime: number;
  /** Sort key of the last item before the page. */
  readonly sortKey: Key;
}

const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, canonical(member)]),
  );
};

/** Includes the sort key's schema, so that a cursor from a version with another order is rejected. */
const digestOf = (list: CursorList<TSchema>, filters: CursorFilters): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([list.operationId, list.sortKey, canonical(filters)]))
    .digest()
    .subarray(0, DIGEST_BYTES);

const macOf = (key: Uint8Array, content: Uint8Array): Buffer => createHmac('sha256', key).update(content).digest();

/**
 * Writes the opaque cursor of the next page: base64url of version, digest of operation and filters, time of the first
 * page, sort key as JSON, and the HMAC-SHA256 of all these.
 */
export const encodeCursor = <Key extends TSchema>(
  key: CursorKey,
  list: CursorList<Key>,
  filters: CursorFilters,
  page: CursorPage<Static<Key>>,
): string => {
  const head = Buffer.alloc(HEAD_BYTES);
  head[0] = VERSION;
  digestOf(list, filters).copy(head, 1);
  head.writeUIntBE(page.firstPageTime, 1 + DIGEST_BYTES, TIME_BYTES);
  const content = Buffer.concat([head, Buffer.from(JSON.stringify(page.sortKey))]);
  return Buffer.concat([content, macOf(key.sign, content)]).toString('base64url');
};

/**
 * @param cursor as in the request; undefined and '' request the first page
 * @returns undefined for the first page
 * @throws AppError 'invalid' with property `cursor` for an altered or truncated cursor, and for one of another
 *   operation, other filters or another installation
 */
export const decodeCursor = <Key extends TSchema>(
  key: CursorKey,
  list: CursorList<Key>,
  filters: CursorFilters,
  cursor: string | undefined,
): CursorPage<Static<Key>> | undefined => {
  if (cursor === undefined || cursor === '') return undefined;
  const bytes = Buffer.from(cursor, 'base64url');
  const content = bytes.subarray(0, -MAC_BYTES);
  // Decoding ignores invalid characters and unused bits, so the text is compared, too.
  if (
    content.length <= HEAD_BYTES ||
    bytes.toString('base64url') !== cursor ||
    !key.accept.some((one) => timingSafeEqual(macOf(one, content), bytes.subarray(-MAC_BYTES)))
  ) {
    throw invalidField('cursor', 'cursor is not one that this service gave out: send next.cursor unchanged');
  }
  if (content[0] !== VERSION || !content.subarray(1, 1 + DIGEST_BYTES).equals(digestOf(list, filters))) {
    throw invalidField('cursor', 'cursor belongs to another operation or to other parameters: keep them for all pages');
  }
  return {
    firstPageTime: content.readUIntBE(1 + DIGEST_BYTES, TIME_BYTES),
    sortKey: JSON.parse(content.subarray(HEAD_BYTES).toString()) as Static<Key>,
  };
};

/**
 * @param cursor as `encodeCursor` wrote it
 * @returns what two cursors of the same place have in common: everything but the time of the first page and the HMAC
 */
export const cursorWithoutTime = (cursor: string): Buffer => {
  const bytes = Buffer.from(cursor, 'base64url');
  const sortKey = bytes.subarray(HEAD_BYTES, -MAC_BYTES);
  return Buffer.concat([bytes.subarray(0, 1 + DIGEST_BYTES), sortKey]);
};

/** A page that is to be read. */
export interface OpenPage<Key> {
  /** When the first page was requested, in Unix milliseconds. */
  readonly firstPageTime: number;
  /** Sort key of the last item before the page; undefined: this is the first page. */
  readonly after: Key | undefined;
  /** @returns the cursor of the page after this sort key; null for undefined: there is no other page */
  cursorAfter(sortKey: Key | undefined): string | null;
}

/**
 * @param cursor as in the request; undefined: the first page
 * @param now Unix milliseconds, used as the time of the first page
 * @throws AppError 'invalid' with property `cursor`
 */
export const openPage = <Key extends TSchema>(
  key: CursorKey,
  list: CursorList<Key>,
  filters: CursorFilters,
  cursor: string | undefined,
  now: number,
): OpenPage<Static<Key>> => {
  const before = decodeCursor(key, list, filters, cursor);
  const firstPageTime = before?.firstPageTime ?? now;
  return {
    firstPageTime,
    after: before?.sortKey,
    cursorAfter: (sortKey) =>
      sortKey === undefined ? null : encodeCursor(key, list, filters, { firstPageTime, sortKey }),
  };
};
