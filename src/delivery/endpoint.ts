import { Client } from 'undici';
import { ADDRESS_CHOICE } from './address-choice.js';
import { MAX_RESPONSE_HEADER_BYTES, readBody } from './outbound-body.js';
import { OutboundError } from './outbound-error.js';

export interface EndpointRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Maximum size of the response body. */
  readonly maxBytes: number;
  /** Limits the time of the whole exchange. */
  readonly signal: AbortSignal;
}

export interface EndpointResponse {
  /** 200 to 299 or 400 to 599. */
  readonly status: number;
  readonly body: Buffer;
}

/**
 * Calls an address that the operator configured: unlike the addresses of users, which `OutboundClient` calls, it may be in
 * a private network, over http, and named by the system. Redirects are not followed.
 * @throws OutboundError `redirect`, `too_large` or `encoded`
 * @throws Error of the connection, or the signal's reason
 */
export const callEndpoint = async ({ url, maxBytes, ...request }: EndpointRequest): Promise<EndpointResponse> => {
  const client = new Client(url.origin, {
    maxHeaderSize: MAX_RESPONSE_HEADER_BYTES,
    // The signal limits the time: these timeouts would restart with every byte.
    connect: { ...ADDRESS_CHOICE, timeout: 0 },
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
      signal: request.signal,
    });
    // The body may fail even if nothing reads it.
    response.body.on('error', () => undefined);
    const { statusCode: status } = response;
    if (status < 200 || (status >= 300 && status < 400)) {
      throw new OutboundError('redirect', `answered ${status}; redirects are not followed.`, { status });
    }
    return { status, body: await readBody(response, { maxBytes, isCut: false, isDecompressed: false }) };
  } finally {
    // `close` would wait for the unread body.
    void client.destroy().catch(() => undefined);
  }
};
