import { AppError } from '../../error.js';
import { EndpointError } from '../rpc/error.js';

/**
 * Why a log search failed. `range`: too many blocks or events (a smaller range may work); `slow`: it timed out;
 * `method`: the endpoint does not support it; `away`: no usable response.
 */
export interface LogSearchFailure {
  readonly kind: 'range' | 'slow' | 'method' | 'away';
  /** What the endpoint responded, truncated. */
  readonly reason: string;
}

const METHOD_NOT_FOUND = -32_601;
const METHOD_NOT_SUPPORTED = -32_004;
const MAX_REASON = 200;

/** Providers report too many blocks or events with different codes, even with those of rate limits. */
const RANGE_PATTERN = /range|more than|too (many|large|big|wide)|exceed|limit(ed)? to|block|results|response size/i;
const RATE_PATTERN = /rate|second|minute|credits|compute units|capacity|too many requests/i;

const causesOf = (error: unknown): Error[] => {
  const causes: Error[] = [];
  for (let one: unknown = error; one instanceof Error && causes.length < 10; one = one.cause) causes.push(one);
  return causes;
};

const codeOf = (error: Error): number | undefined => {
  const { code } = error as { code?: unknown };
  return typeof code === 'number' ? code : undefined;
};

/** The message of a viem error contains the request; `details` is what the endpoint responded. */
const messageOf = (error: Error): string =>
  String((error as { details?: unknown }).details ?? error.message)
    .replace(/\s+/g, ' ')
    .slice(0, MAX_REASON);

/** @param error what a client of `Networks` threw for `eth_getLogs` */
export const logSearchFailureOf = (error: unknown): LogSearchFailure => {
  const causes = causesOf(error);
  const endpointError = causes.find((cause) => cause instanceof EndpointError);
  const rpcError = endpointError?.rpcError ?? causes.find((cause) => codeOf(cause) !== undefined);
  const reason = rpcError
    ? messageOf(rpcError)
    : (endpointError?.shortMessage ?? messageOf(causes[0] ?? new Error('no words')));
  const code = rpcError && codeOf(rpcError);
  if (code === METHOD_NOT_FOUND || code === METHOD_NOT_SUPPORTED) return { kind: 'method', reason };
  if (endpointError?.outcome === 'refused' || endpointError?.outcome === 'unsupported')
    return { kind: 'method', reason };
  if (endpointError?.outcome === 'too_large') return { kind: 'range', reason };
  if (endpointError?.outcome === 'timeout') return { kind: 'slow', reason };
  // The chain responded with an error.
  if (endpointError === undefined && rpcError !== undefined && !causes.some((cause) => cause instanceof AppError)) {
    return { kind: 'range', reason };
  }
  const isRange = rpcError !== undefined && RANGE_PATTERN.test(reason) && !RATE_PATTERN.test(reason);
  return { kind: isRange ? 'range' : 'away', reason };
};
