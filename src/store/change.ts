import type { Tag } from '../db/statement.js';
import { insertRows, writeQuery } from './query-function.js';
import type { Camel, Written } from './table.js';
import type { Tables } from './tables.js';

/** Cache tags that a transaction changed. */
export interface Invalidation {
  readonly tags: readonly Tag[];
  /** Set instead of too many tags: everything may have changed. */
  readonly all: boolean;
}

export const INVALIDATE_ALL: Invalidation = { tags: [], all: true };

/** Of a commit that changes nothing that is cached, such as an event of the log. */
export const INVALIDATE_NOTHING: Invalidation = { tags: [], all: false };

export const invalidationOf = (tags: readonly Tag[]): Invalidation => ({ tags, all: false });

/** Invalidates caches of other processes, once the transaction is committed. */
export const insertChange = writeQuery('insert_change', 'insert into change (tags, is_all) values (:tags, :all)').done(
  ({ tags, all }: Invalidation) => ({ tags, all }),
);

/** A row of the event log, as `EventLogRow`. */
export type HubEventRow = Camel<Written<Pick<Tables['hub_event'], 'fid' | 'type' | 'body'>>>;

/** Appends to the event log, in the order given. */
export const insertHubEvents = insertRows('insert_hub_events', 'hub_event', {
  fid: 'bigint',
  type: 'smallint',
  body: 'bytea',
}).done((rows: readonly HubEventRow[]) => [rows]);

/** "fide" */
const INGEST_LOCK = 0x66696465;

/**
 * Makes this transaction the only one that ingests, until it ends. Conflict rules, counters and threads are
 * worked out in memory from rows read inside the transaction, which is exact only when no other process writes them.
 *
 * It also turns hash and merge joins off for the transaction. The planner overestimates the index lookups of a batch's
 * thousands of keys and would read whole tables instead; by the index each key costs a few microseconds.
 */
export const lockIngest = writeQuery(
  'lock_ingest',
  `select pg_advisory_xact_lock(:ingestLock) as locked, set_config('enable_hashjoin', 'off', true) as hashjoin,
          set_config('enable_mergejoin', 'off', true) as mergejoin`,
).done(() => ({ ingestLock: INGEST_LOCK }));
