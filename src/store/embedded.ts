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
import type { Database, Param, Session, Statement, UrgentWrite } from './database.js';
import { createEmbeddedCare } from './embedded-care.js';
import { guardEngine } from './embedded-guard.js';
import { kyselyOver } from './kysely-session.js';
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

/**
 * Opens PostgreSQL inside this process (PGlite). It has one connection and no lock of its own on the folder:
 * whoever opens a folder must hold `src/store/lock.ts` on it. fsync is off (docs/operating.md).
 * @throws when the folder is not a database folder or cannot be written.
 */
export const openEmbedded = async (options: EmbeddedOptions): Promise<Database> => {
  const engine = await openEngine(options.dataDir);
  const pool = new pg.Pool({
    ...(createPgConfig(engine) as unknown as pg.PoolConfig),
    max: 1,
    idleTimeoutMillis: 0,
    types: columnTypes,
  });
  const send = (text: string, params: readonly unknown[]) => pool.query(text, params as unknown[]);
  const run = async <Row>(text: string, params: readonly Param[] = []) => (await send(text, params)).rows as Row[];
  const named = async <Row>({ name, text }: Statement<Row> | UrgentWrite<Row>, params: readonly Param[]) =>
    (await pool.query({ name, text, values: params as unknown[] })).rows as Row[];
  const session: Session = {
    kysely: kyselyOver({ read: send, write: send }),
    run,
    select: run,
    read: named,
    script: async (text) => {
      await pool.query(text);
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
    load: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: async () => {
      await pool.end();
      await engine.close();
    },
  };
};
