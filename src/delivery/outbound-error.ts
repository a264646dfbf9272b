import { AppError } from '../error.js';

/**
 * Why a call failed:
 * - `target`: a URL that is never called (scheme, port, user info, a literal address that is not public)
 * - `address`: the name has no public address; the error does not say whether it has a private one, so that names of an
 * internal network cannot be probed
 * - `unreachable`, `tls`: no connection, no trusted certificate
 * - `timeout`, `too_large`, `redirect`, `encoded`, `broken`: the response took too long, is too long, is a redirect, is
 * compressed, or is not HTTP
 * - `status`: a response with a failure status, which the caller decides
 */
export type OutboundReason =
  | 'target'
  | 'address'
  | 'unreachable'
  | 'tls'
  | 'timeout'
  | 'too_large'
  | 'redirect'
  | 'encoded'
  | 'broken'
  | 'status';

/** A failed call to an untrusted URL. The message may be shown: it contains nothing internal. */
export class OutboundError extends AppError {
  readonly reason: OutboundReason;
  /** Status of the response, if there was one. */
  readonly status: number | undefined;

  /** @param message continues "The target ..." */
  constructor(reason: OutboundReason, message: string, options: { status?: number; cause?: unknown } = {}) {
    super('bad_gateway', 'BadGateway', `The target ${message}`, { cause: options.cause });
    this.reason = reason;
    this.status = options.status;
  }
}
