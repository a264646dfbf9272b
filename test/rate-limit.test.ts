import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../src/db/open-database.js';
import { createLog } from '../src/log.js';
import { deleteEndedRateLimits, upsertRateLimits } from '../src/store/access/rate-limit.js';
import { keyWith, startSecondService } from './support/app.js';
import { runJob } from './support/job.js';
import { type Network, startNetwork } from './support/network.js';
import { hasRedis, redisUrl } from './support/redis.js';
import { startTcpProxy, type TcpProxy } from './support/tcp-proxy.js';

const onServer = process.env.TEST_DATABASE_URL !== undefined;
/** Costs no units and reads little. */
const PATH = '/v2/social/user/bulk/?fids=1';
const OTHER = '/v2/social/casts/?casts=0x0000000000000000000000000000000000000001';
const THIRD = '/v2/social/ban/list/';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

interface Line {
  readonly level: number;
  readonly msg: string;
}

const start = async (environment: Record<string, string>, clock?: () => number) => {
  const lines: Line[] = [];
  const log = createLog('info', { write: (line) => lines.push(JSON.parse(line)) });
  const network = await startNetwork(environment, log, { ...(clock && { clock }), timings: { rateLimitMs: 100 } });
  ends.push(network.stop);
  return { network, lines: () => lines.filter(({ msg }) => msg.includes('counts of the rate limits')) };
};

type Get = (path: string) => Promise<{ readonly status: number }>;

/** @returns how many of so many concurrent requests to each service are admitted */
const passed = async (times: number, ...gets: Get[]): Promise<number> => {
  const all = gets.flatMap((get) => Array.from({ length: times }, () => get(PATH)));
  return (await Promise.all(all)).filter(({ status }) => status !== 429).length;
};

const startSecond = async (network: Network) => {
  const second = await startSecondService(network);
  ends.push(second.stop);
  return second;
};

/** Two processes admit a limit of 60 together, and no more once each has reported to the store. */
const knowEachOther = async (one: { get: Get }, other: { get: Get }) => {
  expect(await passed(40, one.get)).toBe(40);
  await expect.poll(async () => [await passed(1, other.get), await passed(1, one.get)]).toEqual([0, 0]);
  const total = await passed(100, one.get, other.get);
  expect(total).toBe(0);
};

describe('one process', () => {
  test('admits exactly the limit of 200 concurrent requests, and tells the others when to retry', async () => {
    const { network } = await start({ CASTELLAN_RATE_LIMIT_PER_MINUTE: '50' });
    const answers = await Promise.all(Array.from({ length: 200 }, () => network.get(PATH)));
    const through = answers.filter(({ status }) => status === 200);
    expect(through).toHaveLength(50);
    const rests = through.map(({ headers }) => Number(/remaining=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]));
    expect(new Set(rests)).toEqual(new Set(Array.from({ length: 50 }, (_, rest) => rest)));
    for (const { status, headers, body } of answers.filter((one) => one.status !== 200)) {
      expect([status, body.code]).toEqual([429, 'TooManyRequests']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
      expect(headers.get('ratelimit')).toMatch(/^limit=50, remaining=0, reset=\d+$/);
    }
    expect((await network.get(OTHER)).status).toBe(200);
  });

  test('requests that lack the scope count too', async () => {
    const { network } = await start({ CASTELLAN_RATE_LIMIT_PER_MINUTE: '3' });
    const key = await keyWith(network, 'read');
    const answers = [];
    for (let n = 0; n < 5; n++) answers.push((await network.get('/portal/organization/billing', key)).status);
    expect(answers).toEqual([403, 403, 403, 429, 429]);
  });

  test('the limit is that of the plan, and a change of the plan applies when the key is read again', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'castellan-plans-'));
    ends.push(() => rm(folder, { recursive: true }));
    const plan = (id: string, requestsPerMinute: number | null) => ({
      id,
      name: id,
      category: 'API',
      tier: id,
      priceCents: 0,
      units: null,
      requestsPerMinute,
      webhooks: null,
      apps: null,
    });
    const file = join(folder, 'plans.json');
    await writeFile(file, JSON.stringify({ plans: [plan('small', 5), plan('big', 12), plan('endless', null)] }));
    let now = Date.now();
    const environment = {
      CASTELLAN_RATE_LIMIT_PER_MINUTE: '',
      CASTELLAN_PLANS_FILE: file,
      CASTELLAN_DEFAULT_PLAN: 'small',
    };
    const { network } = await start(environment, () => now);
    const subscribe = (id: string) => network.sql('update subscription set plan_id = $1', [id]);
    expect(await passed(20, network.get)).toBe(5);
    await subscribe('big');
    now += 1_000;
    expect(await passed(20, network.get)).toBe(7);
    expect((await network.get(PATH)).headers.get('ratelimit')).toMatch(/^limit=12, /);
    await subscribe('endless');
    now += 1_000;
    const free = await network.get(PATH);
    expect([free.status, free.headers.get('ratelimit')]).toEqual([200, null]);
    await subscribe('small');
    now += 1_000;
    const refused = await network.get(PATH);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('ratelimit')).toMatch(/^limit=5, /);
  });
});

