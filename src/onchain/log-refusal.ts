import { AppError } from '../error.js';
import { EndpointFault } from './rpc-fault.js';

/**
 * Why a search of events came to nothing: `range`: too many blocks or events at once, or none at all are searched (only
 * fewer blocks tell); `slow`: it took too long; `method`: the endpoint does not search; `away`: it says nothing of use.
 */
export interface LogRefusal {
  readonly kind: 'range' | 'slow' | 'method' | 'away';
  /** What the endpoint said, shortened. */
  readonly reason: string;
}

const METHOD_NOT_FOUND = -32_601;
const METHOD_NOT_SUPPORTED = -32_004;
const MAX_REASON = 200;

/** Providers tell of too many blocks and of too many events under codes of their own, even under those of rates. */
const RANGE_WORDS = /range|more than|too (many|large|big|wide)|exceed|limit(ed)? to|block|results|response size/i;
const RATE_WORDS = /rate|second|minute|credits|compute units|capacity|too many requests/i;

const causesOf = (error: unknown): Error[] => {
  const causes: Error[] = [];
  for (let one: unknown = error; one instanceof Error && causes.length < 10; one = one.cause) causes.push(one);
  return causes;
};

const codeOf = (error: Error): number | undefined => {
  const { code } = error as { code?: unknown };
  return typeof code === 'number' ? code : undefined;
};

/** viem's errors name request and version besides; `details` is what the endpoint said. */
const saidBy = (error: Error): string =>
  String((error as { details?: unknown }).details ?? error.message)
    .replace(/\s+/g, ' ')
    .slice(0, MAX_REASON);

/** @param error what a client of Networks threw for `eth_getLogs` */
export const logRefusalOf = (error: unknown): LogRefusal => {
  const causes = causesOf(error);
  const fault = causes.find((cause) => cause instanceof EndpointFault);
  const answer = fault?.answer ?? causes.find((cause) => codeOf(cause) !== undefined);
  const reason = answer ? saidBy(answer) : (fault?.shortMessage ?? saidBy(causes[0] ?? new Error('no words')));
  const code = answer && codeOf(answer);
  if (code === METHOD_NOT_FOUND || code === METHOD_NOT_SUPPORTED) return { kind: 'method', reason };
  if (fault?.outcome === 'refused' || fault?.outcome === 'unsupported') return { kind: 'method', reason };
  if (fault?.outcome === 'timeout') return { kind: 'slow', reason };
  // The chain answered, and not with logs.
  if (fault === undefined && answer !== undefined && !causes.some((cause) => cause instanceof AppError)) {
    return { kind: 'range', reason };
  }
  const isRange = answer !== undefined && RANGE_WORDS.test(reason) && !RATE_WORDS.test(reason);
  return { kind: isRange ? 'range' : 'away', reason };
};
