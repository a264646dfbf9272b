import { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { RateLimitStore } from '../../config/billing.js';
import type { Database } from '../../db/database.js';
import { type RatePoints, upsertRateLimits } from '../../store/access/rate-limit.js';

/** Length of a rate limit window, which begins with a first request. */
export const WINDOW_SECONDS = 60;
const REDIS_TIMEOUT_MS = 2_000;
const MAX_RECONNECT_DELAY_MS = 1_000;

/** Requests of all processes in a window. */
export interface SharedCount {
  readonly key: string;
  readonly points: number;
  /** Milliseconds until the window ends. */
  readonly endsInMs: number;
}

export interface SharedRateStore {
  /**
   * @param added each key once
   * @returns the counts with what was added
   * @throws the store's error; points may have been added then
   */
  add(added: readonly RatePoints[]): Promise<readonly SharedCount[]>;
  close(): void;
}

/** A client whose calls fail at once while its server is unavailable. */
const openRedis = (url: string): Redis => {
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: REDIS_TIMEOUT_MS,
    commandTimeout: REDIS_TIMEOUT_MS,
    retryStrategy: (attempt) => Math.min(100 * attempt, MAX_RECONNECT_DELAY_MS),
  });
  // Every call reports the error; without a listener the client writes it to the console.
  redis.on('error', () => undefined);
  return redis;
};

const postgresStore = (db: Database): SharedRateStore => ({
  add: async (added) => {
    const now = Date.now();
    const sums = await upsertRateLimits(db, added, { now, windowMs: WINDOW_SECONDS * 1000 });
    return sums.map(({ key, points, expire }) => ({ key, points, endsInMs: expire - now }));
  },
  close: () => undefined,
});

const redisStore = (redis: Redis): SharedRateStore => {
  const limiter = new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: 'castellan:rate',
    // Limits depend on the plan, so the store has none.
    points: Number.MAX_SAFE_INTEGER,
    duration: WINDOW_SECONDS,
  });
  return {
    add: (added) =>
      Promise.all(
        added.map(async ({ key, points }) => {
          const { consumedPoints, msBeforeNext } = await limiter.penalty(key, points);
          return { key, points: consumedPoints, endsInMs: msBeforeNext };
        }),
      ),
    close: () => redis.disconnect(),
  };
};

/**
 * Opens the shared store of the counts. The service also starts while a Redis server is unavailable.
 * @returns undefined where processes share no counts
 */
export const openSharedRateStore = async (
  store: RateLimitStore,
  db: Database,
): Promise<SharedRateStore | undefined> => {
  if (store.kind === 'memory') return undefined;
  if (store.kind === 'postgres') return postgresStore(db);
  const redis = openRedis(store.url.reveal());
  // The client keeps reconnecting, and calls report the failure.
  await redis.connect().catch(() => undefined);
  return redisStore(redis);
};
