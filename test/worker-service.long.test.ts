import type { Agent } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { castellan, freePort, TestWorkspace } from './support/castellan.js';
import {
  connectToEach,
  expectStored,
  killAndAwait,
  type LoadClient,
  startLoad,
  startWorkers,
  type WorkerService,
} from './support/workers.js';

// Each process takes some seconds to start on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const FEED = '/v2/social/feed/user/casts/?fid=8&limit=50';

test('several workers need a PostgreSQL server, and the program says so', async () => {
  const run = await castellan(['serve', '--workers', '2'], { PUBLIC_URL: 'http://127.0.0.1' });
  expect(run.code).toBe(2);
  expect(run.err).toContain('CASTELLAN_WORKERS: is 2, but the embedded database serves one process.');
});

// Real processes, which only a server lets share a database.
describe.runIf(process.env.TEST_DATABASE_URL)('a service of two workers', () => {
  const workspace = new TestWorkspace();
  let service: WorkerService;
  beforeAll(async () => {
    service = await startWorkers(workspace);
  });
  afterAll(async () => {
    await service?.close();
    await workspace.clear();
  });

  test('has a process for each of its roles', () => {
    expect(service.pids('api')).toHaveLength(2);
    expect(service.pids('job')).toHaveLength(1);
    // Without a hub there is nothing to follow.
    expect(service.pids('ingest')).toHaveLength(0);
  });

  test('a cast is read at once through each worker', async () => {
    const agents = await connectToEach(service);
    const texts = async (agent: Agent) =>
      (await service.send('GET', FEED, undefined, agent)).body.casts.map(({ text }: { text: string }) => text);
    for (let round = 0; round < 40; round++) {
      expect((await service.cast(`round ${round}`, agents[round % agents.length])).status).toBe(200);
      for (const agent of agents) expect(await texts(agent)).toContain(`round ${round}`);
    }
    for (const agent of agents) agent.destroy();
  });

  test('a reply is counted at once in the cached cast of each worker', async () => {
    const agents = await connectToEach(service);
    const cast = service.seeded.casts.hello;
    const path = `/v2/social/casts/?casts=0x${Buffer.from(cast.hash).toString('hex')}`;
    const countOf = async (agent: Agent): Promise<number> =>
      (await service.send('GET', path, undefined, agent)).body.result.casts[0].replies.count;
    const before = await countOf(agents[0] as Agent);
    for (let round = 1; round <= 20; round++) {
      expect((await service.cast(`reply ${round}`, agents[round % agents.length], cast)).status).toBe(200);
      for (const agent of agents) expect(await countOf(agent), `round ${round}`).toBe(before + round);
    }
    for (const agent of agents) agent.destroy();
  });

  test('a mute is read at once through each worker, and so is its end', async () => {
    const agents = await connectToEach(service);
    const muted = async (agent: Agent) =>
      (await service.send('GET', '/v2/social/mute/list/?fid=2', undefined, agent)).body.mutes.length;
    for (let round = 0; round < 20; round++) {
      for (const [method, length] of [
        ['POST', 1],
        ['DELETE', 0],
      ] as const) {
        const body = { fid: 2, muted_fid: 3 };
        expect((await service.send(method, '/v2/social/mute/', body, agents[round % agents.length])).status).toBe(200);
        for (const agent of agents) expect(await muted(agent)).toBe(length);
      }
    }
    for (const agent of agents) agent.destroy();
  });

  test('the metrics are those of all workers together', async () => {
    const count = async () => {
      const line = /castellan_request_duration_seconds_count\{operation="fetch-bulk-users",status="200"\} (\d+)/;
      return Number(line.exec(await service.metrics())?.[1] ?? 0);
    };
    expect(await count()).toBe(0);
    for (let n = 0; n < 10; n++) expect((await service.send('GET', '/v2/social/user/bulk/?fids=2')).status).toBe(200);
    expect(await count()).toBe(10);
    expect(await service.metrics()).toMatch(/^castellan_workers 3$/m);
  });

  test('a write does not wait for a process that answers no requests', async () => {
    const [job] = service.pids('job') as [number];
    process.kill(job, 'SIGSTOP');
    try {
      const times: number[] = [];
      for (let n = 0; n < 10; n++) {
        const began = performance.now();
        expect((await service.cast(`while a process is suspended ${n}`)).status).toBe(200);
        times.push(performance.now() - began);
      }
      // A write waits for 250 ms for a worker that does not answer.
      expect(Math.min(...times)).toBeLessThan(250);
    } finally {
      process.kill(job, 'SIGCONT');
    }
  });

  test('under load, killed workers are replaced, only their requests fail, and no count is wrong', async () => {
    const { db, environment } = service;
    const clients: LoadClient[] = [];
    for (let kill = 0; kill < 2; kill++) {
      // Connections do not move to a new worker by themselves.
      const load = await startLoad(service);
      const [victim] = service.pids('api') as [number];
      await killAndAwait(service, victim);
      await load.stop();
      clients.push(...load.clients);
      const lists = load.takeFailures();
      // Each client loses the request in progress at most, and those of the other worker lose none.
      expect(Math.max(...lists.map((list) => list.length))).toBeLessThanOrEqual(1);
      expect(lists.some((list) => list.length === 0)).toBe(true);
      expect(lists.flat().filter((code) => code !== 'ECONNRESET' && code !== 'socket hang up')).toEqual([]);
    }
    const load = await startLoad(service);
    const [job] = service.pids('job') as [number];
    await killAndAwait(service, job);
    expect(load.takeFailures().flat()).toEqual([]);

    await db
      .run(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      )
      .catch(() => undefined);
    const failures: (string | number)[] = [];
    const failuresOfOneSecond = async () => {
      await wait(1_000);
      const lists = load.takeFailures().flat();
      failures.push(...lists);
      return lists;
    };
    await failuresOfOneSecond();
    await expect.poll(failuresOfOneSecond).toEqual([]);
    await load.stop();
    // Statements on broken connections fail, and say so; the next ones do not.
    expect(failures.filter((status) => status !== '503' && status !== '504')).toEqual([]);
    expect(Math.min(...load.clients.map(({ requests }) => requests))).toBeGreaterThan(10);
    await expectStored(service, [...clients, ...load.clients]);

    // Counts of workers that were killed are still in the sums.
    expect(await service.metrics()).toMatch(/operation="fetch-bulk-users",status="200"\} 10$/m);
    const run = await castellan(['audit'], environment);
    expect(run).toMatchObject({ code: 0 });
  });

  test('SIGTERM ends all processes', async () => {
    const pids = [...service.pids('api'), ...service.pids('job')];
    service.process.child.kill('SIGTERM');
    expect((await service.process.ended).code).toBe(0);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  test('a port that is in use is said once, and the service ends', async () => {
    const other = await startWorkers(workspace);
    const again = { ...other.environment, CASTELLAN_METRICS_PORT: String(await freePort()) };
    const run = await castellan(['serve', '--workers', '2'], again);
    expect(run.code).toBe(1);
    expect(run.err.match(/cannot be used: another program listens on it\. Set PORT/g)).toHaveLength(1);
    other.process.child.kill('SIGTERM');
    await other.process.ended;
    await other.close();
  });
});
