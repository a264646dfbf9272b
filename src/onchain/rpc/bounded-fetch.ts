import { Readable } from 'node:stream';
import { ResponseBodyTooLargeError } from 'viem';
import { hasFewValues } from '../../delivery/foreign-json.js';
import { readBody } from '../../delivery/outbound-body.js';
import { OutboundError } from '../../delivery/outbound-error.js';

interface Limit {
  readonly bytes: number;
  readonly values: number;
}

/**
 * About 6,000 events, each with two lists or objects and 11 other values, or a block of 4,000 transactions; a simulation of
 * 4,000 mints is smaller.
 */
const EVENT_LIMIT: Limit = { bytes: 4 * 1024 * 1024, values: 130_000 };
/** A string, such as what 4,000 calls return. */
const OTHER_LIMIT: Limit = { bytes: 2 * 1024 * 1024, values: 10_000 };

const EVENT_METHODS: ReadonlySet<string> = new Set([
  'eth_getBlockByNumber',
  'eth_getLogs',
  'eth_getTransactionReceipt',
  'eth_simulateV1',
]);

const tooLarge = ({ bytes }: Limit): ResponseBodyTooLargeError =>
  new ResponseBodyTooLargeError({ maxSize: bytes, size: bytes });

/**
 * Like `fetch`, but limits the response, because `JSON.parse` blocks the event loop.
 * @param method of JSON-RPC
 * @returns a function that throws ResponseBodyTooLargeError if the body has too many bytes or values
 */
export const boundedFetch =
  (method: string) =>
  async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const limit = EVENT_METHODS.has(method) ? EVENT_LIMIT : OTHER_LIMIT;
    const { status, headers, body: stream } = await fetch(input, init);
    if (stream === null) return new Response(null, { status, headers });
    // What `fetch` returns is not encoded any more.
    const received = { statusCode: status, headers: {}, body: Readable.fromWeb(stream as never) };
    const rule = { maxBytes: limit.bytes, isCut: false, isDecompressed: false };
    const body = await readBody(received as never, rule).catch((error: unknown) => {
      throw error instanceof OutboundError ? tooLarge(limit) : error;
    });
    if (!hasFewValues(body, limit.values)) throw tooLarge(limit);
    return new Response(body.length === 0 ? null : new Uint8Array(body), { status, headers });
  };
