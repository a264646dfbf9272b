import type pg from 'pg';

/** What a server says of itself. */
export interface ServerState {
  readonly isStandby: boolean;
  /** Bytes of the log that are replayed; null on a server that was never a standby. */
  readonly position: number | null;
  /** Bytes of the log that have arrived, from a server or an archive, and need not be replayed yet. */
  readonly received: number | null;
  /** The same on all servers that are copies of each other, and nowhere else. */
  readonly cluster: string;
}

/** How far a server has replayed the log; everything up to there is visible to later statements of the session. */
export const SERVER_STATE = `select pg_is_in_recovery() as "isStandby",
       pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint as position,
       pg_wal_lsn_diff(pg_last_wal_receive_lsn(), '0/0')::bigint as received,
       control.system_identifier || '/' || d.oid as cluster
  from pg_control_system() control, pg_database d where d.datname = current_database()`;

export const serverStateOf = ({ rows }: pg.QueryResult): ServerState => rows[0] as ServerState;
