import { type EventEmitter, once } from 'node:events';
import type { PGlite } from '@electric-sql/pglite';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import pg from 'pg';
import { columnTypes } from '../client-type.js';
import { NO_NOTICES } from '../commit-notice.js';
import type { Database } from '../database.js';
import { batchMessages } from '../message-batch.js';
import { type Param, type PriorityWrite, type Session, type Sql, type Statement, textOf } from '../statement.js';
import { runTransaction } from '../transaction.js';
import { createBaseBackup } from './base-backup.js';
import { openEngine } from './engine.js';
import { leaveTurns } from './loop-turn.js';
import { createEmbeddedMaintenance } from './maintenance.js';

export interface EmbeddedOptions {
  /** The folder of the database; absent: it is in memory only. */
  readonly dataDir?: string;
}

/** The connection of PGlite's adapter, which all clients of the pool share. */
type AdapterConnection = EventEmitter & { end(): void };

/**
 * Waits until the engine has answered everything. The driver rejects a failed statement before the engine has answered
 * the messages after it (at least Sync), and closing the engine before that emits an `error` without a listener.
 */
const untilAnswered = async (connection: AdapterConnection): Promise<void> => {
  connection.end();
  await once(connection, 'end');
};

/**
 * Sends a statement through the pool's only client and keeps the client when the statement fails. `pool.query` would
 * remove it, and because all clients share the adapter's connection, its end would reach the next client.
 */
const queryKeepingClient =
  (pool: pg.Pool) =>
  async (config: pg.QueryConfig): Promise<pg.QueryResult> => {
    const client = await pool.connect();
    // A dead engine rejects the statement and also emits an error, which would end the process without a listener.
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
 * Opens PostgreSQL inside this process (PGlite). It has one connection and does not lock its folder: the caller must
 * hold the lock of `src/db/lock.ts` on it. fsync is off (docs/operating.md).
 * @throws when the folder is not a database folder or cannot be written
 */
export const openEmbedded = async (options: EmbeddedOptions): Promise<Database> => {
  const engine = await openEngine(options.dataDir);
  const adapter = createPgConfig(batchMessages(leaveTurns(engine)) as PGlite) as unknown as pg.PoolConfig & {
    readonly connection: AdapterConnection;
  };
  const pool = new pg.Pool({ ...adapter, max: 1, idleTimeoutMillis: 0, types: columnTypes });
  const query = queryKeepingClient(pool);
  const run = async <Row>(sql: Sql<Row> | string, params: readonly Param[] = []) =>
    (await query({ text: textOf(sql), values: params as unknown[] })).rows as Row[];
  const named = async <Row>({ name, text }: PriorityWrite<Row>, params: readonly Param[]) =>
    (await query({ name, text, values: params as unknown[] })).rows as Row[];
  const read = async <Row>({ name, text, isPlannedEachTime }: Statement<Row>, params: readonly Param[]) => {
    const unnamed = { text, values: params as unknown[] };
    return (await query((isPlannedEachTime ? unnamed : { name, ...unnamed }) as pg.QueryConfig)).rows as Row[];
  };
  const session: Session = {
    run,
    select: run,
    read,
    script: async (text) => {
      await query({ text });
    },
  };
  const care = createEmbeddedMaintenance(session);
  return {
    ...session,
    kind: 'embedded',
    notices: NO_NOTICES,
    writeWithPriority: named,
    transaction: async (work) => {
      const result = await runTransaction(pool, work);
      await care.afterTransaction();
      return result;
    },
    ...(options.dataDir !== undefined && { backUp: createBaseBackup(session, care, options.dataDir) }),
    vacuum: care.vacuum,
    analyze: care.analyze,
    openProbe: () => ({ run: session.run, reset: async () => undefined, close: async () => undefined }),
    load: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    address: () => undefined,
    closeSoon: () => undefined,
    close: async () => {
      await pool.end();
      await untilAnswered(adapter.connection);
      await engine.close();
    },
  };
};
