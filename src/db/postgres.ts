import pg from 'pg';
import { parseDatabaseUrl } from '../config/database-url.js';
import { CallerQueue } from './caller-queue.js';
import { createCommitNotices } from './commit-notice.js';
import type { Database } from './database.js';
import { isDatabaseUnavailable } from './failure.js';
import { PipelinedClient, type Query } from './pipelined-client.js';
import { ignoreLosses } from './pool-loss.js';
import { openPostgresProbe } from './postgres-probe.js';
import { closeWithin } from './server/close-within.js';
import { createPooler, createServer } from './server/server.js';
import {
  PREPARED_READS,
  PRIORITY_WRITES,
  SEARCHES,
  SLOW_READS,
  UNPREPARED_READS,
  WORK,
} from './server/session-kind.js';
import { SlowReads } from './slow-read.js';
import { type Param, type PriorityWrite, type Session, type Sql, type Statement, textOf } from './statement.js';
import { runStatement, runTransaction } from './transaction.js';

/** Two pipelined connections served 64,000-90,000 point reads a second, a pool of eight 42,000. */
const READERS = 2;
const SLOW_READERS = 3;
const SEARCHERS = 2;
/** Milliseconds for all connections to close. */
const CLOSE_MS = 5_000;

export interface PostgresOptions {
  /** postgres://user:password@host:port/database, with several hosts as `parseDatabaseUrl` reads them */
  readonly url: string;
  /** If `url` is that of a pooler in transaction mode: the address of its server. */
  readonly directUrl?: string;
  /** Connections for transactions and single writes, in addition to those for reads and searches. */
  readonly poolSize: number;
  /** Pipelined connections that all short reads share. */
  readonly readers?: number;
  /** Connections for reads that a shared connection gave up. */
  readonly slowReaders?: number;
  readonly searchers?: number;
}

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
  const address = parseDatabaseUrl(options.url);
  const { directUrl } = options;
  const server = directUrl === undefined ? createServer(address) : createPooler(address);
  // A pooler passes no notices on.
  const direct = directUrl === undefined ? server : createServer(parseDatabaseUrl(directUrl));
  const pool = new pg.Pool({ ...server.config(WORK), max: options.poolSize });
  ignoreLosses(pool);
  const openReader = (kind = PREPARED_READS) => new PipelinedClient(server.config(kind));
  const readers = Array.from({ length: options.readers ?? READERS }, () => openReader());
  const priorityReader = openReader();
  const unpreparedReader = openReader(UNPREPARED_READS);
  const { notices, connection: priorityWriter } = createCommitNotices(
    (opened) => new PipelinedClient(direct.config(PRIORITY_WRITES), { opened }),
  );
  const openSlowReads = (max: number) => new SlowReads({ ...server.config(SLOW_READS), max });
  const slowReads = openSlowReads(options.slowReaders ?? SLOW_READERS);
  // A priority read that was slow once must not wait for other slow reads either.
  const slowPriorityReads = openSlowReads(1);
  // Not pipelined: a search without a free connection fails after five seconds instead of waiting in a long queue.
  const max = options.searchers ?? SEARCHERS;
  const searches = new pg.Pool({ ...server.config(SEARCHES), max });
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
  const closeSoon = (): void => {
    for (const one of new Set([server, direct])) one.connections.closeSoon();
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
    openProbe: () => openPostgresProbe({ ...server.config(WORK), connectionTimeoutMillis: 30_000 }),
    load: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    address: () => server.connections.place && `${server.connections.place.host}:${server.connections.place.port}`,
    closeSoon,
    close: async () => {
      closeSoon();
      const end = async (): Promise<void> => {
        await notices.close();
        const pipelines = [...readers, priorityReader, unpreparedReader, priorityWriter];
        const closed = [...pipelines, slowReads, slowPriorityReads].map((one) => one.close());
        await Promise.all([...closed, searches.end(), pool.end()]);
      };
      await closeWithin(CLOSE_MS, end());
    },
  };
};
