import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect } from 'vitest';
import { loadStoreConfig } from '../src/config/config.js';
import { openDatabase } from '../src/db/open-database.js';
import { fromUnixMs } from '../src/protocol/time.js';
import { type Castellan, castellan, freePort, startCastellan } from '../test/support/castellan.js';
import { type Cluster, type ClusterOptions, startCluster, startStandby } from '../test/support/cluster.js';
import { delay } from '../test/support/delay.js';
import { FakeHub } from '../test/support/fake-hub.js';
import { authors, expectSame, registration, until } from '../test/support/hub-fixture.js';
import { startTcpProxy, type TcpProxy } from '../test/support/tcp-proxy.js';
import { Load } from './load.js';

/** What a fault needs to be met. */
export interface WorldPlan {
  /** Streaming standbys, of which one confirms each commit; one can be promoted. */
  readonly standbys?: number;
  /** Whether responses are read from the standbys. */
  readonly hasReplicas?: boolean;
  /** One process with all roles, or two that answer requests, two that follow the hub, and one for jobs. */
  readonly processes?: 'one' | 'each role';
  readonly cluster?: ClusterOptions;
  readonly environment?: Readonly<Record<string, string>>;
}

const ROLES = { one: [''], 'each role': ['api', 'api', 'ingest', 'ingest', 'job'] } as const;
const CAST_EACH_MS = 200;
/** Milliseconds in which a service serves again after a fault. */
const RECOVERY_MS = 60_000;

/** @returns lines that are not the service's own log: what Node prints when an error or a rejection finds nobody */
const strangeLines = (text: string): string[] => text.split('\n').filter((line) => !/^(\{"level".*\})?$/.test(line));

/** Runs statements over a connection of its own. @returns the rows of the last one */
// biome-ignore lint/suspicious/noExplicitAny: rows of any statement
const queryOn = async ({ url }: Cluster, ...statements: string[]): Promise<any[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows: unknown[] = [];
    for (const statement of statements) ({ rows } = await client.query(statement));
    return rows;
  } finally {
    await client.end();
  }
};

/** A process of the service, and how it was started. */
export interface Process {
  readonly role: string;
  readonly environment: Record<string, string>;
  run: Castellan;
}

/** A database with its standbys, a hub whose accounts cast, a service that follows it, and clients. */
export class World {
  readonly hubPort: { host: string; port: number };
  readonly load: Load;
  readonly processes: Process[] = [];
  #hub: FakeHub;
  #isSpeaking = true;
  #speaking: Promise<void> | undefined;
  readonly #said: Parameters<FakeHub['say']>[0][] = [];
  readonly people = authors(41, 42, 43);

  constructor(
    readonly primary: Cluster,
    readonly standbys: readonly Cluster[],
    hub: FakeHub,
    /** Between service and hub. */
    readonly hubProxy: TcpProxy,
    hubTarget: { host: string; port: number },
    readonly environment: Record<string, string>,
  ) {
    this.#hub = hub;
    this.hubPort = hubTarget;
    const ports = () =>
      this.processes.filter(({ role }) => role === '' || role === 'api').map((one) => Number(one.environment.PORT));
    this.load = new Load(ports, environment.CASTELLAN_API_KEY as string);
  }

  static async open({
    standbys = 0,
    hasReplicas = false,
    processes = 'one',
    cluster,
    environment = {},
  }: WorldPlan): Promise<World> {
    const primary = await startCluster(undefined, cluster);
    const copies: Cluster[] = [];
    for (let n = 0; n < standbys; n++) copies.push(await startStandby(primary));
    const hub = new FakeHub([1]);
    await hub.start();
    const target = { host: '127.0.0.1', port: hub.port };
    const proxy = await startTcpProxy(target);
    const hosts = [...copies, primary].map(({ host, port }) => `${host}:${port}`).join();
    const world = new World(primary, copies, hub, proxy, target, {
      CASTELLAN_DATA_DIR: await mkdtemp(join(tmpdir(), 'castellan-fault-')),
      CASTELLAN_MASTER_KEY: randomBytes(32).toString('hex'),
      CASTELLAN_API_KEY: randomBytes(24).toString('hex'),
      CASTELLAN_METRICS_PORT: 'off',
      PUBLIC_URL: 'http://127.0.0.1',
      CASTELLAN_HUB_URL: `127.0.0.1:${proxy.port}`,
      CASTELLAN_HUB_NETWORK: 'devnet',
      CASTELLAN_VERIFY_THREADS: '1',
      CASTELLAN_LOG_LEVEL: 'error',
      CASTELLAN_WORKERS: '1',
      CASTELLAN_RATE_LIMIT_PER_MINUTE: '1000000',
      DATABASE_URL: `postgres://postgres@${hosts}/postgres${standbys > 0 ? '?target_session_attrs=read-write' : ''}`,
      ...(hasReplicas && { CASTELLAN_READ_URL: copies.map(({ url }) => url).join(' ') }),
      ...environment,
    });
    if (standbys > 0) await world.requireSynchronous();
    for (const person of world.people) world.say(...(await registration(person)));
    for (const role of ROLES[processes]) {
      await world.start(role);
      // The first one migrates.
      if (world.processes.length === 1) await world.serves(false);
    }
    await world.serves();
    world.#speaking = world.#speak();
    return world;
  }

  /** Starts one more process of the service. */
  async start(role: string): Promise<Process> {
    const environment = {
      ...this.environment,
      PORT: String(await freePort()),
      ...(role && { CASTELLAN_ROLE: role }),
    };
    const process: Process = { role, environment, run: startCastellan(['serve'], environment) };
    this.processes.push(process);
    return process;
  }

