import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { OutboundError } from './outbound-error.js';

/** Maximum size of the headers of a response; a larger one fails. */
export const MAX_RESPONSE_HEADER_BYTES = 16 * 1024;

/** How much of a body is read. */
export interface BodyRule {
  /** Maximum size of the body, decompressed. */
  readonly maxBytes: number;
  /** Reads the first `maxBytes` of a longer body instead of failing. */
  readonly isCut: boolean;
  /** Decompresses gzip, deflate and br; otherwise a compressed body fails. */
  readonly isDecompressed: boolean;
}

/** Initial size of the body buffer, which doubles as needed. */
const FIRST_BYTES = 4096;

/** Content codings that are accepted, in the order of preference (RFC 9110, 8.4.1). */
export const ACCEPTED_ENCODINGS = 'gzip, br, deflate';

const DECODERS: ReadonlyMap<string, () => NodeJS.ReadWriteStream> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

const decoded = ({ statusCode: status, headers, body }: Dispatcher.ResponseData, rule: BodyRule): Readable => {
  const encoding = String(headers['content-encoding'] ?? 'identity').toLowerCase();
  if (encoding === 'identity' || encoding === '') return body;
  // A body that is compressed twice has no decoder either: each layer multiplies what a bomb unfolds to.
  const decoder = rule.isDecompressed ? DECODERS.get(encoding)?.() : undefined;
  if (decoder === undefined) {
    const asked = rule.isDecompressed ? `${ACCEPTED_ENCODINGS} were accepted` : 'plain bytes were asked for';
    throw new OutboundError('encoded', `answered ${status} with a compressed body (${encoding}), though ${asked}.`, {
      status,
    });
  }
  const plain = body.pipe(decoder) as unknown as Readable;
  // `pipe` hands on neither errors nor an early end.
  body.once('error', (error) => plain.destroy(error));
  body.once('close', () => {
    if (!body.readableEnded) plain.destroy(new Error('the answer ended early'));
  });
  plain.once('close', () => body.destroy());
  return plain;
};

/**
 * Copies each chunk as it arrives. A chunk is a view of a 64 KB read buffer and keeps all of it in memory, so
 * collecting one-byte chunks of a malicious server would take gigabytes for a small body.
 * @throws OutboundError `too_large` and `encoded` according to the rule
 * @throws Error of the connection or of the decoder
 */
export const readBody = (response: Dispatcher.ResponseData, rule: BodyRule): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const { statusCode: status, headers } = response;
    const { maxBytes } = rule;
    const tooLarge = () =>
      new OutboundError('too_large', `answered ${status} with more than ${maxBytes} bytes.`, { status });
    const stream = decoded(response, rule);
    if (!rule.isCut && Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
    let body = Buffer.alloc(Math.min(maxBytes, FIRST_BYTES));
    let length = 0;
    stream
      .on('data', (chunk: Buffer) => {
        const end = length + chunk.length;
        const copied = Math.min(end, maxBytes);
        if (copied > body.length) {
          const larger = Buffer.alloc(Math.min(maxBytes, Math.max(copied, 2 * body.length)));
          body.copy(larger, 0, 0, length);
          body = larger;
        }
        chunk.copy(body, length);
        length = copied;
        if (end <= maxBytes) return;
        if (rule.isCut) resolve(body);
        else reject(tooLarge());
        stream.destroy();
      })
      .once('end', () => resolve(body.subarray(0, length)))
      .once('error', reject)
      .once('close', () => reject(new Error('the answer ended early')));
  });
