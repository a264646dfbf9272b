import type { Session } from './database.js';

export interface DatabaseStanding {
  /** As the server says it: `15.4 (Debian 15.4-1)`. */
  readonly version: string;
  readonly bytes: number;
  /** Unix milliseconds by the database's clock. */
  readonly now: number;
}

/** @returns what the database says of itself. */
export const selectDatabaseStanding = async (session: Session): Promise<DatabaseStanding> => {
  const [row] = await session.select<DatabaseStanding>(
    `select current_setting('server_version') as version, pg_database_size(current_database()) as bytes,
            (extract(epoch from clock_timestamp()) * 1000)::bigint as now`,
  );
  return row as DatabaseStanding;
};
