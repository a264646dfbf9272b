import { selectQuery } from './query-function.js';

/** @returns bytes of the database, and of its largest tables with their indexes, largest first */
export const selectTableSizes = selectQuery(
  'table_sizes',
  `select c.relname::text as "name!", pg_total_relation_size(c.oid) as "bytes!", greatest(c.reltuples, 0)::bigint as "rows!"
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p')
    order by 2 desc, 1 limit :limit`,
).rows((limit: number) => ({ limit }));

export const selectDatabaseBytes = selectQuery(
  'database_bytes',
  'select pg_database_size(current_database()) as "bytes!"',
).valueOr('bytes', 0);

/** @returns the last run of each job that all processes share, by name */
export const selectJobRuns = selectQuery(
  'job_runs',
  `select name, began_at as "beganAt", coalesce(claimed_until > now(), false) as "isRunning!" from job_run order by name`,
).rows();
