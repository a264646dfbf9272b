import pg from 'pg';
import { CallerQueue } from './caller-queue.js';
import { columnTypes } from './client-type.js';
import { createCommitNotices } from './commit-notice.js';
import type { Database } from './database.js';
import { isDatabaseUnavailable } from './failure.js';
import { PipelinedClient, type Query } from './pipelined-client.js';
import { ignoreLosses } from './pool-loss.js';
import { openPostgresProbe } from './postgres-probe.js';
import { SHARED_LOCK_TIMEOUT_MS, SHARED_STATEMENT_TIMEOUT_MS, SlowReads } from './slow-read.js';
import { type Param, type PriorityWrite, type Session, type Sql, type Statement, textOf } from './statement.js';
import { runStatement, runTransaction } from './transaction.js';

/** Two pipelined connections served 64,000-90,000 point reads a second, a pool of eight 42,000. */
const READERS = 2;
const SLOW_READERS = 3;
const SEARCHERS = 2;
/** Milliseconds after which PostgreSQL cancels a search, a slow read, and a write with priority. */
const SEARCH_TIMEOUT_MS = 3_000;
const SLOW_READ_TIMEOUT_MS = 30_000;
const PRIORITY_WRITE_TIMEOUT_MS = 3_000;
/** Milliseconds after that limit in which PostgreSQL must have responded; otherwise the connection is lost. */
const RESPONSE_MS = 5_000;
/** Milliseconds after which TCP checks whether a connection without traffic still exists. */
const KEEP_ALIVE_MS = 10_000;

// Statements on pipelined connections are short and stop as soon as a page is full, so compiling their plans or using
// parallel workers would cost more than the statements; workers would also change the order in which parts of a list
// are read.
const SHORT_STATEMENTS = 'set jit = off; set max_parallel_workers_per_gather = 0';

// A few rows by their keys, from pages that are in memory: a whole table costs more even if it is small, and planning for
// the values costs more than the statement.
const PLANNED_ONCE = 'set random_page_cost = 1.1; set plan_cache_mode = force_generic_plan';

// PostgreSQL rejects writes here (SQLSTATE 25006), so only reads are ever sent twice.
const READS_ONLY = `${SHORT_STATEMENTS}; set default_transaction_read_only = on; set lock_timeout = ${SHARED_LOCK_TIMEOUT_MS}`;
const READS_ONLY_OPTIONS = '-c jit=off -c max_parallel_workers_per_gather=0 -c default_transaction_read_only=on';

export interface PostgresOptions {
  /** postgres://user:password@host:port/database */
  readonly url: string;
  /** Connections for transactions and single writes, in addition to those for reads and searches. */
  readonly poolSize: number;
  /** Pipelined connections that all short reads share. */
  readonly readers?: number;
  /** Connections for reads that a shared connection gave up. */
  readonly slowReaders?: number;
  readonly searchers?: number;
}

/** @param ms after which PostgreSQL cancels a statement; the client waits a little longer */
const timeLimits = (ms: number) => ({ statement_timeout: ms, query_timeout: ms + RESPONSE_MS });

/** Sends a read, and once more on a new connection if the first one broke: a read has no side effects. */
const readOn = async (reader: PipelinedClient, query: Query): Promise<pg.QueryResult> => {
  try {
    return await reader.query(query);
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    return reader.query(query);
  }
};

/**
 * Opens a PostgreSQL server. Reads share a few pipelined connections in read-only sessions and may be sent twice;
 * writes and transactions use pooled connections and are never sent twice; searches and slow reads have their own
 * connections. It connects on first use, so this throws nothing.
 */
export const openPostgres = (options: PostgresOptions): Database => {
  const shared = {
    connectionString: options.url,
    types: columnTypes,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  };
  // Without time limits: jobs, the audit and migrations have statements that take long on a large network.
  const pool = new pg.Pool({ ...shared, max: options.poolSize });
  ignoreLosses(pool);
  const openReader = (settings = `${READS_ONLY}; ${PLANNED_ONCE}`) =>
    new PipelinedClient({ ...shared, ...timeLimits(SHARED_STATEMENT_TIMEOUT_MS) }, settings);
  const readers = Array.from({ length: options.readers ?? READERS }, () => openReader());
  const priorityReader = openReader();
  const unpreparedReader = openReader(READS_ONLY);
  const { notices, connection: priorityWriter } = createCommitNotices(
    (opened) => new PipelinedClient({ ...shared, ...timeLimits(PRIORITY_WRITE_TIMEOUT_MS) }, SHORT_STATEMENTS, opened),
  );
  const openSlowReads = (max: number) =>
    new SlowReads({ ...shared, ...timeLimits(SLOW_READ_TIMEOUT_MS), max, options: READS_ONLY_OPTIONS });
  const slowReads = openSlowReads(options.slowReaders ?? SLOW_READERS);
  // A priority read that was slow once must not wait for other slow reads either.
  const slowPriorityReads = openSlowReads(1);
  // Not pipelined: a search without a free connection fails after five seconds instead of waiting in a long queue.
  const max = options.searchers ?? SEARCHERS;
  const searches = new pg.Pool({ ...shared, ...timeLimits(SEARCH_TIMEOUT_MS), max, options: READS_ONLY_OPTIONS });
  const searchQueue = new CallerQueue(max);
  ignoreLosses(searches);
  let turn = 0;
  const send = (query: Query) => readOn(readers[turn++ % readers.length] as PipelinedClient, query);
  const sendUnprepared = (query: Query) => readOn(unpreparedReader, query);
  const sendWithPriority = (query: Query) => readOn(priorityReader, query);
  const session: Session = {
    select: async <Row>(sql: Sql<Row> | string, params: readonly Param[] = []) =>
      (await slowReads.query({ text: textOf(sql), values: params as unknown[] }, sendUnprepared)).rows as Row[],
    run: async <Row>(sql: Sql<Row> | string, params: readonly Param[] = []) =>
      (await runStatement(pool, textOf(sql), params)).rows as Row[],
    read: async <Row>(statement: Statement<Row>, params: readonly Param[], caller = '') => {
      const { name, text, isPriority, isSearch, isPlannedEachTime } = statement;
      const unnamed = { text, values: params as unknown[] };
      const query = { name, ...unnamed };
      const result = isSearch
        ? searchQueue.run(caller, () => searches.query(isPlannedEachTime ? unnamed : query))
        : isPriority
          ? slowPriorityReads.query(query, sendWithPriority)
          : slowReads.query(query, send, caller);
      return (await result).rows as Row[];
    },
    script: async (text) => {
      await pool.query(text);
    },
  };
  return {
    ...session,
    kind: 'postgres',
    notices,
    writeWithPriority: async <Row>({ name, text }: PriorityWrite<Row>, params: readonly Param[]) =>
      (await priorityWriter.query({ name, text, values: params as unknown[] })).rows as Row[],
    transaction: (work) => runTransaction(pool, work),
    vacuum: async () => undefined,
    analyze: async () => undefined,
    openProbe: () => openPostgresProbe({ ...shared, connectionTimeoutMillis: 30_000 }),
    load: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: async () => {
      await notices.close();
      const pipelines = [...readers, priorityReader, unpreparedReader, priorityWriter];
      const closed = [...pipelines, slowReads, slowPriorityReads].map((one) => one.close());
      await Promise.all([...closed, searches.end(), pool.end()]);
    },
  };
};
