import type { Session } from '../store/database.js';

/** The embedded engine replays this much at most after a crash. */
const CHECKPOINT_WAL_BYTES = 64 * 1024 * 1024;

/** What the background writer and autovacuum do on a server, which the embedded engine has not got. */
export interface EmbeddedCare {
  /** To be called after each transaction. */
  afterTransaction(): Promise<void>;
  /** Frees the space of dead rows and refreshes the planner's statistics. */
  vacuum(): Promise<void>;
  /** Refreshes the planner's statistics of tables that changed much since: plans for fewer rows are made anew. */
  analyze(): Promise<void>;
}

/** As autovacuum has it: 50 rows and a tenth of the table. */
const CHANGED = `
  select quote_ident(relname) as name from pg_stat_user_tables
   where n_mod_since_analyze > 50 + 0.1 * n_live_tup`;

/** @param session the engine at large, outside of any transaction */
export const createEmbeddedCare = (session: Pick<Session, 'run' | 'script'>): EmbeddedCare => ({
  afterTransaction: async () => {
    const [row] = await session.run<{ bytes: number }>(
      'select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::bigint as bytes from pg_control_checkpoint()',
    );
    if ((row?.bytes ?? 0) > CHECKPOINT_WAL_BYTES) await session.script('checkpoint');
  },
  vacuum: () => session.script('vacuum (analyze)'),
  analyze: async () => {
    // What changed is counted with a delay.
    await session.run('select pg_stat_force_next_flush()');
    const tables = await session.run<{ name: string }>(CHANGED);
    if (tables.length > 0) await session.script(`analyze ${tables.map(({ name }) => name).join(', ')}`);
  },
});
