import { sqlState } from './failure.js';
import type { Param, Session } from './statement.js';

/** A separate connection, so that requests do not delay the probe. */
export interface ProbeConnection {
  run<Row>(text: string, params?: readonly Param[]): Promise<Row[]>;
  /** Closes the connection, even during a statement; the next statement opens a new one. */
  reset(): Promise<void>;
  /** Closes the connection permanently: later statements fail. */
  close(): Promise<void>;
}

/** Whether the database accepts writes, or why not. */
export type Writability = 'yes' | 'standby' | 'read-only' | 'disk-full';

const NO_PERMISSION = '42501';
const DISK_FULL = '53100';

/**
 * Rows of about 64 KB in total, for which the table's file must grow: on a full disk this fails like other writes. A
 * temporary table is not in the write-ahead log, and is emptied at the end of the transaction. Both statements are sent
 * as one text, which is one transaction: behind a pooler, the next one may have another session.
 */
const GROW = `
  create temporary table if not exists castellan_probe (filler text) on commit delete rows;
  insert into castellan_probe select repeat('x', 100) from generate_series(1, 512)`;

/**
 * Checks whether the database accepts writes, without changing data.
 * @throws the database's error when it does not respond
 */
export const selectWritability = async (session: Pick<Session, 'run'>): Promise<Writability> => {
  const [row] = await session.run<{ standby: boolean; readOnly: boolean }>(
    `select pg_is_in_recovery() as standby, current_setting('transaction_read_only') = 'on' as "readOnly"`,
  );
  if (row?.standby) return 'standby';
  if (row?.readOnly) return 'read-only';
  try {
    await session.run(GROW);
  } catch (error) {
    if (sqlState(error) === DISK_FULL) return 'disk-full';
    // Users who may not create temporary tables: a full disk shows only at the first real write.
    if (sqlState(error) !== NO_PERMISSION) throw error;
  }
  return 'yes';
};
