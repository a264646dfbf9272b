import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Static, TSchema } from 'typebox';
import { invalidField } from '../../error.js';

const VERSION = 1;
const DIGEST_BYTES = 16;
const TIME_BYTES = 6;
const MAC_BYTES = 32;
const HEAD_BYTES = 1 + DIGEST_BYTES + TIME_BYTES;

/** Signs cursors, and knows the signatures of before the master key was changed. */
export interface CursorKey {
  readonly sign: Uint8Array;
  /** `sign` among them. */
  readonly accept: readonly Uint8Array[];
}

/** A list that is read in pages. */
export interface CursorList<Key extends TSchema> {
  readonly operationId: string;
  /** Shape of the full sort key: what `ORDER BY` names, as JSON values (no bigint). */
  readonly sortKey: Key;
}

/** Everything that decides which list it is, besides the operation: filters, viewer, order. Not the page's size. */
export type CursorFilters = Readonly<Record<string, unknown>>;

export interface CursorPage<Key> {
  /** When the first page was asked for, Unix milliseconds: later events are left out of later pages. */
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

/** The sort key's schema is part of it: a cursor of a version that sorted otherwise does not fit. */
const digestOf = (list: CursorList<TSchema>, filters: CursorFilters): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([list.operationId, list.sortKey, canonical(filters)]))
    .digest()
    .subarray(0, DIGEST_BYTES);

const macOf = (key: Uint8Array, content: Uint8Array): Buffer => createHmac('sha256', key).update(content).digest();

/**
 * Writes the opaque cursor of the next page: base64url of version, digest of operation and filters, first page's
 * time, sort key as JSON, HMAC-SHA256 over all of it.
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
 * Reads a cursor back.
 * @param cursor as the caller sent it; undefined and '' ask for the first page.
 * @returns undefined for the first page.
 * @throws AppError 'invalid' with property `cursor` for one that was altered or cut, and for one of another
 *   operation, of other filters or of another installation.
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
  // Decoding forgives stray characters and unused bits, so the text is compared too.
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
