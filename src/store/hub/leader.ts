import type { Database } from '../../db/database.js';
import { priorityStatement, priorityWrite, type Session } from '../../db/statement.js';
import { writeQuery } from '../query-function.js';

// Not behind other writes: a leader that is only busy must not lose its place.
const claimSql = priorityWrite<{ process: string }>(
  'claim_hub_leader',
  `insert into hub_leader as l (process, leads_until, state)
    values ($1::uuid, clock_timestamp() + $2::float8 * interval '1 millisecond', $3::jsonb)
    on conflict (only_row) do update set
      process = excluded.process, leads_until = excluded.leads_until, state = excluded.state
     where l.process = excluded.process or l.leads_until <= clock_timestamp()
    returning process`,
);

/**
 * Makes a process the leader, or keeps it the leader.
 * @param options `leadMs` is how long it leads unless it calls again; `state` is what other processes may read
 * @returns whether it leads; false while another one does
 */
export const claimHubLeadership = async (
  db: Database,
  processId: string,
  options: { readonly leadMs: number; readonly state: object },
): Promise<boolean> => {
  const rows = await db.writeWithPriority(claimSql, [processId, options.leadMs, JSON.stringify(options.state)]);
  return rows.length > 0;
};

/** Lets another process lead at once. */
export const releaseHubLeadership = writeQuery(
  'release_hub_leader',
  'delete from hub_leader where process = $1::uuid',
).done((processId: string) => [processId]);

const stateSql = priorityStatement<{ state: unknown }>(
  'hub_leader_state',
  'select state from hub_leader where leads_until > clock_timestamp()',
);

/** @returns what the leader said last; undefined if no process leads */
export const selectHubLeaderState = async (session: Session): Promise<unknown> =>
  (await session.read(stateSql, []))[0]?.state;
