import { insertRows } from './bulk.js';
import type { Session } from './database.js';
import type { Tag } from './tag.js';

/** What a transaction changed, as far as readers cache it. */
export interface Invalidation {
  readonly tags: readonly Tag[];
  /** Set instead of tags that would be too many: everything may have changed. */
  readonly all: boolean;
}

export const EVERYTHING: Invalidation = { tags: [], all: true };

export const invalidationOf = (tags: readonly Tag[]): Invalidation => ({ tags, all: false });

/** Tells other processes, once the transaction is committed. */
export const insertChange = async (session: Session, { tags, all }: Invalidation): Promise<void> => {
  await session.run('insert into change (tags, is_all) values ($1, $2)', [tags, all]);
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
