import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserDataType } from '@farcaster/core';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FileItem } from '../src/ingest/file/format.js';
import { openFileWriter } from '../src/ingest/file/write.js';
import type { Author } from '../src/sample/author.js';
import { buildProgram, type Castellan, castellan, freePort, startCastellan } from './support/castellan.js';
import { type Cluster, serverPrograms, startCluster, startStandby } from './support/cluster.js';
import { authors, registration, until } from './support/hub-fixture.js';
import { delayReplay } from './support/replay-delay.js';

/** Milliseconds after which a write through another process must be shown, and a replica that fails be left out. */
const PROMISED_MS = 1_000;
/** Milliseconds that it takes to find that out on a busy machine. */
const NOTICED_MS = 500;

interface Service extends Castellan {
  readonly url: string;
  readonly metricsPort: number;
}

/** A name that was acknowledged: those of a person are numbers that grow. */
interface Acknowledged {
  readonly n: number;
  readonly at: number;
  readonly by: Service;
}

/** Clients that write and read without a pause. */
interface Clients {
  /** How many requests were answered. */
  answered(): number;
  /** Ends them. @returns what was not as promised */
  stop(): Promise<{ readonly stale: readonly string[]; readonly failed: readonly string[] }>;
}

describe.skipIf(serverPrograms === undefined)('reads from replicas (skipped where no server is installed)', () => {
  const people = authors(41, 42, 43, 44);
  const key = randomBytes(24).toString('hex');
  let folder: string;
  let primary: Cluster;
  let replicas: readonly [Cluster, Cluster];
  let environment: Record<string, string>;
  let near: Service;
  let far: Service;
  const services: Service[] = [];

  const serve = async (more: Record<string, string> = {}): Promise<Service> => {
    const [port, metricsPort] = [await freePort(), await freePort()];
    const started = startCastellan(['serve'], {
      ...environment,
      PORT: String(port),
      CASTELLAN_METRICS_PORT: String(metricsPort),
      ...more,
    });
    const service = { ...started, url: `http://127.0.0.1:${port}`, metricsPort };
    services.push(service);
    await until(async () => (await fetch(`${service.url}/health/ready`).catch(() => undefined))?.status === 200);
    return service;
  };

  beforeAll(async () => {
    await buildProgram();
    folder = await mkdtemp(join(tmpdir(), 'castellan-replica-'));
    primary = await startCluster();
    replicas = [await startStandby(primary), await startStandby(primary)];
    environment = {
      CASTELLAN_DATA_DIR: folder,
      CASTELLAN_MASTER_KEY: randomBytes(32).toString('hex'),
      CASTELLAN_API_KEY: key,
      PUBLIC_URL: 'http://127.0.0.1',
      CASTELLAN_HUB_NETWORK: 'devnet',
      CASTELLAN_VERIFY_THREADS: '1',
      CASTELLAN_WORKERS: '1',
      CASTELLAN_LOG_LEVEL: 'info',
      CASTELLAN_RATE_LIMIT_PER_MINUTE: '0',
      CASTELLAN_QUOTA_MODE: 'off',
      DATABASE_URL: primary.url,
      CASTELLAN_READ_URL: replicas.map(({ url }) => url).join(' '),
    };
    const file = join(folder, 'people.jsonl');
    const writer = openFileWriter(file, 'json');
    for (const person of people) for (const item of await registration(person)) await writer.write(item as FileItem);
    await writer.close();
    const imported = await castellan(['import', file], environment);
    expect(imported.code, imported.err).toBe(0);
    near = await serve();
    far = await serve();
  });
  afterAll(async () => {
    for (const { child } of services) child.kill('SIGKILL');
    await Promise.all(services.map(({ ended }) => ended));
    for (const one of replicas ?? []) await one.remove();
    await primary?.remove();
    await rm(folder, { recursive: true, force: true });
  });

  const request = async (service: Service, path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${service.url}${path}`, { ...init, headers: { 'x-api-key': key, ...init.headers } });

  const submit = async (service: Service, wire: Uint8Array): Promise<void> => {
    const headers = { 'content-type': 'application/octet-stream' };
    const response = await request(service, '/v1/submitMessage', { method: 'POST', body: wire, headers });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  };

  const rename = (service: Service, person: Author, n: number): Promise<void> =>
    submit(service, person.userData(UserDataType.DISPLAY, `${n}`).wire);

  const nameOf = async (service: Service, path: string): Promise<number> => {
    const response = await request(service, path);
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${response.status} ${text}`);
    return Number(JSON.parse(text).users[0].display_name);
  };

  const pathOf = ({ fid }: Author): string => `/v2/social/user/bulk/?fids=${fid}`;

  const metrics = async ({ metricsPort }: Service): Promise<string> =>
    (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();

  const metric = async (service: Service, name: string): Promise<number> => {
    const line = (await metrics(service)).split('\n').find((one) => one.startsWith(`${name} `));
    return Number(line?.split(' ')[1] ?? 0);
  };

  const isUsed = async (service: Service, { port }: Cluster): Promise<boolean> =>
    (await metric(service, `castellan_replica_in_use{replica="127.0.0.1:${port}"}`)) === 1;

  const target = async (service: Service, name: string): Promise<number> =>
    metric(service, `castellan_replica_reads_total{target="${name}"}`);

  const usesBoth = async (): Promise<void> => {
    for (const service of [near, far]) for (const one of replicas) expect(await isUsed(service, one)).toBe(true);
  };

  /** @returns milliseconds until the service does not send reads there any more */
  const leftOutAfter = async (service: Service, one: Cluster): Promise<number> => {
    const since = performance.now();
    await until(async () => !(await isUsed(service, one)));
    return performance.now() - since;
  };

  const admin = async (cluster: Cluster, text: string): Promise<void> => {
    const client = new pg.Client({ connectionString: cluster.url });
    await client.connect();
    await client.query(text);
    await client.end();
  };

  test('a service takes replicas into use by itself, and says so', async () => {
    await until(usesBoth);
    const { checks } = (await (await request(near, '/health/ready')).json()) as { checks: Record<string, object> };
    expect(checks.replicas).toEqual({ ok: true, note: '2 of 2 are read from' });
    expect(near.out()).toContain('reads are sent to the replica');
    const doctor = await castellan(['doctor'], environment);
    for (const { port } of replicas) {
      const line = new RegExp(
        `^replica 127.0.0.1:${port} +look +has replayed all but 0.0 MB of the log; hot_standby_feedback`,
        'm',
      );
      expect(doctor.out).toMatch(line);
    }
    expect(doctor.code).toBe(0);
  });

  const delayAll = (): (() => Promise<unknown>) => {
    const ends = replicas.map(({ url }) => delayReplay(url));
    return () => Promise.all(ends.map((end) => end()));
  };

  const readBack = async (from: number, to: number): Promise<string> => {
    const targets = ['primary', ...replicas.map(({ port }) => `127.0.0.1:${port}`)];
    const count = () => Promise.all(targets.map((name) => target(near, name)));
    const before = await count();
    for (let n = from; n <= to; n++) {
      await rename(near, people[0], n);
      expect(await nameOf(near, pathOf(people[0]))).toBe(n);
    }
    return (await count()).map((sum, at) => `${sum - (before[at] as number)} by ${targets[at]}`).join(', ');
  };

  test('a client reads its own writes at once, from replicas', async () => {
    console.info(`statements answered: ${await readBack(1, 200)}`);
    for (const { port } of replicas) expect(await target(near, `127.0.0.1:${port}`)).toBeGreaterThan(0);
  });

  test('also while replicas are late', async () => {
    const end = delayAll();
    console.info(`statements answered while replicas were late: ${await readBack(201, 300).finally(end)}`);
  });

  test('also lists that are not cached', async () => {
    const headers = { 'content-type': 'application/json' };
    const end = delayAll();
    try {
      for (let n = 0; n < 50; n++) {
        const isMuted = n % 2 === 0;
        const body = JSON.stringify({ fid: 42, muted_fid: 43 });
        const written = await request(near, '/v2/social/mute/', { method: isMuted ? 'POST' : 'DELETE', body, headers });
        expect(written.status).toBe(200);
        const listed = (await (await request(near, '/v2/social/mute/list/?fid=42')).json()) as { mutes: unknown[] };
        expect(listed.mutes.length === 1, `list ${n}`).toBe(isMuted);
      }
    } finally {
      await end();
    }
  });

  test('a write through another process is shown within a second', async () => {
    const [, person] = people;
    const delays: number[] = [];
    for (let n = 1; n <= 20; n++) {
      await rename(far, person, n);
      const at = performance.now();
      await until(async () => (await nameOf(near, pathOf(person))) === n);
      delays.push(Math.round(performance.now() - at));
    }
    console.info(`shown by the other process after ${Math.max(...delays)} ms at most`);
    expect(Math.max(...delays)).toBeLessThan(PROMISED_MS + NOTICED_MS);
  });

  /** Renames people through one service or both, and reads them through both. */
  const startClients = (): Clients => {
    const writers: readonly (readonly [Author, (n: number) => Service])[] = [
      [people[1], () => near],
      [people[2], () => far],
      [people[3], (n) => (n % 2 === 0 ? near : far)],
    ];
    const acknowledged = new Map<Author, Acknowledged[]>(writers.map(([person]) => [person, []]));
    const [stale, failed]: [string[], string[]] = [[], []];
    let answered = 0;
    let isOver = false;
    const attempt = async (work: () => Promise<void>): Promise<void> => {
      try {
        await work();
        answered++;
      } catch (error) {
        failed.push((error as Error).message);
      }
    };
    const write = async ([person, serviceOf]: (typeof writers)[number]): Promise<void> => {
      for (let n = 1_000; !isOver; n++) {
        const by = serviceOf(n);
        await attempt(async () => {
          await rename(by, person, n);
          acknowledged.get(person)?.push({ n, at: performance.now(), by });
        });
      }
    };
    const read = async (turn: number): Promise<void> => {
      for (let at = turn; !isOver; at++) {
        const [person] = writers[at % writers.length] as (typeof writers)[number];
        const service = at % 2 === 0 ? near : far;
        const began = performance.now();
        const isKnown = (one: Acknowledged): boolean => one.by === service || one.at < began - PROMISED_MS;
        const least = acknowledged.get(person)?.findLast(isKnown)?.n ?? 0;
        await attempt(async () => {
          const shown = await nameOf(service, `${pathOf(person)}&viewer_fid=${at % 5 === 0 ? 42 : 41}`);
          const by = service === near ? 'near' : 'far';
          if (shown < least) stale.push(`${by} shows ${shown} of ${person.fid}, not ${least}`);
        });
      }
    };
    const running = [...writers.map(write), ...[0, 1, 2, 3].map(read)];
    return {
      answered: () => answered,
      stop: async () => {
        isOver = true;
        await Promise.all(running);
        return { stale, failed };
      },
    };
  };

  test('whatever happens to replicas, no response is older than promised, and no request fails', async () => {
    const [first, second] = replicas;
    await until(usesBoth);
    const clients = startClients();
    const goOn = async (requests: number): Promise<void> => {
      const before = clients.answered();
      await until(() => clients.answered() > before + requests);
    };
    const end = delayAll();
    await goOn(1_000).finally(end);

    await admin(first, 'select pg_wal_replay_pause()');
    const paused = await leftOutAfter(near, first);
    await goOn(500);
    expect(await isUsed(near, second)).toBe(true);
    await admin(first, 'select pg_wal_replay_resume()');
    await until(usesBoth);

    first.kill();
    const killed = await leftOutAfter(near, first);
    await goOn(500);
    await first.start();
    await until(usesBoth);

    for (const one of replicas) one.kill();
    await Promise.all(replicas.map((one) => leftOutAfter(near, one)));
    const before = await target(near, 'primary');
    await goOn(500);
    expect(await target(near, 'primary')).toBeGreaterThan(before);
    for (const one of replicas) await one.start();
    await until(usesBoth);
    await goOn(500);

    const { stale, failed } = await clients.stop();
    console.info(
      [
        `${clients.answered()} requests, ${stale.length} older than promised, ${failed.length} failed`,
        `left out after ${Math.round(paused)} ms when its replay was paused, ${Math.round(killed)} ms when it was killed`,
        ...(await metrics(near)).split('\n').filter((line) => line.startsWith('castellan_replica')),
      ].join('\n'),
    );
    near.child.kill('SIGTERM');
    expect((await near.ended).code).toBe(0);
    expect(stale).toEqual([]);
    expect(failed).toEqual([]);
    expect(Math.max(paused, killed)).toBeLessThan(PROMISED_MS + NOTICED_MS);
  });
});
