import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { expect } from 'vitest';
import type { Database } from '../../src/db/database.js';
import { openPostgres } from '../../src/db/postgres.js';
import { fromUnixMs } from '../../src/protocol/time.js';
import type { Signed } from '../../src/sample/signed-message.js';
import { type Castellan, freePort, type TestWorkspace } from './castellan.js';
import { until } from './hub-fixture.js';
import { openTestIngest } from './ingest.js';
import { type Seeded, seedBasics } from './seed.js';

/** A response, or the code of the error that broke its connection. */
export interface Outcome {
  readonly status: number | string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read members of whatever came
  readonly body: any;
}

/** A service of several processes on its own database with the accounts of `seedBasics`. */
export interface WorkerService {
  readonly process: Castellan;
  readonly environment: Record<string, string>;
  readonly db: Database;
  readonly seeded: Seeded;
  /** Sends a request over a connection of its own, or over that of an agent. */
  send(method: string, path: string, body?: object | Uint8Array, agent?: Agent): Promise<Outcome>;
  /** Writes a cast of now, or a reply, through any worker. @returns its hash */
  cast(text: string, agent?: Agent, parent?: Signed): Promise<Outcome & { readonly hash: string }>;
  /** @returns ids of the processes with this role */
  pids(role: string): number[];
  metrics(): Promise<string>;
  close(): Promise<void>;
}

export const startWorkers = async (
  workspace: TestWorkspace,
  more: Record<string, string> = {},
): Promise<WorkerService> => {
  const store = await workspace.migratedStore();
  const db = openPostgres({ url: store.DATABASE_URL as string, poolSize: 4 });
  const seeded = await seedBasics((items) => openTestIngest(db).submit(items, { source: 'sample', announce: false }));
  const [port, metricsPort] = [await freePort(), await freePort()];
  const key = randomBytes(24).toString('hex');
  const environment = {
    ...store,
    PORT: String(port),
    CASTELLAN_METRICS_PORT: String(metricsPort),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    CASTELLAN_MASTER_KEY: randomBytes(32).toString('hex'),
    CASTELLAN_API_KEY: key,
    CASTELLAN_RATE_LIMIT_PER_MINUTE: '0',
    CASTELLAN_CRAWL: '0',
    // Four processes, beside those of other tests, share the connections that the server allows.
    CASTELLAN_DATABASE_POOL_SIZE: '4',
    ...more,
  };
  const program = workspace.start(['serve', '--workers', '2'], environment);
  await program.shows('"msg":"ready"');

  const send: WorkerService['send'] = (method, path, body, agent) =>
    new Promise((resolve) => {
      const type = body instanceof Uint8Array ? 'application/octet-stream' : 'application/json';
      const bytes = body instanceof Uint8Array ? body : body && Buffer.from(JSON.stringify(body));
      // Node gives the body of a DELETE no length by itself.
      const headers = { 'x-api-key': key, ...(bytes && { 'content-type': type, 'content-length': bytes.length }) };
      const failed = (error: NodeJS.ErrnoException) =>
        resolve({ status: error.code ?? error.message, body: undefined });
      const sent = request({ port, host: '127.0.0.1', method, path, headers, agent: agent ?? false }, (response) => {
        let text = '';
        response.on('data', (data) => {
          text += data;
        });
        response.on('error', failed);
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text && JSON.parse(text) }));
      });
      sent.on('error', failed);
      sent.end(bytes);
    });
  return {
    process: program,
    environment,
    db,
    seeded,
    send,
    cast: async (text, agent, parent) => {
      const cast = seeded.grace.cast({ text, at: fromUnixMs(Date.now()), ...(parent && { parent }) });
      const outcome = await send('POST', '/v1/submitMessage', cast.wire, agent);
      return { ...outcome, hash: `0x${Buffer.from(cast.hash).toString('hex')}` };
    },
    pids: (role) => processesOf(program.child.pid as number, role),
    metrics: async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text(),
    close: async () => {
      await db.close();
    },
  };
};

/** @returns the children of a process that were started with this role */
const processesOf = (parent: number, role: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        const ppid = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
        const isRole = readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`\0CASTELLAN_ROLE=${role}\0`);
        return ppid === parent && isRole;
      } catch {
        // It ended meanwhile.
        return false;
      }
    });

const socketsOf = (pid: number): number =>
  readdirSync(`/proc/${pid}/fd`).filter((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`).startsWith('socket:');
    } catch {
      // It was closed meanwhile.
      return false;
    }
  }).length;

/** @returns agents with a connection each, some of them to each of the workers */
export const connectToEach = async (service: WorkerService): Promise<Agent[]> => {
  const workers = service.pids('api');
  const before = workers.map(socketsOf);
  const agents: Agent[] = [];
  await until(async () => {
    const more = Array.from({ length: 6 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    agents.push(...more);
    await Promise.all(more.map((agent) => service.send('GET', '/health/live', undefined, agent)));
    for (const [index, pid] of workers.entries()) expect(socketsOf(pid) - (before[index] as number)).toBeGreaterThan(1);
  });
  return agents;
};

/** A client that keeps its connection, so that all its requests go to one worker as long as that one runs. */
export interface LoadClient {
  readonly failures: string[];
  readonly stored: string[];
  readonly requests: number;
}

/** Reads and writes over several connections, some to each worker, until `stop` is called. */
export const startLoad = async (service: WorkerService) => {
  let isOver = false;
  const clients = (await connectToEach(service)).map((agent) => {
    return { failures: [] as string[], stored: [] as string[], requests: 0, agent };
  });
  const work = async (client: (typeof clients)[number], place: number): Promise<void> => {
    for (let turn = 0; !isOver; turn++) {
      client.requests++;
      const isWrite = (turn + place) % 4 === 0;
      const outcome: Outcome & { readonly hash?: string } = isWrite
        ? await service.cast(`load ${place} ${turn}`, client.agent)
        : await service.send('GET', '/v2/social/feed/user/casts/?fid=8&limit=5', undefined, client.agent);
      if (outcome.status !== 200) client.failures.push(String(outcome.status));
      else if (outcome.hash) client.stored.push(outcome.hash);
    }
    client.agent.destroy();
  };
  const working = clients.map(work);
  return {
    clients: clients as readonly LoadClient[],
    /** Takes the failures since the last call, one list for each client. */
    takeFailures: (): string[][] => clients.map((client) => client.failures.splice(0)),
    stop: async () => {
      isOver = true;
      await Promise.all(working);
    },
  };
};

/** Every message that was acknowledged was stored, which the log of events knows even of those that others have pushed out. */
export const expectStored = async (service: WorkerService, clients: readonly LoadClient[]): Promise<void> => {
  const hashes = clients.flatMap(({ stored }) => stored.map((hash) => Buffer.from(hash.slice(2), 'hex')));
  const [row] = await service.db.run<{ n: number }>(
    `select count(*)::int as n from unnest($1::bytea[]) as wanted (hash)
      where exists (select from hub_event where position(wanted.hash in body) > 0)`,
    [hashes],
  );
  expect(row?.n).toBe(new Set(hashes.map((hash) => hash.toString('hex'))).size);
};

/** Kills a process of a service, and waits until its successor has started. */
export const killAndAwait = async (service: WorkerService, pid: number): Promise<void> => {
  const started = () => service.process.out().split('"worker ready"').length;
  const before = started();
  process.kill(pid, 'SIGKILL');
  await until(() => started() > before, 90_000);
};
