import type { LookupFunction } from 'node:net';
import { Client, type Dispatcher, errors } from 'undici';
import { type ResolvedAddress, resolveTarget } from './dns-resolver.js';
import { OutboundError, type OutboundReason } from './outbound-error.js';
import { hostOf, targetError } from './target.js';

export interface OutboundRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** For the whole exchange: DNS, connecting, sending, and the last byte of the response. */
  readonly timeoutMs: number;
  /** Maximum size of the response body. */
  readonly maxBytes: number;
}

export interface OutboundResponse {
  /** 200 to 299 or 400 to 599. */
  readonly status: number;
  /** Names in lower case; repeated headers are joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Calls untrusted URLs. Apart from it the service only connects to the configured hub, chains and services. */
export interface OutboundClient {
  /** Set in the development profile: allows loopback and http. */
  readonly allowLoopback: boolean;
  /**
   * Sends one request on a new connection to an address that was resolved and checked once.
   * @throws OutboundError for anything but a complete response that is not a redirect
   */
  request(request: OutboundRequest): Promise<OutboundResponse>;
}

export interface OutboundOptions {
  readonly allowLoopback: boolean;
  /** Replaces the system's name servers, as `ip:port`; for tests. */
  readonly nameServers?: readonly string[];
  /** Certificate authority in PEM that replaces the usual ones; for tests. */
  readonly ca?: string;
}

const MAX_HEADER_BYTES = 16 * 1024;
/** Initial size of the body buffer, which doubles as needed. */
const FIRST_BODY_BYTES = 4096;

/** Connects to the checked addresses, so that the host is not resolved a second time. */
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
 * Copies each chunk as it arrives. A chunk is a view of a 64 KB read buffer and keeps all of it in memory, so
 * collecting one-byte chunks of a malicious server would take gigabytes for a small body.
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
  // Compressed bodies are rejected, which excludes decompression bombs; the request asks for plain bytes.
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

/** Codes of OpenSSL and Node for an invalid certificate, or a peer that does not speak TLS. */
const isTlsError = (code: string): boolean =>
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
  return isTlsError(code) ? 'tls' : 'unreachable';
};

/** @returns a client without open connections between calls */
export const createOutbound = (options: OutboundOptions): OutboundClient => {
  const exchange = async (request: OutboundRequest, signal: AbortSignal): Promise<OutboundResponse> => {
    const url = new URL(request.url);
    const host = hostOf(url);
    const addresses = await resolveTarget(host, options, signal);
    // Certificates contain no names with a trailing dot.
    url.host = url.host.replace(/\.(?=:|$)/, '');
    const client = new Client(url.origin, {
      connect: {
        lookup: pinned(addresses),
        autoSelectFamily: true,
        timeout: request.timeoutMs,
        ...(options.ca ? { ca: options.ca } : {}),
      },
      maxHeaderSize: MAX_HEADER_BYTES,
      // The signal limits the time: these timeouts would restart with every byte.
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
      // The body may fail even if nothing reads it.
      response.body.on('error', () => undefined);
      checkHead(response);
      const { statusCode: status, headers } = response;
      return {
        status,
        headers: flatHeaders(headers),
        body: await readBody(response, { status, maxBytes: request.maxBytes }),
      };
    } finally {
      // `close` would wait for the unread body.
      void client.destroy().catch(() => undefined);
    }
  };
  return {
    allowLoopback: options.allowLoopback,
    request: async (request) => {
      const problem = targetError(request.url, options);
      if (problem !== undefined) throw new OutboundError('target', `is not called: the address ${problem}`);
      const signal = AbortSignal.timeout(request.timeoutMs);
      try {
        return await exchange(request, signal);
      } catch (error) {
        // An invalid header or method is a mistake of the caller, not of the target.
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
