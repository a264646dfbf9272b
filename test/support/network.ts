import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Dispatcher, request } from 'undici';
import { vi } from 'vitest';
import type { AppOptions } from '../../src/app/app-options.js';
import { type App, createApp } from '../../src/app.js';
import type { SiblingBroadcast, SiblingLink } from '../../src/cache/sibling.js';
import { type Config, loadConfig } from '../../src/config/config.js';
import type { HubRpcConfig } from '../../src/config/hub-rpc.js';
import type { Param } from '../../src/db/statement.js';
import type { IngestReport } from '../../src/ingest/ingest-outcome.js';
import type { IngestItem } from '../../src/ingest/item.js';
import { createLog, type Log } from '../../src/log.js';
import { INVALIDATE_ALL } from '../../src/store/change.js';
import { contractAvailable, validateAgainstContract } from './contract.js';
import { contractOperations } from './contract-operation.js';
import { leaseDatabase } from './shared-database.js';
import { createMigratedDatabase, databaseUrl, onServer } from './template.js';

const serverUrl = process.env.TEST_DATABASE_URL;
/** Pooler of that server through which services connect to it; absent: none. */
const poolerUrl = process.env.TEST_POOLER_URL;

/** Replicas of the server, from which services read (`npm run test:replicas`). */
const readUrls = serverUrl === undefined ? [] : (process.env.TEST_READ_URL?.split(' ') ?? []);

/**
 * With 2, requests go in turn to two services on the database, joined like the workers of one service: what one has
 * answered, the other must know. Needs TEST_DATABASE_URL.
 */
const isDivided = process.env.CASTELLAN_TEST_WORKERS === '2' && serverUrl !== undefined;

/** Tests move the clock instead of waiting: what is due then is found by the next look for it. */
export const POLL_MS = 250;

/** A parsed response. */
export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read members of whatever came; its shape is checked elsewhere
  readonly body: any;
}

/** The whole service in this process, over HTTP, with its own database. */
export interface Network {
  readonly app: App;
  readonly config: Config;
  readonly url: string;
  /** `host:port` of the hub's gRPC interface; '' without the option. */
  readonly hubRpc: string;
  readonly apiKey: string;
  /** Requests a path with the key, and parses the answer. */
  get(path: string, headers?: Record<string, string>): Promise<TestResponse>;
  send(method: string, path: string, body: unknown, headers?: Record<string, string>): Promise<TestResponse>;
  /** Runs SQL in the database and empties the service's caches, for changes that the service itself never makes. */
  sql<Row = unknown>(text: string, params?: readonly Param[]): Promise<Row[]>;
  /** Loads items as an import does, without announcing them. */
  load(items: readonly IngestItem[]): Promise<IngestReport>;
  stop(): Promise<void>;
}

const withoutSlash = (path: string): string => path.replace(/\/+$/, '');

/** Validates every response against the contract, if it is available. */
const holdAgainstContract = (method: string, path: string, status: number, body: unknown): void => {
  if (!contractAvailable) return;
  const plain = withoutSlash(path.split('?', 1)[0] as string);
  const operation = contractOperations.find((one) => one.method === method && withoutSlash(one.path) === plain);
  // Operations that are not implemented return 501.
  if (!operation || status === 501) return;
  const faults = validateAgainstContract(operation.id, status, body);
  if (faults.length > 0)
    throw new Error(`${method} ${path} answers ${status} unlike the contract:\n${faults.join('\n')}`);
};

const headersOf = (received: IncomingHttpHeaders): Headers => {
  const headers = new Headers();
  for (const [name, values] of Object.entries(received))
    for (const value of [values ?? []].flat()) headers.append(name, value);
  return headers;
};

/** @returns the ends of a connection between two services of this process, which is as late as one between processes */
const linkSiblings = (): [SiblingLink, SiblingLink] => {
  const listeners: ((content: SiblingBroadcast) => void)[] = [];
  const end = (own: number): SiblingLink => ({
    send: async (broadcast) => {
      await wait(1);
      listeners[1 - own]?.(broadcast);
    },
    receive: (listener) => {
      listeners[own] = listener;
    },
  });
  return [end(0), end(1)];
};

/** Jobs that a service begins at once, and that rewrite what tests store by SQL: scores and counts. */
const COUNTING = ['score', 'count-channels', 'score-mini-apps'];

/** Waits for the end of the first runs: the next ones are due after ten minutes and more. */
const untilCounted = async ({ core: { db } }: App): Promise<void> => {
  const text = 'select count(*)::integer as ended from job_run where name = any($1) and claimed_by is null';
  const look = async (): Promise<void> => {
    const [row] = await db.run<{ ended: number }>(text, [COUNTING]);
    if (row?.ended !== COUNTING.length) throw new Error('the first counts of the service have not ended');
  };
  await vi.waitFor(look, { timeout: 45_000, interval: 5 });
};

/** Makes both services know what a test submits itself, as they know what was written by a request. */
const settleSubmissions = ({ core: { ingest }, services }: App): void => {
  const submit = ingest.submit.bind(ingest);
  Object.assign(ingest, {
    submit: async (...args: Parameters<typeof submit>) => {
      const report = await submit(...args);
      await services.siblingsUpToDate?.();
      return report;
    },
  });
};

const databaseVariables = (database: string): Record<string, string> => {
  if (serverUrl === undefined) return {};
  const url = databaseUrl(serverUrl, database);
  if (poolerUrl === undefined) return { DATABASE_URL: url };
  return { DATABASE_URL: databaseUrl(poolerUrl, database), CASTELLAN_DIRECT_URL: url };
};

