import type { Session } from '../statement.js';

/** Maximum of write-ahead log that the embedded engine replays after a crash. */
const CHECKPOINT_WAL_BYTES = 64 * 1024 * 1024;

/** How often the length of that log is looked at. */
const CHECK_EVERY_MS = 1_000;

/** Maintenance that a server's background writer and autovacuum do, which the embedded engine lacks. */
export interface EmbeddedMaintenance {
  /** Call this after each transaction. */
  afterTransaction(): Promise<void>;
  /** Keeps the write-ahead log, however long it grows, until the returned function is called. */
  keepLog(): () => void;
  /** Frees the space of dead rows and updates the planner's statistics, in tables that changed enough since the last time. */
  vacuum(): Promise<void>;
  /** Updates the planner's statistics of tables that changed much, so that plans for fewer rows are replaced. */
  analyze(): Promise<void>;
}

/** The thresholds are those of autovacuum: 50 rows and a tenth of the table. */
const ANALYZE_DUE = 'n_mod_since_analyze > 50 + 0.1 * n_live_tup';
const VACUUM_DUE = `${ANALYZE_DUE} or n_dead_tup > 50 + 0.2 * n_live_tup or n_ins_since_vacuum > 1000 + 0.2 * n_live_tup`;

/** @param session runs statements outside of transactions */
export const createEmbeddedMaintenance = (session: Pick<Session, 'run' | 'script'>): EmbeddedMaintenance => {
  const maintain = async (command: string, due: string): Promise<void> => {
    // Changes are counted with a delay.
    await session.run('select pg_stat_force_next_flush()');
    const tables = await session.run<{ name: string }>(`
      select format('%I.%I', schemaname, relname) as name from pg_stat_all_tables
       where schemaname in ('public', 'pg_catalog') and (${due})`);
    if (tables.length > 0) await session.script(`${command} ${tables.map(({ name }) => name).join(', ')}`);
  };
  let checkedAt = Number.NEGATIVE_INFINITY;
  let isLogKept = false;
  return {
    keepLog: () => {
      isLogKept = true;
      return () => {
        isLogKept = false;
      };
    },
    afterTransaction: async () => {
      if (isLogKept || performance.now() - checkedAt < CHECK_EVERY_MS) return;
      checkedAt = performance.now();
      const [row] = await session.run<{ bytes: number }>(
        'select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::bigint as bytes from pg_control_checkpoint()',
      );
      // A backup may have begun meanwhile; a checkpoint that is queued now runs before it.
      if (!isLogKept && (row?.bytes ?? 0) > CHECKPOINT_WAL_BYTES) await session.script('checkpoint');
    },
    vacuum: () => maintain('vacuum (analyze)', VACUUM_DUE),
    analyze: () => maintain('analyze', ANALYZE_DUE),
  };
};
