import { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { RateLimitStore } from '../config/billing.js';
import type { Log } from '../log.js';
import type { Database } from '../store/database.js';
import { type RatePoints, upsertRateLimits } from '../store/access/rate-limit.js';
import { RateBatch } from './rate-batch.js';
import { type Counted, WINDOW_MS } from './rate-window.js';

/** Counts that processes share. */
export interface RateCount {
  /**
   * @param isAwaited false: no request waits for it yet
   * @returns undefined where the count cannot be reached; never rejects
   */
  add(key: string, points: number, isAwaited: boolean): Promise<Counted | undefined>;
  close(): void;
}

/** The library's own limit is out of reach: who is let through is decided here. */
const SHARED = { points: Number.MAX_SAFE_INTEGER, duration: WINDOW_MS / 1000 };
/** A count that takes longer is as good as none. */
const DEADLINE_MS = 2_000;
/** While the store is away it is asked so often whether it is back. */
const PROBE_MS = 1_000;

/** A client whose calls fail at once while its server is away. */
const openRedis = (url: string): Redis => {
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: DEADLINE_MS,
    retryStrategy: (attempt) => Math.min(100 * attempt, PROBE_MS),
  });
  // Every call tells of it; without a listener the client would write to the console.
  redis.on('error', () => undefined);
  return redis;
};

const within = async <T>(work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    // A process that stood still looks first whether the answer has come meanwhile.
    const lapse = () => setImmediate(() => fail(new Error(`no answer within ${DEADLINE_MS} ms`)));
    timer = setTimeout(lapse, DEADLINE_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};

/** What asks the store, and gives up on it. */
interface Insured<Question, Answer> {
  /** @returns undefined where the store cannot be reached; never rejects */
  ask(question: Question): Promise<Answer | undefined>;
  close(): void;
}

/**
 * Keeps requests from waiting for a store that is away: after one failure none of them asks it, until it answers a
 * question that nobody waits for.
 * @param asking may reject
 * @param probe that question
 */
const insure = <Question, Answer>(
  asking: (question: Question) => Promise<Answer>,
  probe: Question,
  log: Log,
): Insured<Question, Answer> => {
  let isAway = false;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const probeLater = (): void => {
    if (!isClosed) timer = setTimeout(tryAgain, PROBE_MS).unref();
  };
  const tryAgain = (): void => {
    within(asking(probe)).then(() => {
      isAway = false;
      log.info('the counts of the rate limits are reached again');
    }, probeLater);
  };
  const failed = (error: unknown): void => {
    if (isAway) return;
    isAway = true;
    log.warn(
      { err: error },
      'the counts of the rate limits are not reached: until they are, this process limits alone',
    );
    probeLater();
  };
  return {
    ask: async (question) => {
      if (isAway) return undefined;
      try {
        return await within(asking(question));
      } catch (error) {
        failed(error);
        return undefined;
      }
    },
    close: () => {
      isClosed = true;
      clearTimeout(timer);
    },
  };
};

const PROBE: RatePoints = { key: 'probe', points: 1 };

const countInPostgres = (db: Database, log: Log): RateCount => {
  const counts = insure<readonly RatePoints[], readonly Counted[]>(
    async (added) => {
      const now = Date.now();
      const sums = await upsertRateLimits(db, added, { now, windowMs: WINDOW_MS });
      const byKey = new Map(sums.map((sum) => [sum.key, sum]));
      return added.map(({ key, points }) => {
        const { points: total, expire } = byKey.get(key) ?? { points, expire: now };
        return { total, endsInMs: expire - now };
      });
    },
    [PROBE],
    log,
  );
  const batch = new RateBatch(counts.ask);
  return {
    add: (key, points, isAwaited) => batch.add(key, points, isAwaited),
    close: () => {
      counts.close();
      batch.close();
    },
  };
};

/**
 * Opens the store of the counts. A Redis server that is away does not keep the service from starting.
 * @returns undefined where processes share none: the process counts in its memory
 */
export const openRateCount = async (
  store: RateLimitStore,
  { db, log }: { readonly db: Database; readonly log: Log },
): Promise<RateCount | undefined> => {
  if (store.kind === 'memory') return undefined;
  if (store.kind === 'postgres') return countInPostgres(db, log);
  const redis = openRedis(store.url.reveal());
  // Calls tell of a failure, and the client goes on trying.
  await redis.connect().catch(() => undefined);
  const limiter = new RateLimiterRedis({ ...SHARED, storeClient: redis, keyPrefix: 'castellan:rate' });
  const counts = insure<RatePoints, Counted>(
    async ({ key, points }) => {
      const { consumedPoints, msBeforeNext } = await limiter.consume(key, points);
      return { total: consumedPoints, endsInMs: msBeforeNext };
    },
    PROBE,
    log,
  );
  return {
    add: (key, points) => counts.ask({ key, points }),
    close: () => {
      counts.close();
      redis.disconnect();
    },
  };
};
