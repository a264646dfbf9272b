import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Caller } from '../../access/caller.js';
import { AppError } from '../../error.js';
import { type SharedRateStore, WINDOW_SECONDS } from './shared-store.js';

/** Requests a minute without an API key, for each address and each operation that limits addresses. */
const ADDRESS_LIMIT = 600;
const REPORT_MS = 1000;

/** Content of the response header `RateLimit`. */
export interface Allowance {
  /** Requests per window. */
  readonly limit: number;
  /** Requests left, by the last known count of all processes. */
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly resetSeconds: number;
  /** Whether this request exceeds the limit. */
  readonly exceeded: boolean;
}

/** undefined: no limit. */
export type RateLimitResult = Promise<Allowance> | undefined;

/** Admitted requests of one key to one operation that were not reported to the shared store yet. */
interface Unreported {
  points: number;
  /** End of their window in Unix milliseconds, after which they would count in the next window. */
  readonly endsAt: number;
}

/** Limits of all reads without a key together, in requests a minute. */
export interface KeylessReadLimits {
  readonly perAddress: number;
  /** For all addresses. */
  readonly total: number;
}

interface RateLimitOptions {
  readonly keylessReads: KeylessReadLimits;
  /** Requests a minute, regardless of the plan; 0: no limit. undefined: the plan decides. */
  readonly perMinute?: number | undefined;
  /** @returns requests a minute of a plan; null: no limit */
  readonly planLimit: (planId: string | null) => number | null;
  /** Counts shared between processes; undefined: this process counts alone. */
  readonly store?: SharedRateStore | undefined;
  /** Milliseconds between two reports to the store; a second unless given. */
  readonly reportMs?: number | undefined;
  /** Called when the store fails, and with undefined when it works again. */
  readonly storeFailed?: (error: unknown) => void;
}

/**
 * Limits the requests a minute of each key to each operation. Requests are counted in memory. Each second the admitted
 * ones are added to the shared store, and its sums replace the counts in memory, so several processes together may
 * exceed a limit by what they admit in one second (docs/decisions/0036-rate-limit.md).
 */
export const createRateLimiter = ({
  keylessReads,
  perMinute,
  planLimit,
  store,
  reportMs = REPORT_MS,
  storeFailed = () => undefined,
}: RateLimitOptions) => {
  const fixed = perMinute === 0 ? null : perMinute;
  // One count for all limits, because the plan of a key may change within a window.
  const counts = new RateLimiterMemory({ keyPrefix: '', points: Number.MAX_SAFE_INTEGER, duration: WINDOW_SECONDS });
  const unreported = new Map<string, Unreported>();
  let isReporting = false;
  let isFailing = false;

  const noteAdmitted = (key: string, msBeforeNext: number): void => {
    const entry = unreported.get(key);
    const now = Date.now();
    if (entry !== undefined && entry.endsAt > now) entry.points++;
    else unreported.set(key, { points: 1, endsAt: now + msBeforeNext });
  };

  const consume = async (key: string, limit: number): Promise<Allowance> => {
    const { consumedPoints, msBeforeNext } = await counts.consume(key);
    const exceeded = consumedPoints > limit;
    // Rejected requests are not counted, so a larger plan admits the next request in the same window.
    if (exceeded) void counts.reward(key);
    else if (store !== undefined) noteAdmitted(key, msBeforeNext);
    return {
      limit,
      remaining: Math.max(0, limit - consumedPoints),
      resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
      exceeded,
    };
  };

  /** @returns whether there was anything to report */
  const report = async ({ add }: SharedRateStore): Promise<boolean> => {
    const now = Date.now();
    for (const [key, { endsAt }] of unreported) if (endsAt <= now) unreported.delete(key);
    if (unreported.size === 0) return false;
    const sent = new Map([...unreported].map(([key, entry]) => [key, { entry, points: entry.points }]));
    const sums = await add([...sent].map(([key, { points }]) => ({ key, points })));
    for (const { key, points, endsInMs } of sums) {
      const reported = sent.get(key);
      // The key may have another entry by now, for the next window.
      if (reported === undefined || unreported.get(key) !== reported.entry) continue;
      reported.entry.points -= reported.points;
      if (reported.entry.points === 0) unreported.delete(key);
      if (endsInMs > 0) await counts.set(key, points + reported.entry.points, endsInMs / 1000);
    }
    return true;
  };

  const reportOnce = async (shared: SharedRateStore): Promise<void> => {
    if (isReporting) return;
    isReporting = true;
    try {
      if ((await report(shared)) && isFailing) {
        isFailing = false;
        storeFailed(undefined);
      }
    } catch (error) {
      if (!isFailing) storeFailed(error);
      isFailing = true;
    }
    isReporting = false;
  };
  const timer = store && setInterval(() => void reportOnce(store), reportMs).unref();

  const limitOperation = (operationId: string) => {
    const take = (subject: string, limit: number | null): RateLimitResult =>
      limit === null ? undefined : consume(`${subject} ${operationId}`, limit);
    return {
      /** Counts one request of a key against the plan of its organization. */
      consumeForKey: ({ keyId, planId }: Pick<Caller, 'keyId' | 'planId'>) =>
        take(keyId, fixed === undefined ? planLimit(planId) : fixed),
      /** Counts one request without a key. */
      consumeForAddress: (address: string) => take(`address ${address}`, fixed === undefined ? ADDRESS_LIMIT : fixed),
    };
  };
  /** Counts one read without a key, of any operation. */
  const consumeForKeylessRead = async (address: string): Promise<Allowance> => {
    const own = await consume(`address ${address}`, keylessReads.perAddress);
    if (own.exceeded) return own;
    const all = await consume('addresses', keylessReads.total);
    return all.exceeded ? all : own;
  };
  /** Counts one read of a page with the id of an app, of any operation and app. */
  const consumeForPage = (address: string): Promise<Allowance> =>
    consume(`page at ${address}`, keylessReads.perAddress);
  /** `close` stops reporting to the shared store. */
  return { of: limitOperation, consumeForKeylessRead, consumeForPage, close: () => clearInterval(timer) };
};
export type RateLimiter = ReturnType<typeof createRateLimiter>;

export const tooManyRequests = ({ limit, resetSeconds }: Allowance): AppError =>
  new AppError(
    'too_many',
    'TooManyRequests',
    `This operation may be called ${limit} times a minute. Try again in ${resetSeconds} s.`,
    { retryAfter: resetSeconds },
  );

export const tooManyKeylessReads = ({ limit, resetSeconds }: Allowance): AppError =>
  new AppError(
    'too_many',
    'TooManyRequests',
    `Without an API key, ${limit} requests a minute are answered. Try again in ${resetSeconds} s, or send a key.`,
    { retryAfter: resetSeconds },
  );
