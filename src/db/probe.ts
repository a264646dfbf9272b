import type { Param, Session } from '../store/database.js';
import { sqlState } from '../store/failure.js';

/** A connection on which nothing else is asked, so that no load of requests comes between. */
export interface ProbeConnection {
  run<Row>(text: string, params?: readonly Param[]): Promise<Row[]>;
  /** Closes it, whatever is under way; the next statement opens another one. */
  reset(): Promise<void>;
  /** Closes it for good: what is asked from now on fails. */
  close(): Promise<void>;
}

/** Whether the database takes writes, and why not. */
export type Writability = 'yes' | 'standby' | 'read-only' | 'disk-full';

const NO_PERMISSION = '42501';
const DISK_FULL = '53100';

/**
 * Rows of about 64 KB in all, which make the file of the table grow: where the disk is full, this fails as other writes
 * do. A temporary table is not in the write-ahead log, and is cut to nothing at the end of each statement.
 */
const GROW = "insert into castellan_probe select repeat('x', 100) from generate_series(1, 512)";

/**
 * Asks whether the database takes writes, without leaving anything behind.
 * @throws the database's error when it does not answer
 */
export const selectWritability = async (session: Pick<Session, 'run'>): Promise<Writability> => {
  const [row] = await session.run<{ standby: boolean; readOnly: boolean }>(
    `select pg_is_in_recovery() as standby, current_setting('transaction_read_only') = 'on' as "readOnly"`,
  );
  if (row?.standby) return 'standby';
  if (row?.readOnly) return 'read-only';
  try {
    await session.run('create temporary table if not exists castellan_probe (filler text) on commit delete rows');
    await session.run(GROW);
  } catch (error) {
    if (sqlState(error) === DISK_FULL) return 'disk-full';
    // A user without the right to make temporary tables: what the space is like shows with the first real write.
    if (sqlState(error) !== NO_PERMISSION) throw error;
  }
  return 'yes';
};
