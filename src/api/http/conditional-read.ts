import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createXXHash64 } from 'hash-wasm';
import type { TObject } from 'typebox';
import { KEY_HEADERS } from '../../access/key-header.js';
import { viewNext } from '../../view/json.js';
import { cursorWithoutTime } from './cursor.js';
import type { Operation, OperationRequest } from './operation.js';
import type { Services } from './service.js';

/** Caches of clients may store the response, but must ask before each use, because any write may change it. */
const CACHE_CONTROL = 'private, no-cache';
/** For shared caches that ignore `private`. */
const VARY = [...KEY_HEADERS, 'origin', 'accept-encoding'].join(', ');

/** `"next":{"cursor":"`, and where a list has it: among the first members or as the last one. */
const CURSOR_START = viewNext('').slice(0, -2);
const FIRST_MEMBERS_BYTES = 16 + CURSOR_START.length;
const LAST_MEMBERS_BYTES = 1024;
const REST_AFTER_LAST_CURSOR = /^[\w-]+"\}+$/;
const QUOTE = '"'.charCodeAt(0);

// The hash is not cryptographic, because SHA-256 would take four times as long (docs/decisions/0037-conditional-reads.md).
const hasher = await createXXHash64();

/** The bytes of a response with the entity tag that stands for them. */
export interface TaggedResponse {
  readonly body: Buffer;
  /** As in the header `ETag`. */
  readonly entityTag: string;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** @returns where the characters of the next page's cursor are; undefined on the last page */
const findCursor = (body: Buffer): Span | undefined => {
  const first = body.toString('latin1', 0, FIRST_MEMBERS_BYTES).indexOf(CURSOR_START);
  if (first >= 0) {
    const start = first + CURSOR_START.length;
    return { start, end: body.indexOf(QUOTE, start) };
  }
  const offset = Math.max(0, body.length - LAST_MEMBERS_BYTES);
  const text = body.toString('latin1', offset);
  const at = text.lastIndexOf(CURSOR_START);
  if (at < 0) return undefined;
  const rest = text.slice(at + CURSOR_START.length);
  if (!REST_AFTER_LAST_CURSOR.test(rest)) return undefined;
  const start = offset + at + CURSOR_START.length;
  return { start, end: start + rest.indexOf('"') };
};

type TagResponse = (body: Buffer, request: Pick<OperationRequest, 'caller' | 'query'>) => TaggedResponse;

/**
 * Makes the function that tags the responses of an operation. The tag is a hash of the response without the time of the
 * first page in its cursor, and of app, viewer and dialect. It is weak if there is such a cursor, because responses with
 * equal tags may then differ in bytes. Equal responses of different processes have equal tags.
 */
export const createTagger = (
  { query }: Pick<Operation, 'query'>,
  { dialect, cursorKey }: Pick<Services, 'dialect' | 'cursorKey'>,
): TagResponse => {
  const hasPages = 'cursor' in ((query as TObject | undefined)?.properties ?? {});
  // A new master key changes all tags, so that no client keeps a page whose cursor is signed with the old key.
  const key = createHash('sha256').update('entity tag').update(cursorKey.sign).digest('base64url');
  return (body, { caller, query: members }) => {
    const viewer = (members as { readonly viewer_fid?: number }).viewer_fid ?? '';
    hasher.init().update(`${key} ${dialect} ${caller.appId} ${viewer} `);
    const cursor = hasPages ? findCursor(body) : undefined;
    if (cursor === undefined) return { body, entityTag: `"${hasher.update(body).digest('hex')}"` };
    const { start, end } = cursor;
    hasher
      .update(body.subarray(0, start))
      .update(cursorWithoutTime(body.toString('latin1', start, end)))
      .update(body.subarray(end));
    return { body, entityTag: `W/"${hasher.digest('hex')}"` };
  };
};

/** Headers of a response that clients may keep and ask about, with its body or without. */
export const setValidationHeaders = (reply: FastifyReply, { entityTag }: TaggedResponse): void => {
  reply.header('etag', entityTag).header('cache-control', CACHE_CONTROL).header('vary', VARY);
};

/**
 * @returns the tag of the response as the client has it, if `If-None-Match` lists it: a weak one also stands for the
 *   compressed bytes. This is the weak comparison of RFC 9110, 13.1.2. Unlike there, `*` matches nothing: it comes from
 *   clients that have no response, and a 304 is free. undefined: the client does not have the response
 */
export const findKnownTag = ({ raw }: FastifyRequest, { entityTag }: TaggedResponse): string | undefined => {
  // Not `request.headers`, which has only the headers of the operation's schema where it has one.
  const listed = raw.headers['if-none-match'];
  if (listed === undefined) return undefined;
  // The list need not be split: tags contain no quotes, so a quoted tag cannot be part of another one.
  const opaque = entityTag.replace('W/', '');
  if (!listed.includes(opaque)) return undefined;
  return listed.includes(`W/${opaque}`) ? `W/${opaque}` : entityTag;
};
