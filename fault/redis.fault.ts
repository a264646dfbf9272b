import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll } from 'vitest';
import { freePort } from '../test/support/castellan.js';
import { delay } from '../test/support/delay.js';
import { testFault } from './provoke.js';

const LASTS_MS = 5_000;
const port = await freePort();
const start = () =>
  spawn('redis-server', ['--port', String(port), '--save', '', '--appendonly', 'no'], { stdio: 'ignore' });
let redis: ReturnType<typeof start>;
beforeAll(() => {
  redis = start();
});
const kill = async (): Promise<void> => {
  const ended = once(redis, 'exit');
  redis.kill('SIGKILL');
  await ended;
};
afterAll(kill);

testFault({
  title: 'Redis, which counts the requests of keys, is killed, and started again after five seconds',
  times: 10,
  plan: { environment: { CASTELLAN_RATE_LIMIT_STORE: 'redis', REDIS_URL: `redis://127.0.0.1:${port}` } },
  provoke: async () => {
    await kill();
    await delay(LASTS_MS);
    redis = start();
  },
});
