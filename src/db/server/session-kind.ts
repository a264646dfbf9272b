import type { SessionSettings } from './session-setting.js';

/** What a connection is for: the settings of its sessions, and when a statement takes too long there. */
export interface SessionKind {
  readonly settings: SessionSettings;
  /** Milliseconds after which PostgreSQL cancels a statement; undefined: never. */
  readonly limitMs?: number;
}

/**
 * Milliseconds after which a shared connection gives up a statement that waits for a lock, or runs: the statements behind
 * it wait as long. Reads wait only for locks that exclude them, like those of `alter table`.
 */
const SHARED_LOCK_TIMEOUT_MS = 10;
export const SHARED_STATEMENT_TIMEOUT_MS = 250;
/** The same for statements that have a connection to themselves. */
const SLOW_READ_LOCK_TIMEOUT_MS = 5_000;
const SLOW_READ_TIMEOUT_MS = 30_000;
const SEARCH_TIMEOUT_MS = 3_000;
const PRIORITY_WRITE_TIMEOUT_MS = 3_000;

// These statements are short and stop as soon as a page is full, so compiling their plans or using parallel workers would
// cost more than the statements; workers would also change the order in which parts of a list are read.
const SHORT_STATEMENTS: SessionSettings = { jit: 'off', max_parallel_workers_per_gather: 0 };

// PostgreSQL rejects writes here (SQLSTATE 25006), so only reads are ever sent twice.
const READS_ONLY: SessionSettings = { ...SHORT_STATEMENTS, default_transaction_read_only: 'on' };

// A few rows by their keys, from pages that are in memory: a whole table costs more even if it is small, and planning for
// the values costs more than the statement.
const PLANNED_ONCE: SessionSettings = { random_page_cost: 1.1, plan_cache_mode: 'force_generic_plan' };

/** Transactions, single writes and jobs, some of which have statements that take long on a large network. */
export const WORK: SessionKind = { settings: {} };

/** Reads without a name, on a shared connection. */
export const UNPREPARED_READS: SessionKind = {
  settings: { ...READS_ONLY, lock_timeout: SHARED_LOCK_TIMEOUT_MS },
  limitMs: SHARED_STATEMENT_TIMEOUT_MS,
};

/** Short reads by their names, on a shared connection. */
export const PREPARED_READS: SessionKind = {
  settings: { ...UNPREPARED_READS.settings, ...PLANNED_ONCE },
  limitMs: SHARED_STATEMENT_TIMEOUT_MS,
};

/** Reads that a shared connection gave up. */
export const SLOW_READS: SessionKind = {
  settings: { ...READS_ONLY, lock_timeout: SLOW_READ_LOCK_TIMEOUT_MS },
  limitMs: SLOW_READ_TIMEOUT_MS,
};

export const SEARCHES: SessionKind = { settings: READS_ONLY, limitMs: SEARCH_TIMEOUT_MS };

export const PRIORITY_WRITES: SessionKind = { settings: SHORT_STATEMENTS, limitMs: PRIORITY_WRITE_TIMEOUT_MS };
