import { readQuery } from '../query-function.js';

/** Above this number of rows the planner's estimate is used, because counting would read the whole table. */
const EXACT_UP_TO = 1_000_000;

const counted = (table: string, rows: string): string =>
  `(select case when c.reltuples > ${EXACT_UP_TO} then c.reltuples::bigint else (select count(*) from ${rows}) end
      from pg_class c where c.oid = '${table}'::regclass)`;

/**
 * @returns the counts of stored data; numbers above a million are estimates. `fidEvents` are id registry events,
 *   `fnameEvents` names with a proof by the name registry
 */
export const selectStoreCounts = readQuery(
  'hub_store_count',
  `select ${counted('message', 'message where not void')} as "messages!",
          (select count(*) from onchain_event where type = 3) as "fidEvents!",
          ${counted('username_proof', 'username_proof where message_hash is null')} as "fnameEvents!"`,
).one();
