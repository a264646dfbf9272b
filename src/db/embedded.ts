import { type EventEmitter, once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Extension, PGlite } from '@electric-sql/pglite';
import { cube } from '@electric-sql/pglite/contrib/cube';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import pg from 'pg';
import { columnTypes } from './client-type.js';
import type { Database, Param, Session, Statement, UrgentWrite } from '../store/database.js';
import { createEmbeddedCare } from './embedded-maintenance.js';
import { guardEngine } from './embedded-guard.js';
import { kyselyOver } from '../store/kysely-session.js';
import { runTransaction } from './transaction.js';

/** A database folder right after `initdb`, made by the build: unpacking it takes a tenth of making one. */
const INITIAL_DUMP = fileURLToPath(new URL('../../dist/embedded.tar.gz', import.meta.url));

export interface EmbeddedOptions {
  /** The folder that holds the database; absent: it lives in memory and goes with the process. */
  readonly dataDir?: string;
}

/**
 * Has libraries of extensions loaded one by one, when PostgreSQL first asks for them. PGlite loads them all at once
 * beforehand, and one that is ready before another finds the symbols of the other missing, is loaded a second time, and
 * calls functions at address 0 (docs/decisions/0004). Must stand before the extensions.
 */
const loadedWhenUsed: Extension = {
  name: 'libraries loaded when used',
  setup: async (_engine, emscriptenOpts) => ({ emscriptenOpts: { ...emscriptenOpts, noWasmDecoding: true } }),
};

const openEngine = async (dataDir: string | undefined): Promise<PGlite> => {
  const fresh = dataDir === undefined || !existsSync(join(dataDir, 'PG_VERSION'));
  const dump = fresh && existsSync(INITIAL_DUMP) ? new Blob([new Uint8Array(await readFile(INITIAL_DUMP))]) : undefined;
  const engine = new PGlite({
    extensions: { loadedWhenUsed, cube, pg_trgm },
    ...(dataDir === undefined ? {} : { dataDir }),
    ...(dump === undefined ? {} : { loadDataDir: dump }),
  });
  await engine.waitReady;
  guardEngine(engine);
  return engine;
};

/** The one connection of PGlite's adapter; every client of the pool shares it. */
type AdapterConnection = EventEmitter & { end(): void };

/**
 * The driver rejects a failed statement before the engine has answered the messages that follow it (Sync at least).
 * Closing the engine before that makes the adapter emit an `error` that nobody listens to.
 */
const untilAnswered = async (connection: AdapterConnection): Promise<void> => {
  connection.end();
  await once(connection, 'end');
};

/**
 * Sends a statement through the pool's only client and keeps the client when the statement fails. `pool.query` would
 * drop it, and as all clients share the adapter's connection, its answers and its end would reach the next client.
 */
const queryKeepingClient =
  (pool: pg.Pool) =>
  async (config: pg.QueryConfig): Promise<pg.QueryResult> => {
    const client = await pool.connect();
    // A dead engine rejects the statement and tells the client, too; without a listener that ends the process.
    const ignore = (): void => undefined;
    client.on('error', ignore);
    try {
      return await client.query(config);
    } finally {
      client.off('error', ignore);
      client.release();
    }
  };

/**
 * Opens PostgreSQL inside this process (PGlite). It has one connection and no lock of its own on the folder:
 * whoever opens a folder must hold `src/store/lock.ts` on it. fsync is off (docs/operating.md).
 * @throws when the folder is not a database folder or cannot be written.
 */
export const openEmbedded = async (options: EmbeddedOptions): Promise<Database> => {
  const engine = await openEngine(options.dataDir);
  const adapter = createPgConfig(engine) as unknown as pg.PoolConfig & { readonly connection: AdapterConnection };
  const pool = new pg.Pool({ ...adapter, max: 1, idleTimeoutMillis: 0, types: columnTypes });
  const query = queryKeepingClient(pool);
  const send = (text: string, params: readonly unknown[]) => query({ text, values: params as unknown[] });
  const run = async <Row>(text: string, params: readonly Param[] = []) => (await send(text, params)).rows as Row[];
  const named = async <Row>({ name, text }: UrgentWrite<Row>, params: readonly Param[]) =>
    (await query({ name, text, values: params as unknown[] })).rows as Row[];
  const read = async <Row>({ name, text, rowMode }: Statement<Row>, params: readonly Param[]) =>
    (await query({ name, text, values: params as unknown[], ...(rowMode && { rowMode }) } as pg.QueryConfig))
      .rows as Row[];
  const session: Session = {
    kysely: kyselyOver({ read: send, write: send }),
    run,
    select: run,
    read,
    script: async (text) => {
      await query({ text });
    },
  };
  const care = createEmbeddedCare(session);
  return {
    ...session,
    kind: 'embedded',
    writeUrgently: named,
    transaction: async (work) => {
      const result = await runTransaction(pool, work);
      await care.afterTransaction();
      return result;
    },
    vacuum: care.vacuum,
    analyze: care.analyze,
    openProbe: () => ({ run: session.run, reset: async () => undefined, close: async () => undefined }),
    load: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: async () => {
      await pool.end();
      await untilAnswered(adapter.connection);
      await engine.close();
    },
  };
};
