import { Redis } from 'ioredis';

/** The Redis server to test with. */
export const redisUrl = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379';

const answers = async (): Promise<boolean> => {
  const redis = new Redis(redisUrl, { lazyConnect: true, retryStrategy: () => null, connectTimeout: 2_000 });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    await redis.ping();
    return true;
  } catch {
    return false;
  } finally {
    redis.disconnect();
  }
};

/** Tests that need Redis are skipped without one, and say so; where one was named, or in CI, they fail instead. */
export const hasRedis: boolean =
  process.env.TEST_REDIS_URL !== undefined || process.env.CI === 'true' || (await answers());
if (!hasRedis) console.warn(`No Redis answers at ${redisUrl}: tests with Redis are skipped. Set TEST_REDIS_URL.`);
