import pg from 'pg';
import { columnTypes } from './client-type.js';
import type { Database, Param, Session, Statement, UrgentWrite } from '../store/database.js';
import { isDatabaseAway } from '../store/failure.js';
import { kyselyOver, type Send } from '../store/kysely-session.js';
import { PipelinedClient, type Query } from './pipelined-client.js';
import { openPostgresProbe } from './postgres-probe.js';
import { runStatement, runTransaction } from './transaction.js';

/** Two pipelined connections answered 64,000-90,000 point reads a second where a pool of eight did 42,000. */
const READERS = 2;
/** Connections for searches, and milliseconds after which PostgreSQL gives up on one. */
const SEARCHERS = 2;
const SEARCH_TIMEOUT_MS = 3_000;

// Statements on pipelined connections are short, many at once, and stop as soon as a page is full: compiling their
// plans or handing them to workers costs more than they do, and workers would upset the order in which parts of a list
// are asked.
const SHORT_STATEMENTS = 'set jit = off; set max_parallel_workers_per_gather = 0';

// PostgreSQL itself refuses a write here (SQLSTATE 25006), so that nothing but reads is ever sent twice.
const READS_ONLY = `${SHORT_STATEMENTS}; set default_transaction_read_only = on`;

export interface PostgresOptions {
  /** postgres://user:password@host:port/database */
  readonly url: string;
  /** Connections for transactions and single writes; those for reads and searches come on top. */
  readonly poolSize: number;
  /** Milliseconds after which PostgreSQL gives up on a statement of a pipelined connection. */
  readonly statementTimeout?: number;
}

/** Sends a read, and sends it again, once, on a new connection when the first one broke: a read has no effect. */
const readOn = async (reader: PipelinedClient, query: Query): Promise<pg.QueryResult> => {
  try {
    return await reader.query(query);
  } catch (error) {
    if (!isDatabaseAway(error)) throw error;
    return reader.query(query);
  }
};

/** Keeps a connection of the pool that is lost from ending the process; the next statement on it reports the loss. */
const ignoreLosses = (pool: pg.Pool): void => {
  pool.on('error', () => undefined);
  // The pool takes its own listener away when it hands a client out, and the loss may stand in the very packet that made
  // the client ready: before anybody else can listen.
  pool.on('connect', (client) => client.on('error', () => undefined));
};

/**
 * Opens a PostgreSQL server. Reads share a few pipelined connections in read-only sessions and may be sent twice;
 * writes and transactions have pooled connections to themselves and are never sent twice; searches have connections of
 * their own. Connects lazily; nothing is thrown here.
 */
export const openPostgres = (options: PostgresOptions): Database => {
  const shared = { connectionString: options.url, types: columnTypes, connectionTimeoutMillis: 5_000, keepAlive: true };
  const pool = new pg.Pool({ ...shared, max: options.poolSize });
  ignoreLosses(pool);
  const pipelined = { ...shared, statement_timeout: options.statementTimeout ?? 30_000 };
  const readers = Array.from({ length: READERS }, () => new PipelinedClient(pipelined, READS_ONLY));
  const urgentReader = new PipelinedClient(pipelined, READS_ONLY);
  const urgentWriter = new PipelinedClient(pipelined, SHORT_STATEMENTS);
  // Not pipelined: a search that finds no free connection within five seconds fails, instead of waiting in a long queue.
  const searches = new pg.Pool({
    ...shared,
    max: SEARCHERS,
    statement_timeout: SEARCH_TIMEOUT_MS,
    options: '-c jit=off -c max_parallel_workers_per_gather=0 -c default_transaction_read_only=on',
  });
  ignoreLosses(searches);
  let turn = 0;
  const reader = (): PipelinedClient => readers[turn++ % READERS] as PipelinedClient;
  const read: Send = (text, params) => readOn(reader(), { text, values: params as unknown[] });
  const write: Send = (text, params) => runStatement(pool, text, params);
  const session: Session = {
    kysely: kyselyOver({ read, write }),
    select: async <Row>(text: string, params: readonly Param[] = []) => (await read(text, params)).rows as Row[],
    run: async <Row>(text: string, params: readonly Param[] = []) => (await write(text, params)).rows as Row[],
    read: async <Row>({ name, text, rowMode, isUrgent, isSearch }: Statement<Row>, params: readonly Param[]) => {
      const query = { name, text, values: params as unknown[], ...(rowMode && { rowMode }) };
      const result = isSearch ? searches.query(query) : readOn(isUrgent ? urgentReader : reader(), query);
      return (await result).rows as Row[];
    },
    script: async (text) => {
      await pool.query(text);
    },
  };
  return {
    ...session,
    kind: 'postgres',
    writeUrgently: async <Row>({ name, text }: UrgentWrite<Row>, params: readonly Param[]) =>
      (await urgentWriter.query({ name, text, values: params as unknown[] })).rows as Row[],
    transaction: (work) => runTransaction(pool, work),
    vacuum: async () => undefined,
    analyze: async () => undefined,
    openProbe: () => openPostgresProbe({ ...shared, connectionTimeoutMillis: 30_000 }),
    load: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: async () => {
      const pipelines = [...readers, urgentReader, urgentWriter];
      await Promise.all([...pipelines.map((one) => one.close()), searches.end(), pool.end()]);
    },
  };
};
