import { AppError } from '../error.js';
import type { Caller } from './caller.js';
import type { RateCount } from './rate-count.js';
import { type Allowance, RateWindow, WINDOW_MS } from './rate-window.js';

/** Requests a minute that come without a key, of each address to each operation that limits them. */
const ADDRESS_LIMIT = 600;

/** An allowance is there at once unless the counts that processes share must be asked; undefined: nothing is limited. */
export type Taken = Allowance | Promise<Allowance> | undefined;

export interface RateLimiter {
  /** Counts one request of a key to an operation against the plan of its organization. */
  takeOfKey(caller: Pick<Caller, 'keyId' | 'planId'>, operationId: string): Taken;
  /** Counts one request without a key to an operation. */
  takeOfAddress(address: string, operationId: string): Taken;
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
  const windows = new Map<string, RateWindow>();
  let sweepAt = clock() + WINDOW_MS;

  const sweep = (now: number): void => {
    sweepAt = now + WINDOW_MS;
    for (const [key, window] of windows) if (window.isOver(now)) windows.delete(key);
  };
  const take = (who: string, operationId: string, limit: number | null): Taken => {
    if (limit === null) return undefined;
    const now = clock();
    if (now >= sweepAt) sweep(now);
    const key = `${who} ${operationId}`;
    let window = windows.get(key);
    if (window === undefined) {
      window = new RateWindow(async (points) => count?.add(key, points), clock);
      windows.set(key, window);
    }
    return window.take(limit);
  };
  return {
    takeOfKey: ({ keyId, planId }, operationId) =>
      take(keyId, operationId, fixed === undefined ? planLimit(planId) : fixed),
    takeOfAddress: (address, operationId) =>
      take(`address ${address}`, operationId, fixed === undefined ? ADDRESS_LIMIT : fixed),
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
