import type { LookupFunction } from 'node:net';
import { Client, type Dispatcher, errors } from 'undici';
import { ADDRESS_CHOICE } from './address-choice.js';
import { type ResolvedAddress, resolveTarget } from './dns-resolver.js';
import { ACCEPTED_ENCODINGS, MAX_RESPONSE_HEADER_BYTES, readBody } from './outbound-body.js';
import { OutboundError, type OutboundReason } from './outbound-error.js';
import { hostOf, targetError } from './target.js';

export interface OutboundRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** For the whole exchange: DNS, connecting, sending, and the last byte of the response. */
  readonly timeoutMs: number;
  /** Ends the exchange when nobody needs it any more. */
  readonly signal?: AbortSignal;
  /** Maximum size of the response body, decompressed. */
  readonly maxBytes: number;
  /** Returns the first `maxBytes` of a longer body instead of failing. */
  readonly cutsBody?: boolean;
  /** The status says everything: a body that is too long, compressed, late or cut off is no failure, and is returned empty. */
  readonly ignoresBody?: boolean;
  /** Accepts a compressed body. Otherwise one is an error, which excludes decompression bombs. */
  readonly acceptsEncoded?: boolean;
  /** Returns a redirect as the response instead of failing. The caller decides whether to request its target. */
  readonly acceptsRedirect?: boolean;
  /** Also calls http, on port 80 and on ports from 1024 on. */
  readonly allowsHttp?: boolean;
  /** Called before connecting, with all addresses of the host; may wait, or throw an OutboundError. */
  readonly admit?: (addresses: readonly ResolvedAddress[]) => Promise<void>;
}

export interface OutboundResponse {
  /** 200 to 299 or 400 to 599; also 300 to 399 where redirects are accepted. */
  readonly status: number;
  /** Names in lower case; repeated headers are joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Calls untrusted URLs. Apart from it the service only connects to the configured hub, chains and services. */
export interface OutboundClient {
  /** Set in the development profile: allows loopback and http. */
  readonly allowLoopback: boolean;
  /** @returns the headers by which a receiver goes on with the current trace; undefined: there are no traces */
  readonly traceHeaders?: (() => Readonly<Record<string, string>>) | undefined;
  /**
   * Sends one request on a new connection to an address that was resolved and checked once.
   * @throws OutboundError for anything but a complete response that the request accepts
   * @throws the reason of the request's signal when it aborts
   */
  request(request: OutboundRequest): Promise<OutboundResponse>;
}

export interface OutboundOptions extends Pick<OutboundClient, 'traceHeaders'> {
  readonly allowLoopback: boolean;
  /** Replaces the system's name servers, as `ip:port`; for tests. */
  readonly nameServers?: readonly string[];
  /** Certificate authority in PEM that replaces the usual ones; for tests. */
  readonly ca?: string;
}

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

const checkStatus = (status: number, { acceptsRedirect = false }: OutboundRequest): void => {
  if (status >= 200 && (status < 300 || status >= 400)) return;
  if (acceptsRedirect && status >= 300) return;
  throw new OutboundError('redirect', `answered ${status}; redirects are not followed.`, { status });
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
  // A body that is not compressed as its header says.
  if (code.startsWith('Z_') || code.startsWith('ERR_BROTLI') || code.startsWith('ERR__ERROR_FORMAT')) return 'broken';
  if (code.startsWith('HPE_') || error instanceof errors.ResponseContentLengthMismatchError) return 'broken';
  return isTlsError(code) ? 'tls' : 'unreachable';
};

/** @returns a client without open connections between calls */
export const createOutbound = (options: OutboundOptions): OutboundClient => {
  const exchange = async (request: OutboundRequest, signal: AbortSignal): Promise<OutboundResponse> => {
    const url = new URL(request.url);
    const host = hostOf(url);
    const addresses = await resolveTarget(host, options, signal);
    await request.admit?.(addresses);
    // Certificates contain no names with a trailing dot.
    url.host = url.host.replace(/\.(?=:|$)/, '');
    const client = new Client(url.origin, {
      connect: {
        lookup: pinned(addresses),
        ...ADDRESS_CHOICE,
        timeout: request.timeoutMs,
        ...(options.ca ? { ca: options.ca } : {}),
      },
      maxHeaderSize: MAX_RESPONSE_HEADER_BYTES,
      // The signal limits the time: these timeouts would restart with every byte.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    try {
      const response = await client.request({
        method: request.method,
        path: `${url.pathname}${url.search}`,
        headers: {
          'accept-encoding': request.acceptsEncoded ? ACCEPTED_ENCODINGS : 'identity',
          'user-agent': 'castellan',
          ...request.headers,
        },
        body: request.body ?? null,
        reset: true,
        signal,
      });
      // The body may fail even if nothing reads it.
      response.body.on('error', () => undefined);
      const { statusCode: status, headers } = response;
      checkStatus(status, request);
      const { maxBytes, cutsBody: isCut = false, acceptsEncoded: isDecompressed = false } = request;
      // The body of a redirect says nothing.
      const isRedirect = status < 400 && status >= 300;
      const read = async () => (isRedirect ? Buffer.alloc(0) : readBody(response, { maxBytes, isCut, isDecompressed }));
      const body = await read().catch((error) => {
        request.signal?.throwIfAborted();
        if (request.ignoresBody) return Buffer.alloc(0);
        throw error;
      });
      return { status, headers: flatHeaders(headers), body };
    } finally {
      // `close` would wait for the unread body.
      void client.destroy().catch(() => undefined);
    }
  };
  return {
    allowLoopback: options.allowLoopback,
    traceHeaders: options.traceHeaders,
    request: async (request) => {
      const problem = targetError(request.url, {
        allowLoopback: options.allowLoopback,
        allowHttp: request.allowsHttp ?? false,
      });
      if (problem !== undefined) throw new OutboundError('target', `is not called: the address ${problem}`);
      const timeout = AbortSignal.timeout(request.timeoutMs);
      const signal = request.signal === undefined ? timeout : AbortSignal.any([timeout, request.signal]);
      try {
        return await exchange(request, signal);
      } catch (error) {
        request.signal?.throwIfAborted();
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
