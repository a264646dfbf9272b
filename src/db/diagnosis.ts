import type { Session } from './statement.js';

export interface DatabaseState {
  /** As reported by the server: `15.4 (Debian 15.4-1)`. */
  readonly version: string;
  readonly bytes: number;
  /** Unix milliseconds by the database's clock. */
  readonly now: number;
}

export const selectDatabaseState = async (session: Session): Promise<DatabaseState> => {
  const [row] = await session.select<DatabaseState>(
    `select current_setting('server_version') as version, pg_database_size(current_database()) as bytes,
            (extract(epoch from clock_timestamp()) * 1000)::bigint as now`,
  );
  return row as DatabaseState;
};