  /** Kills a process (`kill -9`), and starts it again as a supervisor would, at the same port. */
  async killAndStart(process: Process): Promise<void> {
    process.run.child.kill('SIGKILL');
    await process.run.ended;
    process.run = startCastellan(['serve'], process.environment);
  }

  get hub(): FakeHub {
    return this.#hub;
  }

  /**
   * Puts another hub into the place of the hub: with the same messages, but other events.
   * @param moreBlocks that its log has; without them it is shorter than that of the hub
   */
  async exchangeHub(moreBlocks: number): Promise<void> {
    const other = new FakeHub([1]);
    await other.start();
    for (let n = 0; n < this.#said.length; n += 7) other.say(...this.#said.slice(n, n + 7));
    for (let n = 0; n < moreBlocks; n++) other.tick();
    const end = this.#hub.headId(1);
    this.#hub.stop();
    this.#hub = other;
    this.hubPort.port = other.port;
    this.hubProxy.restore();
    // Until then it sends nothing, and cannot be caught up with.
    await until(() => other.headId(1) > end);
  }

  /** Runs a statement as the administrator of the primary. */
  async sql(...statements: string[]): Promise<void> {
    await queryOn(this.primary, ...statements);
  }

  /** @returns the standby that has received most of the log, which is the one to promote */
  async furthestStandby(): Promise<Cluster> {
    const received = await Promise.all(
      this.standbys.map(async (standby) => {
        const [row] = await queryOn(standby, "select pg_last_wal_receive_lsn() - '0/0'::pg_lsn as bytes");
        return { standby, bytes: BigInt(row.bytes) };
      }),
    );
    return received.reduce((one, other) => (other.bytes > one.bytes ? other : one)).standby;
  }

  async requireSynchronous(): Promise<void> {
    await this.sql("alter system set synchronous_standby_names = 'ANY 1 (*)'", 'select pg_reload_conf()');
    await until(async () => {
      const sync = "select 1 from pg_stat_replication where sync_state in ('sync', 'quorum')";
      return (await queryOn(this.primary, sync)).length > 0;
    });
  }

  /** @throws what a process said last that ended by itself */
  #expectRunning(): void {
    for (const { role, run } of this.processes)
      if (run.child.exitCode !== null)
        throw new Error(`a process ended (${role}, ${run.child.exitCode}): ${run.err()}${run.out()}`.slice(0, 2_000));
  }

  /** Waits until every process answers reads and writes, and is up to date. */
  async serves(isFresh = true): Promise<void> {
    await until(async () => {
      this.#expectRunning();
      for (const { role, environment } of this.processes) {
        if (role !== '' && role !== 'api') continue;
        const port = Number(environment.PORT);
        expect([
          await this.load.ask({ method: 'GET', path: isFresh ? '/health/fresh' : '/health/ready' }, port),
          await this.load.ask({ method: 'POST', path: '/v2/social/ban/', body: { fids: [7] } }, port),
          await this.load.ask({ method: 'GET', path: '/v2/social/user/bulk/?fids=41' }, port),
        ]).toEqual([200, 200, 200]);
      }
    }, RECOVERY_MS);
  }

  /** Waits until a job begins. */
  async runsJobs(): Promise<void> {
    const db = await openDatabase(loadStoreConfig(this.environment));
    const latest = async () => (await db.run<{ at: Date }>('select max(began_at) as at from job_run'))[0]?.at;
    try {
      const before = await latest();
      await until(async () => `${await latest()}` !== `${before}`, 120_000);
    } finally {
      await db.close();
    }
  }

  /** Ends the load, and holds the store against what was acknowledged, the hub, and itself. */
  async check(): Promise<void> {
    this.#isSpeaking = false;
    await this.#speaking;
    await this.load.stop();
    const db = await openDatabase(loadStoreConfig(this.environment));
    try {
      await expectSame(db, this.#hub);
      const stored = new Set((await db.run<{ fid: number }>('select fid from ban')).map(({ fid }) => fid));
      expect(this.load.acknowledged.filter((fid) => !stored.has(fid))).toEqual([]);
    } finally {
      await db.close();
    }
    for (const { run } of this.processes) run.child.kill('SIGTERM');
    expect(await Promise.all(this.processes.map(async ({ run }) => (await run.ended).code))).toEqual(
      this.processes.map(() => 0),
    );
    for (const { run } of this.processes) expect(strangeLines(`${run.out()}\n${run.err()}`)).toEqual([]);
    expect(await castellan(['audit'], this.environment)).toMatchObject({ code: 0 });
  }

  async close(): Promise<void> {
    this.#isSpeaking = false;
    await this.#speaking?.catch(() => undefined);
    for (const { run } of this.processes) {
      run.child.kill('SIGKILL');
      await run.ended;
    }
    await this.load.stop();
    this.#hub.stop();
    await this.hubProxy.stop();
    for (const one of [...this.standbys, this.primary]) await one.remove();
    await rm(this.environment.CASTELLAN_DATA_DIR as string, { recursive: true, force: true });
  }

  /** Has the hub take messages and events, and any hub that takes its place. */
  say(...items: Parameters<FakeHub['say']>): void {
    this.#said.push(...items);
    this.#hub.say(...items);
  }

  async #speak(): Promise<void> {
    for (let n = 0; this.#isSpeaking; n++) {
      const at = fromUnixMs(Date.now());
      this.say(...this.people.map((person) => person.cast({ text: `cast ${n}`, at })));
      await delay(CAST_EACH_MS);
    }
  }
}
