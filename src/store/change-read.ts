import type { Database } from '../db/database.js';
import { priorityQuery, writeQuery } from './query-function.js';
import type { Camel } from './table.js';
import type { Tables } from './tables.js';

/** What one committed transaction invalidated. */
export type ChangeRow = Camel<Omit<Tables['change'], 'at'>>;

export interface ChangeBatch {
  /**
   * The oldest transaction that was open when this query ran (xid8, as text). Pass it to the next call: rows that become
   * visible later have this transaction id or a higher one, although their `id` may be lower.
   */
  readonly xmin: string;
  /** The database's clock, Unix seconds. */
  readonly now: number;
  readonly rows: ChangeRow[];
}

// Caches are bypassed while an answer to this is late. If it queued behind other reads, an overload would switch the
// caches off and make itself worse. A transaction that stays open for long makes `seen` long: `not in` hashes it, where
// `<> all` would compare each row with each id, and an anti-join does so while the planner thinks the table small.
const changesSince = priorityQuery(
  'change_since',
  `select s.xmin::text as "xmin!", extract(epoch from clock_timestamp())::float8 as "now!",
          c.id, c.xid::text as xid, c.tags, c.is_all as "isAll"
     from (select pg_snapshot_xmin(pg_current_snapshot()) as xmin) s
     left join change c on c.xid >= coalesce(:from?::xid8, s.xmin) and c.id not in (select unnest(:seen::bigint[]))
    order by c.xid, c.id`,
).rows();

/**
 * @param from `xmin` of the batch before; null for the first one, which begins with the transactions now open
 * @param seen ids above `from` that were answered already
 */
export const selectChanges = async (db: Database, from: string | null, seen: number[]): Promise<ChangeBatch> => {
  const joined = await changesSince(db, { from, seen });
  const { xmin, now } = joined[0] as (typeof joined)[number];
  return { xmin, now, rows: joined.filter((row) => row.id !== null) as unknown as ChangeRow[] };
};

/**
 * Deletes rows that are older than an hour. A process that has not asked for so long empties its whole cache
 * (src/cache/freshness.ts).
 * @returns number of rows deleted
 */
export const deleteOldChanges = writeQuery(
  'delete_old_changes',
  `with removed as (delete from change where at < now() - interval '1 hour' returning 1) select count(*) as "count!" from removed`,
).valueOr('count', 0);
