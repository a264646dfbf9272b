import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadStoreConfig } from '../src/config/config.js';
import { openDatabase } from '../src/db/open-database.js';
import { buildProgram, type Castellan, freePort, startCastellan } from './support/castellan.js';
import { type Cluster, serverPrograms, startCluster } from './support/cluster.js';
import { FakeHub } from './support/fake-hub.js';
import { authors, expectSame, registration, until } from './support/hub-fixture.js';

/** How often the server is restarted under load; more is a matter of patience, about four seconds each. */
const RESTARTS = Number(process.env.CASTELLAN_TEST_RESTARTS ?? 6);

/** @returns lines that are not the service's own log: what Node prints when an error or a rejection finds nobody. */
const strangeLines = (text: string): string[] => text.split('\n').filter((line) => !/^(\{"level".*\})?$/.test(line));

/** Requests under way at once, so that every connection has something to lose. */
const CALLERS = 12;

describe.skipIf(serverPrograms === undefined)('restarts of PostgreSQL (skipped where no server is installed)', () => {
  const people = authors(41, 42, 43);
  let cluster: Cluster;
  let hub: FakeHub;
  let dataDir: string;
  let environment: Record<string, string>;
  let service: Castellan;

  beforeAll(async () => {
    await buildProgram();
    hub = new FakeHub([1]);
    await hub.start();
    cluster = await startCluster();
    dataDir = await mkdtemp(join(tmpdir(), 'castellan-restart-'));
    environment = {
      CASTELLAN_DATA_DIR: dataDir,
      CASTELLAN_MASTER_KEY: randomBytes(32).toString('hex'),
      CASTELLAN_API_KEY: randomBytes(24).toString('hex'),
      PORT: String(await freePort()),
      CASTELLAN_METRICS_PORT: 'off',
      PUBLIC_URL: 'http://127.0.0.1',
      CASTELLAN_HUB_URL: hub.address.address,
      CASTELLAN_HUB_NETWORK: 'devnet',
      CASTELLAN_VERIFY_THREADS: '1',
      CASTELLAN_LOG_LEVEL: 'error',
      DATABASE_URL: cluster.url,
      CASTELLAN_RATE_LIMIT_PER_MINUTE: '1000000',
      CASTELLAN_RATE_LIMIT_STORE: 'postgres',
    };
  });
  afterAll(async () => {
    service?.child.kill('SIGKILL');
    await service?.ended;
    hub?.stop();
    await cluster?.remove();
    await rm(dataDir, { recursive: true, force: true });
  });

  const ask = async (method: string, path: string, body?: unknown): Promise<number> => {
    const response = await fetch(`http://127.0.0.1:${environment.PORT}${path}`, {
      method,
      headers: { 'x-api-key': environment.CASTELLAN_API_KEY as string, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    await response.arrayBuffer();
    return response.status;
  };

  /** One caller reads and writes until told to stop; what the statuses are matters afterwards only. */
  const call = async (n: number, statuses: Map<number, number>, isOver: () => boolean): Promise<void> => {
    for (let turn = n; !isOver(); turn++) {
      const fid = 1000 + (turn % 50);
      const status = await [
        () => ask('POST', '/v2/social/ban/', { fids: [fid] }),
        () => ask('GET', `/v1/castsByFid?fid=41&pageSize=${1 + (turn % 100)}`),
        () => ask('DELETE', '/v2/social/ban/', { fids: [fid] }),
        () => ask('GET', `/v2/social/user/bulk/?fids=41,42,43,${fid + turn}`),
        () => ask('GET', `/v2/social/cast/search/?q=cast%20${turn}`),
        () => ask('GET', `/v2/social/ban/list/?limit=${1 + (turn % 100)}`),
      ][turn % 6]?.();
      if (status !== undefined) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };

  const serves = async (): Promise<void> =>
    expect([
      await ask('GET', '/health/ready'),
      await ask('POST', '/v2/social/ban/', { fids: [7] }),
      await ask('GET', '/v2/social/ban/list/'),
      await ask('GET', '/v2/social/user/bulk/?fids=41'),
    ]).toEqual([200, 200, 200, 200]);

  test(
    `the service lives through ${RESTARTS} of them under load, loses nothing and serves again`,
    async () => {
      for (const person of people) hub.say(...(await registration(person)));
      service = startCastellan(['serve'], environment);
      await until(serves, 60_000);
      const statuses = new Map<number, number>();
      let isOver = false;
      const callers = Array.from({ length: CALLERS }, (_, n) => call(n, statuses, () => isOver));
      const called = Promise.allSettled(callers);
      const speaking = (async () => {
        for (let n = 0; !isOver; n++) {
          hub.say(...people.map((person) => person.cast({ text: `cast ${n}` })));
          await wait(40);
        }
      })();
      try {
        for (let n = 0; n < RESTARTS && service.child.exitCode === null; n++) {
          await cluster.restart(n % 2 === 0 ? 'immediate' : 'fast');
          // Restarts should meet a service at work, and some of them one that has hardly begun again.
          if (n % 3 === 0) await wait(Math.random() * 500);
          else await until(serves);
        }
      } finally {
        isOver = true;
        const ended = await called;
        await speaking;
        expect(strangeLines(`${service.out()}\n${service.err()}`)).toEqual([]);
        expect(service.child.exitCode).toBeNull();
        expect(ended.map(({ status }) => status)).toEqual(ended.map(() => 'fulfilled'));
      }
      await until(serves, 60_000);
      console.info(`answers during ${RESTARTS} restarts:`, Object.fromEntries(statuses));
      expect([...statuses.keys()].filter((status) => ![200, 503, 504].includes(status))).toEqual([]);
      const db = await openDatabase(loadStoreConfig(environment));
      try {
        await expectSame(db, hub);
      } finally {
        await db.close();
      }
      service.child.kill('SIGTERM');
      expect((await service.ended).code).toBe(0);
    },
    120_000 + RESTARTS * 20_000,
  );
});
