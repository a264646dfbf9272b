import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../error.js';

const WINDOW_SECONDS = 60;

/** What stands in the headers `RateLimit-*` of an answer. */
export interface Allowance {
  /** Requests per window. */
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly resetSeconds: number;
  /** Whether this request is one too many. */
  readonly exceeded: boolean;
}

export interface RateLimiter {
  /** Counts one request of a key, or of an address, to an operation. @returns undefined when nothing is limited. */
  take(who: string, operationId: string): Promise<Allowance> | undefined;
}

/**
 * Limits the requests a minute of each key to each operation, in windows that begin with a first request.
 * It counts in the memory of the process: a shared counter would cost each request a write and a round trip to the
 * database, on one contended row for each key. Behind N processes a key gets up to N times its limit.
 * @param perMinute 0 limits nothing.
 */
export const createRateLimiter = (perMinute: number): RateLimiter => {
  if (perMinute === 0) return { take: () => undefined };
  const limiter = new RateLimiterMemory({ points: perMinute, duration: WINDOW_SECONDS });
  const allowance = (result: RateLimiterRes, exceeded: boolean): Allowance => ({
    limit: perMinute,
    remaining: exceeded ? 0 : result.remainingPoints,
    resetSeconds: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
    exceeded,
  });
  return {
    take: (who, operationId) =>
      limiter.consume(`${who} ${operationId}`).then(
        (result) => allowance(result, false),
        (result: unknown) => {
          if (result instanceof RateLimiterRes) return allowance(result, true);
          throw result;
        },
      ),
  };
};

/** @returns the error for a request beyond the allowance. */
export const tooManyRequests = (allowance: Allowance): AppError =>
  new AppError(
    'too_many',
    'TooManyRequests',
    `This operation may be called ${allowance.limit} times a minute. Try again in ${allowance.resetSeconds} s.`,
    { retryAfter: allowance.resetSeconds },
  );
