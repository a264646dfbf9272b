import { AppError } from '../error.js';

/**
 * Why a call failed, as one word:
 * - `target`: an address that is never called (scheme, port, user info, a literal that is not public)
 * - `address`: the name has no public address; whether it has none at all or an inner one is not told, so that nobody
 *   reads an inner network's names through this
 * - `unreachable`, `tls`: no connection, no trusted certificate
 * - `timeout`, `too_large`, `redirect`, `encoded`, `broken`: the answer took too long, is too long, points elsewhere,
 *   is compressed, or is no HTTP
 * - `status`: it answered, and with a failure; the caller's to say, who knows which statuses are good
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

/** A call to a foreign address that brought no answer. The message may be shown: it holds nothing of the inside. */
export class OutboundError extends AppError {
  readonly reason: OutboundReason;
  /** Status of the answer, where there was one. */
  readonly status: number | undefined;

  /** @param message continues "The target ..." */
  constructor(reason: OutboundReason, message: string, options: { status?: number; cause?: unknown } = {}) {
    super('bad_gateway', 'BadGateway', `The target ${message}`, { cause: options.cause });
    this.reason = reason;
    this.status = options.status;
  }
}