describe.skipIf(!onServer)('processes on one PostgreSQL server', () => {
  test("know of each other's requests after a second", async () => {
    const { network, lines } = await start({ CASTELLAN_RATE_LIMIT_PER_MINUTE: '60' });
    const second = await startSecond(network);
    await knowEachOther(network, second);
    expect(lines()).toEqual([]);
  });

  test('without the table each process limits alone, and logs it once', async () => {
    const { network, lines } = await start({ CASTELLAN_RATE_LIMIT_PER_MINUTE: '20' });
    expect(await passed(5, network.get)).toBe(5);
    await network.sql('alter table rate_limit rename to gone');
    expect(await passed(40, network.get)).toBe(15);
    const others = await Promise.all(Array.from({ length: 30 }, () => network.get(OTHER)));
    expect(others.filter(({ status }) => status === 200)).toHaveLength(20);
    await expect.poll(() => lines().map(({ level }) => level)).toEqual([40]);
    await network.sql('alter table gone rename to rate_limit');
    await expect.poll(() => lines().map(({ level }) => level)).toEqual([40, 30]);
    await network.get(THIRD);
    const rows = () => network.sql("select 1 from rate_limit where key like '% fetch-ban-list'");
    await expect.poll(rows).toHaveLength(1);
  });

  test('that add to the same counts in different orders, while others are deleted, do not deadlock', async () => {
    const { network } = await start({});
    const { db } = network.app.core;
    const other = await openDatabase(network.config);
    ends.push(() => other.close());
    const now = Date.now();
    const added = Array.from({ length: 500 }, (_, index) => ({ key: `key ${index}`, points: 2 }));
    const counted = await upsertRateLimits(db, added, { now, windowMs: 1000 });
    expect(new Set(counted.map(({ points, expire }) => `${points} until ${expire - now}`))).toEqual(
      new Set(['2 until 1000']),
    );
    for (let round = 0; round < 20; round++) {
      await Promise.all([
        upsertRateLimits(db, added, { now, windowMs: 1000 }),
        upsertRateLimits(other, added.toReversed(), { now, windowMs: 1000 }),
        db.transaction((session) => deleteEndedRateLimits(session, new Date(now + (round === 0 ? 0 : 2000)))),
      ]);
    }
    // Counts that ended begin at 0 again.
    const later = await upsertRateLimits(other, added, { now: now + 1000, windowMs: 1000 });
    expect(new Set(later.map(({ points, expire }) => `${points} until ${expire - now}`))).toEqual(
      new Set(['2 until 2000']),
    );
  });

  test('counts that ended are deleted by a job', async () => {
    const { network } = await start({ CASTELLAN_RATE_LIMIT_PER_MINUTE: '20' });
    await network.get(PATH);
    const expireOf = async () => (await network.sql<{ expire: number }>('select expire from rate_limit'))[0]?.expire;
    await expect.poll(expireOf).toBeGreaterThan(Date.now());
    await network.sql('update rate_limit set expire = expire - 180000');
    await runJob(network, 'forget-rate-limits');
    expect(await network.sql('select 1 from rate_limit')).toEqual([]);
  });
});

describe.skipIf(!hasRedis)('with Redis', () => {
  const { hostname, port, password, username } = new URL(redisUrl);
  const keysOf = async (network: Network): Promise<string[]> => {
    const redis = new Redis(redisUrl);
    try {
      const rows = await network.sql<{ id: string }>('select id from api_key');
      return (await Promise.all(rows.map(({ id }) => redis.keys(`castellan:rate:${id}*`)))).flat();
    } finally {
      redis.disconnect();
    }
  };
  const startBehindProxy = async (environment: Record<string, string>) => {
    const relay: TcpProxy = await startTcpProxy({ host: hostname, port: Number(port || 6379) });
    ends.push(relay.stop);
    const url = Object.assign(new URL(`redis://127.0.0.1:${relay.port}`), { password, username }).href;
    return { relay, ...(await start({ REDIS_URL: url, ...environment })) };
  };

  test('requests are counted there, for a minute', async () => {
    const { network, lines } = await start({ REDIS_URL: redisUrl, CASTELLAN_RATE_LIMIT_PER_MINUTE: '50' });
    expect(await passed(200, network.get)).toBe(50);
    await expect.poll(() => keysOf(network)).toHaveLength(1);
    expect(lines()).toEqual([]);
  });

  test.skipIf(!onServer)("processes know of each other's requests after a second", async () => {
    const { network } = await start({ REDIS_URL: redisUrl, CASTELLAN_RATE_LIMIT_PER_MINUTE: '60' });
    const second = await startSecond(network);
    await knowEachOther(network, second);
    expect(await network.sql('select 1 from rate_limit')).toEqual([]);
  });

  test('without a connection each process limits alone, and counts there again once it is back', async () => {
    const { relay, network, lines } = await startBehindProxy({ CASTELLAN_RATE_LIMIT_PER_MINUTE: '20' });
    expect(await passed(5, network.get)).toBe(5);
    relay.cut();
    expect(await passed(40, network.get)).toBe(15);
    expect((await network.get(OTHER)).status).toBe(200);
    await expect.poll(() => lines().map(({ level }) => level)).toEqual([40]);
    relay.restore();
    await expect.poll(() => lines().map(({ level }) => level)).toEqual([40, 30]);
    const before = await keysOf(network);
    await network.get(THIRD);
    await expect.poll(async () => (await keysOf(network)).length).toBe(before.length + 1);
  });

  test('a server that does not respond delays no request', async () => {
    const { relay, network, lines } = await startBehindProxy({ CASTELLAN_RATE_LIMIT_PER_MINUTE: '20' });
    expect((await network.get(PATH)).status).toBe(200);
    relay.hold();
    const before = performance.now();
    expect((await network.get(OTHER)).status).toBe(200);
    expect(performance.now() - before).toBeLessThan(1000);
    await expect.poll(() => lines().map(({ level }) => level)).toEqual([40]);
  });

  test('the service starts while the server is unavailable', async () => {
    const { network, lines } = await start({ REDIS_URL: 'redis://127.0.0.1:1', CASTELLAN_RATE_LIMIT_PER_MINUTE: '20' });
    expect(await passed(40, network.get)).toBe(20);
    await expect.poll(() => lines().map(({ level }) => level)).toEqual([40]);
  });
});
