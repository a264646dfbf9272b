import { AppError } from '../error.js';
import type { Caller } from '../access/caller.js';
import type { RateCount } from './rate-count.js';
import { type Allowance, RateWindow, WINDOW_MS } from './rate-window.js';

/** Requests a minute that come without a key, of each address to each operation that limits them. */
const ADDRESS_LIMIT = 600;

/** An allowance is there at once unless the counts that processes share must be asked; undefined: nothing is limited. */
export type Taken = Allowance | Promise<Allowance> | undefined;

/** Limits the requests to one operation. */
export interface OperationLimit {
  /** Counts one request of a key against the plan of its organization. */
  takeOfKey(caller: Pick<Caller, 'keyId' | 'planId'>): Taken;
  /** Counts one request without a key. */
  takeOfAddress(address: string): Taken;
}

export interface RateLimiter {
  /** @returns the limit of that operation, the same one for all who ask */
  of(operationId: string): OperationLimit;
}

/**
 * Limits the requests a minute of each key to each operation, in windows that begin with a first request.
 * @param options.perMinute for everybody, whatever the plan; 0 limits nothing. Undefined: the plan decides
 * @param options.planLimit requests a minute of a plan; null: no limit
 * @param options.count what processes count together; undefined: this process counts in its memory
 * @param options.clock milliseconds that never go back
 */
export const createRateLimiter = (options: {
  readonly perMinute?: number | undefined;
  readonly planLimit: (planId: string | null) => number | null;
  readonly count?: Pick<RateCount, 'add'> | undefined;
  readonly clock?: () => number;
}): RateLimiter => {
  const { perMinute, planLimit, count, clock = () => performance.now() } = options;
  const fixed = perMinute === 0 ? null : perMinute;

  const limitOperation = (operationId: string): OperationLimit => {
    const windows = new Map<string, RateWindow>();
    let sweepAt = 0;
    const sweep = (now: number): void => {
      sweepAt = now + WINDOW_MS;
      for (const [who, window] of windows) if (window.isForgotten(now)) windows.delete(who);
    };
    const take = (who: string, limit: number | null): Taken => {
      if (limit === null) return undefined;
      const now = clock();
      if (now >= sweepAt) sweep(now);
      let window = windows.get(who);
      if (window === undefined) {
        window = new RateWindow(
          async (points, isAwaited) => count?.add(`${who} ${operationId}`, points, isAwaited),
          clock,
        );
        windows.set(who, window);
      }
      return window.take(limit, now);
    };
    return {
      takeOfKey: ({ keyId, planId }) => take(keyId, fixed === undefined ? planLimit(planId) : fixed),
      takeOfAddress: (address) => take(`address ${address}`, fixed === undefined ? ADDRESS_LIMIT : fixed),
    };
  };
  const limits = new Map<string, OperationLimit>();
  return {
    of: (operationId) => {
      const known = limits.get(operationId) ?? limitOperation(operationId);
      limits.set(operationId, known);
      return known;
    },
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
