import type { LookupFunction } from 'node:net';
import { Client, type Dispatcher, errors } from 'undici';
import { OutboundError, type OutboundReason } from './outbound-error.js';
import { type ResolvedAddress, resolveTarget } from './dns-resolver.js';
import { hostOf, targetFault } from './target.js';

export interface OutboundRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** For the whole exchange: looking up, connecting, sending, and the last byte of the answer. */
  readonly timeoutMs: number;
  /** Longest body that is taken. */
  readonly maxBytes: number;
}

export interface OutboundResponse {
  /** 200 to 299 or 400 to 599. */
  readonly status: number;
  /** Names in lower case; a header that came more than once is joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Calls addresses that strangers name; the only way out of the service but for the hub and chains it is told of. */
export interface OutboundClient {
  /** The development profile's switch; loopback and http may be called. */
  readonly allowLoopback: boolean;
  /**
   * One request on a connection of its own, to an address that was looked up once and checked.
   *
   * @throws OutboundError for everything but a complete answer that is no redirect
   */
  request(request: OutboundRequest): Promise<OutboundResponse>;
}

export interface OutboundOptions {
  readonly allowLoopback: boolean;
  /** Asked instead of the system's name servers, as `ip:port`; for tests. */
  readonly nameServers?: readonly string[];
  /** Certificate authority in PEM that is trusted instead of the usual ones; for tests. */
  readonly ca?: string;
}

const MAX_HEADER_BYTES = 16 * 1024;
/** Room for a body at first; it doubles as the body grows. */
const FIRST_BODY_BYTES = 4096;

/** Hands the connection the addresses that were checked, so that nothing is looked up a second time. */
const pinned =
  (addresses: readonly ResolvedAddress[]): LookupFunction =>
  (_hostname, { all }, done) => {
    const [first] = addresses as readonly [ResolvedAddress];
    if (all) done(null, [...addresses]);
    else done(null, first.address, first.family);
  };

const flatHeaders = (headers: Dispatcher.ResponseData['headers']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );

/**
 * Chunks are copied as they come, neither collected nor queued: each is a view of the 64 KB that were read from the
 * socket and keeps all of them, so a receiver that sends one byte in each would make a small body cost gigabytes.
 */
const readBody = (
  response: Dispatcher.ResponseData,
  { status, maxBytes }: { readonly status: number; readonly maxBytes: number },
): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const tooLarge = () =>
      new OutboundError('too_large', `answered ${status} with more than ${maxBytes} bytes.`, { status });
    if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
    let body = Buffer.alloc(Math.min(maxBytes, FIRST_BODY_BYTES));
    let length = 0;
    response.body
      .on('data', (chunk: Buffer) => {
        const end = length + chunk.length;
        if (end > maxBytes) {
          reject(tooLarge());
          response.body.destroy();
          return;
        }
        if (end > body.length) {
          const larger = Buffer.alloc(Math.min(maxBytes, Math.max(end, 2 * body.length)));
          body.copy(larger, 0, 0, length);
          body = larger;
        }
        chunk.copy(body, length);
        length = end;
      })
      .once('end', () => resolve(body.subarray(0, length)))
      .once('error', reject)
      .once('close', () => reject(new Error('the answer ended early')));
  });

const checkHead = ({ statusCode: status, headers }: Dispatcher.ResponseData): void => {
  if (status < 200 || (status >= 300 && status < 400)) {
    throw new OutboundError('redirect', `answered ${status}; redirects are not followed.`, { status });
  }
  // What is not decompressed cannot be a bomb; the request has asked for plain bytes.
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') {
    throw new OutboundError(
      'encoded',
      `answered ${status} with a compressed body, though plain bytes were asked for.`,
      {
        status,
      },
    );
  }
};

/** OpenSSL's and Node's own words for a certificate that does not hold, or a peer that does not speak TLS. */
const isTlsFault = (code: string): boolean =>
  /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|INVALID_CA|HOSTNAME_MISMATCH)/.test(code);

const FAILURE: Readonly<Record<'tls' | 'unreachable' | 'broken', string>> = {
  tls: 'has no certificate that can be trusted.',
  unreachable: 'cannot be reached.',
  broken: 'does not answer in HTTP.',
};

const reasonOf = (error: unknown): keyof typeof FAILURE & OutboundReason => {
  const code = String((error as { code?: unknown }).code ?? '');
  if (error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError) return 'broken';
  if (code.startsWith('HPE_') || error instanceof errors.ResponseContentLengthMismatchError) return 'broken';
  return isTlsFault(code) ? 'tls' : 'unreachable';
};

/** @returns the client; it holds nothing open between calls. */
export const createOutbound = (options: OutboundOptions): OutboundClient => {
  const exchange = async (request: OutboundRequest, signal: AbortSignal): Promise<OutboundResponse> => {
    const url = new URL(request.url);
    const host = hostOf(url);
    const addresses = await resolveTarget(host, options, signal);
    // A name with its closing dot is in no certificate.
    url.host = url.host.replace(/\.(?=:|$)/, '');
    const client = new Client(url.origin, {
      connect: {
        lookup: pinned(addresses),
        autoSelectFamily: true,
        timeout: request.timeoutMs,
        ...(options.ca ? { ca: options.ca } : {}),
      },
      maxHeaderSize: MAX_HEADER_BYTES,
      // The signal alone keeps the time: these start anew with every byte.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    try {
      const response = await client.request({
        method: request.method,
        path: `${url.pathname}${url.search}`,
        headers: { 'accept-encoding': 'identity', 'user-agent': 'castellan', ...request.headers },
        body: request.body ?? null,
        reset: true,
        signal,
      });
      // Whoever leaves the body unread must know that it may still fail.
      response.body.on('error', () => undefined);
      checkHead(response);
      const { statusCode: status, headers } = response;
      return {
        status,
        headers: flatHeaders(headers),
        body: await readBody(response, { status, maxBytes: request.maxBytes }),
      };
    } finally {
      // Not `close`: that would wait for a body nobody reads.
      void client.destroy().catch(() => undefined);
    }
  };
  return {
    allowLoopback: options.allowLoopback,
    request: async (request) => {
      const fault = targetFault(request.url, options);
      if (fault !== undefined) throw new OutboundError('target', `is not called: the address ${fault}`);
      const signal = AbortSignal.timeout(request.timeoutMs);
      try {
        return await exchange(request, signal);
      } catch (error) {
        // A header or method that cannot be sent is a mistake of the caller's, not of the target.
        if (error instanceof OutboundError || error instanceof errors.InvalidArgumentError) throw error;
        if (signal.aborted) {
          throw new OutboundError('timeout', `took longer than ${request.timeoutMs / 1000} s.`, { cause: error });
        }
        const reason = reasonOf(error);
        throw new OutboundError(reason, FAILURE[reason], { cause: error });
      }
    },
  };
};