/** @returns the address of a network's database on a server, for other sessions */
export const databaseUrlOf = ({ config: { database } }: Network): string => {
  if (!('url' in database)) throw new Error('the database is embedded');
  return (database.directUrl ?? database.url).reveal();
};

/**
 * @param environment variables beside those that the test decides (data folder, database, key, port)
 * @param log for tests that read it
 * @param options `chain` is the address of a chain with the id 31337, which stands in for every network without CASTELLAN_RPC_*;
 *   `hubRpc` opens the hub's gRPC interface; `clock` is in Unix milliseconds; `operations` are answered in addition to those of the interface
 */
export const startNetwork = async (
  environment: Record<string, string> = {},
  log: Log = createLog('silent'),
  options: { readonly chain?: string; readonly hubRpc?: Partial<HubRpcConfig> } & Pick<
    AppOptions,
    'clock' | 'timings' | 'operations' | 'stripeAddress' | 'sampleMiniApps' | 'sampleWallets' | 'addLocalKey'
  > = {},
): Promise<Network> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'castellan-test-'));
  const database = `castellan_test_${process.pid}_${randomBytes(4).toString('hex')}`;
  if (serverUrl !== undefined) await createMigratedDatabase(serverUrl, database);
  const isShared =
    serverUrl === undefined && !('CASTELLAN_DATA_DIR' in environment) && !('DATABASE_URL' in environment);
  const lease = isShared ? await leaseDatabase() : undefined;
  const apiKey = `test-${randomBytes(24).toString('hex')}`;
  const config = loadConfig('dev', {
    CASTELLAN_DATA_DIR: dataDir,
    CASTELLAN_API_KEY: apiKey,
    CASTELLAN_CRAWL: '0',
    // As in production, unless a test says otherwise.
    CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'false',
    CASTELLAN_METRICS_PORT: '0',
    CASTELLAN_HUB_GRPC_PORT: 'off',
    CASTELLAN_LOG_LEVEL: 'silent',
    CASTELLAN_RATE_LIMIT_PER_MINUTE: '0',
    // Counting is tested where a test turns it on.
    CASTELLAN_QUOTA_MODE: 'off',
    ...('DATABASE_URL' in environment ? {} : databaseVariables(database)),
    ...(readUrls.length > 0 && { CASTELLAN_READ_URL: readUrls.map((url) => databaseUrl(url, database)).join(' ') }),
    ...environment,
  });
  const { chain, hubRpc: rpc, ...own } = options;
  const rpcConfig = rpc && { port: 0, isMovable: false, tls: undefined, ...rpc };
  const [link, otherLink] = isDivided ? linkSiblings() : [];
  const start = async (more: Partial<Config>, siblings: SiblingLink | undefined) => {
    const parts = {
      log,
      validateResponses: true,
      localChain: chain === undefined ? undefined : { url: async () => chain },
      database: lease?.db,
    };
    const started = await createApp(
      // Without threads for signatures: loading the protocol's package in another one takes two seconds of processor time.
      { ...config, port: 0, hubRpc: rpcConfig, metrics: undefined, verifyThreads: 0, ...more },
      { ...own, ...parts, siblings, timings: { pollMs: POLL_MS, ...own.timings } },
    );
    const { port, hubRpcPort } = await started.start();
    const hubRpc = hubRpcPort === undefined ? '' : `127.0.0.1:${hubRpcPort}`;
    return { app: started, url: `http://127.0.0.1:${port}`, hubRpc };
  };
  const { app, url, hubRpc } = await start({}, link);
  await untilCounted(app);
  const answersOnly = {
    processes: { workers: 1, roles: new Set(['api'] as const) },
    hubHttpPort: undefined,
    hubRpc: undefined,
  };
  const other = isDivided ? await start(answersOnly, otherLink) : undefined;
  if (isDivided) settleSubmissions(app);
  let turn = 0;
  const nextUrl = (): string => (other && turn++ % 2 === 1 ? other.url : url);
  const send: Network['send'] = async (method, path, body, headers = {}) => {
    // Less work than `fetch`, which all requests of all tests would pay for.
    const response = await request(`${nextUrl()}${path}`, {
      method: method as Dispatcher.HttpMethod,
      headers: {
        'x-api-key': apiKey,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: body instanceof Uint8Array ? body : JSON.stringify(body) }),
    });
    const text = await response.body.text();
    const parsed = text === '' ? undefined : JSON.parse(text);
    // Paths without a dialect use the configured one; the contract has neutral names.
    if (config.wireNames === 'neutral' || path.startsWith('/v2/social/')) {
      holdAgainstContract(method, path, response.statusCode, parsed);
    }
    return { status: response.statusCode, headers: headersOf(response.headers), body: parsed };
  };
  return {
    app,
    config,
    url,
    hubRpc,
    apiKey,
    send,
    get: (path, headers) => send('GET', path, undefined, headers),
    sql: async <Row>(statement: string, params?: readonly Param[]) => {
      const rows = await app.core.db.run<Row>(statement, params);
      app.invalidate(INVALIDATE_ALL);
      await app.services.siblingsUpToDate?.();
      return rows;
    },
    load: async (items) => {
      const report = await app.core.ingest.submit(items, { source: 'sample', announce: false });
      await app.services.siblingsUpToDate?.();
      return report;
    },
    stop: async () => {
      await other?.app.stop();
      await app.stop();
      await lease?.release();
      await rm(dataDir, { recursive: true, force: true });
      if (serverUrl !== undefined) await onServer(serverUrl, `drop database if exists ${database} with (force)`);
    },
  };
};
