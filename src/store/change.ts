import { insertRows } from './bulk.js';
import type { Session } from './database.js';
import type { ListSource } from './list-source.js';

/** What a batch changed, so far as readers keep it in memory. */
export interface Touched {
  /** Accounts whose profile or counters changed. */
  readonly fids: readonly number[];
  /** Hashes of casts whose row or counters changed. */
  readonly casts: readonly Uint8Array[];
  /** What lists are made from, as far as it changed. */
  readonly lists: readonly ListSource[];
  /** Set instead of what would be too long: everything may have changed. */
  readonly all: boolean;
}

/** Nothing is known any more. */
export const EVERYTHING_TOUCHED: Touched = { fids: [], casts: [], lists: [], all: true };

/** @returns a change that accounts and casts themselves do not show: it decides who or what stands in lists. */
export const touchedLists = (lists: readonly ListSource[]): Touched => ({ fids: [], casts: [], lists, all: false });

export const insertChange = async (session: Session, touched: Touched): Promise<void> => {
  await session.run('insert into change (fids, casts, lists, touches_all) values ($1, $2, $3, $4)', [
    touched.fids,
    touched.casts,
    touched.lists,
    touched.all,
  ]);
};

/** One event of the log that this service offers as a hub. */
export interface HubEventRow {
  readonly fid: number;
  /** `HubEventType` of the protocol. */
  readonly type: number;
  /** The protobuf `HubEvent` without its id: the row's id is the event's. */
  readonly body: Uint8Array;
}

/** Appends to the event log, in the order given. */
export const insertHubEvents = async (session: Session, rows: readonly HubEventRow[]): Promise<void> => {
  await insertRows(session, 'hub_event', { fid: 'bigint', type: 'smallint', body: 'bytea' }, rows);
};

/** "fide" */
const INGEST_LOCK = 0x66696465;

/**
 * Makes this transaction the only one that ingests, until it ends. Conflict rules, counters and threads are
 * worked out in memory from rows read inside the transaction, which is exact only when nobody else writes them.
 */
export const lockIngest = async (session: Session): Promise<void> => {
  // A batch looks up thousands of keys in tables of any size. The planner takes few rows for many and reads a whole
  // table to join it; by the index each key costs a few microseconds, however large the table.
  await session.run(
    `select pg_advisory_xact_lock($1), set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`,
    [INGEST_LOCK],
  );
};
