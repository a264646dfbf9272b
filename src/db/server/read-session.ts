import { columnTypes } from '../client-type.js';
import { SHARED_LOCK_TIMEOUT_MS } from '../slow-read.js';
import { LOST_CLIENT_OPTIONS } from './session-setting.js';

/** Milliseconds after which PostgreSQL cancels a search and a slow read. */
export const SEARCH_TIMEOUT_MS = 3_000;
export const SLOW_READ_TIMEOUT_MS = 30_000;
/** Milliseconds after that limit in which PostgreSQL must have responded; otherwise the connection is lost. */
const RESPONSE_MS = 5_000;
/** Milliseconds after which TCP checks whether a connection without traffic still exists. */
const KEEP_ALIVE_MS = 4_000;

// Statements on pipelined connections are short and stop as soon as a page is full, so compiling their plans or using
// parallel workers would cost more than the statements; workers would also change the order in which parts of a list
// are read.
export const SHORT_STATEMENTS = 'set jit = off; set max_parallel_workers_per_gather = 0';

// A few rows by their keys, from pages that are in memory: a whole table costs more even if it is small, and planning for
// the values costs more than the statement.
const PLANNED_ONCE = 'set random_page_cost = 1.1; set plan_cache_mode = force_generic_plan';

// PostgreSQL rejects writes here (SQLSTATE 25006), so only reads are ever sent twice.
export const READS_ONLY = `${SHORT_STATEMENTS}; set default_transaction_read_only = on; set lock_timeout = ${SHARED_LOCK_TIMEOUT_MS}`;
const READS_ONLY_OPTIONS = '-c jit=off -c max_parallel_workers_per_gather=0 -c default_transaction_read_only=on';

/** Settings of a pipelined connection for prepared reads. */
export const PREPARED_READS = `${READS_ONLY}; ${PLANNED_ONCE}`;

/** @param ms after which PostgreSQL cancels a statement; the client waits a little longer */
export const timeLimits = (ms: number) => ({ statement_timeout: ms, query_timeout: ms + RESPONSE_MS });

/** @param options settings of the session that the address gives */
export const connectionConfig = (options: string) => ({
  types: columnTypes,
  connectionTimeoutMillis: 5_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  options: `${LOST_CLIENT_OPTIONS} ${options}`,
});

/** @returns the same for connections in read-only sessions that one read has to itself */
export const readOnlyConfig = <Config extends { readonly options: string }>(config: Config): Config => ({
  ...config,
  options: `${config.options} ${READS_ONLY_OPTIONS}`,
});
