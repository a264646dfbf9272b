import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type App, type AppOptions, createApp } from '../../src/app.js';
import { type Config, loadConfig } from '../../src/config/config.js';
import type { IngestItem } from '../../src/ingest/item.js';
import type { IngestReport } from '../../src/ingest/ingest-outcome.js';
import { createLog, type Log } from '../../src/log.js';
import { contractOperations } from '../../src/schema/contract-operation.js';
import { EVERYTHING } from '../../src/store/change.js';
import type { Param } from '../../src/store/database.js';
import { contractAvailable, validateAgainstContract } from './contract.js';

const serverUrl = process.env.TEST_DATABASE_URL;

/** An answer, parsed. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read members of whatever came; its shape is checked elsewhere
  readonly body: any;
}

/** The whole service in this process, over HTTP, with a database of its own. */
export interface Network {
  readonly app: App;
  readonly config: Config;
  readonly url: string;
  readonly apiKey: string;
  /** Requests a path with the key, and parses the answer. */
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  send(method: string, path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Changes or reads the database past the service, and empties its caches: what no writer of its own does. */
  sql<Row = unknown>(text: string, params?: readonly Param[]): Promise<Row[]>;
  /** Puts items in as an import does, quietly. */
  load(items: readonly IngestItem[]): Promise<IngestReport>;
  stop(): Promise<void>;
}

const withoutSlash = (path: string): string => path.replace(/\/+$/, '');

/** Every answer of an operation of the contract must be as the contract describes it, where it is at hand. */
const holdAgainstContract = (method: string, path: string, status: number, body: unknown): void => {
  if (!contractAvailable) return;
  const plain = withoutSlash(path.split('?', 1)[0] as string);
  const operation = contractOperations.find((one) => one.method === method && withoutSlash(one.path) === plain);
  // What is not built yet answers 501 everywhere.
  if (!operation || status === 501) return;
  const faults = validateAgainstContract(operation.id, status, body);
  if (faults.length > 0)
    throw new Error(`${method} ${path} answers ${status} unlike the contract:\n${faults.join('\n')}`);
};

const onServer = async (sql: string): Promise<void> => {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(sql);
  await client.end();
};

/**
 * @param environment variables beside those that the test decides (data folder, database, key, port)
 * @param log for tests that read it
 * @param options `chain` is the address of a chain with the id 31337, which stands in for every network without RPC_*;
 *   `clock` is in Unix milliseconds; `operations` with their `costs` are answered beside those of the rooms
 */
export const startNetwork = async (
  environment: Record<string, string> = {},
  log: Log = createLog('silent'),
  options: { readonly chain?: string } & Pick<AppOptions, 'clock' | 'operations' | 'costs'> = {},
): Promise<Network> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'castellan-test-'));
  const database = `castellan_test_${process.pid}_${randomBytes(4).toString('hex')}`;
  if (serverUrl !== undefined) await onServer(`create database ${database}`);
  const apiKey = `test-${randomBytes(24).toString('hex')}`;
  const config = loadConfig('dev', {
    CASTELLAN_DATA_DIR: dataDir,
    CASTELLAN_API_KEY: apiKey,
    METRICS_PORT: '0',
    LOG_LEVEL: 'silent',
    RATE_LIMIT_PER_MINUTE: '0',
    VERIFY_THREADS: '1',
    ...(serverUrl === undefined
      ? {}
      : { DATABASE_URL: Object.assign(new URL(serverUrl), { pathname: database }).href }),
    ...environment,
  });
  const { chain, ...own } = options;
  const app = await createApp(
    { ...config, port: 0, metrics: undefined },
    {
      ...own,
      log,
      validateResponses: true,
      localChain: chain === undefined ? undefined : { url: async () => chain },
    },
  );
  const { port } = await app.start();
  const url = `http://127.0.0.1:${port}`;
  const send: Network['send'] = async (method, path, body, headers = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        'x-api-key': apiKey,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: body instanceof Uint8Array ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const parsed = text === '' ? undefined : JSON.parse(text);
    // Paths with no dialect of their own speak the configured one; the contract knows neutral names.
    if (config.wireNames === 'neutral' || path.startsWith('/v2/social/')) {
      holdAgainstContract(method, path, response.status, parsed);
    }
    return { status: response.status, headers: response.headers, body: parsed };
  };
  return {
    app,
    config,
    url,
    apiKey,
    send,
    get: (path, headers) => send('GET', path, undefined, headers),
    sql: async <Row>(statement: string, params?: readonly Param[]) => {
      const rows = await app.core.db.run<Row>(statement, params);
      app.invalidate(EVERYTHING);
      return rows;
    },
    load: (items) => app.core.ingest.submit(items, { source: 'sample', announce: false }),
    stop: async () => {
      await app.stop();
      await rm(dataDir, { recursive: true, force: true });
      if (serverUrl !== undefined) await onServer(`drop database if exists ${database} with (force)`);
    },
  };
};
