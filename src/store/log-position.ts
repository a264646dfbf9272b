import { priorityQuery } from './query-function.js';

/**
 * Where the write-ahead log of the primary ends, in bytes since its beginning, with everything that a statement sent
 * before could see: commits are visible when they are flushed, or without `synchronous_commit` when they are inserted.
 * `timeline` changes with each promotion; `cluster` names the database on all servers that are copies of each other.
 */
export const selectLogPosition = priorityQuery(
  'log_position',
  `select pg_wal_lsn_diff(end_of_log.lsn, '0/0')::bigint as "position!",
          left(pg_walfile_name(end_of_log.lsn), 8) as "timeline!",
          control.system_identifier || '/' || d.oid as "cluster!"
     from (select case current_setting('synchronous_commit')
                    when 'off' then pg_current_wal_insert_lsn()
                    else pg_current_wal_flush_lsn()
                  end as lsn) end_of_log,
          pg_control_system() control, pg_database d
    where d.datname = current_database()`,
).one();
