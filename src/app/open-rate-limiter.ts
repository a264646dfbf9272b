import { createRateLimiter, type RateLimiter } from '../api/limit/rate-limit.js';
import { openSharedRateStore } from '../api/limit/shared-store.js';
import type { Plans } from '../billing/plan/plan.js';
import type { Config } from '../config/config.js';
import type { Database } from '../db/database.js';
import type { Log } from '../log.js';

/** @returns the rate limiter of the configuration, with the store that it shares with other processes */
export const openRateLimiter = async (
  { rateLimit: { perMinute, store: kind }, publicReads }: Pick<Config, 'rateLimit' | 'publicReads'>,
  {
    db,
    plans,
    log,
    reportMs,
  }: { readonly db: Database; readonly plans: Plans; readonly log: Log; readonly reportMs?: number | undefined },
): Promise<RateLimiter> => {
  const store = await openSharedRateStore(kind, db);
  const limiter = createRateLimiter({
    keylessReads: publicReads,
    perMinute,
    reportMs,
    planLimit: (planId) => plans.byId(planId).requestsPerMinute,
    store,
    storeFailed: (err) => {
      if (err === undefined) log.info('the counts of the rate limits are reached again');
      else
        log.warn({ err }, 'the counts of the rate limits are not reached: until they are, this process limits alone');
    },
  });
  return {
    ...limiter,
    close: () => {
      limiter.close();
      store?.close();
    },
  };
};
