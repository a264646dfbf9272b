import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** Smaller bodies fit into a few packets as they are. */
const MIN_BYTES = 4 * 1024;
/** The level at which a page takes a millisecond; higher ones save a few more percent and take several times as long. */
const BROTLI_QUALITY = 4;
const GZIP_LEVEL = 6;

const compressors = {
  br: promisify((bytes: Buffer, done: (error: Error | null, result: Buffer) => void) =>
    brotliCompress(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }, done),
  ),
  gzip: promisify((bytes: Buffer, done: (error: Error | null, result: Buffer) => void) =>
    gzip(bytes, { level: GZIP_LEVEL }, done),
  ),
};
type Encoding = keyof typeof compressors;

/** The first that a client accepts is used. */
const ENCODINGS: (Encoding | 'identity')[] = ['br', 'gzip', 'identity'];

const isText = (type: unknown): boolean =>
  /^(?:application\/json|text\/(?!event-stream)|image\/svg)/.test(String(type));

/** Bodies of stored pages, by encoding: a page that many clients read is compressed once. */
const compressed = new WeakMap<Buffer, Map<Encoding, Promise<Buffer>>>();

/** @returns the compressed body; the same one for the same body */
export const compress = (body: Buffer, encoding: Encoding): Promise<Buffer> => {
  const known = compressed.get(body) ?? new Map<Encoding, Promise<Buffer>>();
  compressed.set(body, known);
  const stored = known.get(encoding);
  if (stored !== undefined) return stored;
  const result = compressors[encoding](body);
  known.set(encoding, result);
  // What failed once, for lack of memory say, is tried again with the next request.
  result.catch(() => known.delete(encoding));
  return result;
};

const addToVary = (reply: FastifyReply): void => {
  const vary = String(reply.getHeader('vary') ?? '');
  if (vary.includes('accept-encoding')) return;
  reply.header('vary', vary === '' ? 'accept-encoding' : `${vary}, accept-encoding`);
};

/**
 * Compresses text of 4 KiB or more for clients that accept it, outside of the thread that answers requests. A strong
 * entity tag becomes a weak one, because it stands for other bytes then; `If-None-Match` compares weakly.
 */
export const compressResponses = (fastify: FastifyInstance): void => {
  fastify.addHook('onSend', (request, reply, payload: unknown, done) => {
    const isLarge = (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length >= MIN_BYTES;
    if (!isLarge || !isText(reply.getHeader('content-type')) || reply.hasHeader('content-encoding')) {
      done(null, payload);
      return;
    }
    addToVary(reply);
    const encoding = negotiate(String(request.raw.headers['accept-encoding'] ?? ''), ENCODINGS) ?? 'identity';
    if (request.method === 'HEAD' || encoding === 'identity') {
      done(null, payload);
      return;
    }
    compress(Buffer.isBuffer(payload) ? payload : Buffer.from(payload), encoding).then(
      (body) => {
        const tag = reply.getHeader('etag');
        if (typeof tag === 'string' && tag.startsWith('"')) reply.header('etag', `W/${tag}`);
        reply.removeHeader('content-length').header('content-encoding', encoding);
        done(null, body);
      },
      (error: Error) => done(error),
    );
  });
};
