import type { OutboundClient } from './outbound.js';
import { OutboundError } from './outbound-error.js';

/** The body of a response is dropped. */
const MAX_RESPONSE_BYTES = 64 * 1024;

/**
 * Posts JSON to a webhook. @returns the status of the response
 * @throws OutboundError for anything but a 2xx response, or the signal's reason
 */
export const postJson = async (
  outbound: OutboundClient,
  call: {
    readonly url: URL;
    readonly body: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly timeoutMs: number;
    /** Aborts the call. */
    readonly signal?: AbortSignal;
    /** A 2xx response is one whatever its body is like; otherwise a body that cannot be read is a failure. */
    readonly ignoresBody?: boolean;
  },
): Promise<number> => {
  const { status } = await outbound.request({
    method: 'POST',
    url: call.url,
    headers: { 'content-type': 'application/json', ...outbound.traceHeaders?.(), ...call.headers },
    body: call.body,
    timeoutMs: call.timeoutMs,
    maxBytes: MAX_RESPONSE_BYTES,
    ignoresBody: call.ignoresBody ?? false,
    ...(call.signal && { signal: call.signal }),
  });
  if (status < 200 || status > 299) throw new OutboundError('status', `answered ${status}.`, { status });
  return status;
};
