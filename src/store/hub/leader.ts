import { priorityQuery, priorityWriteQuery, writeQuery } from '../query-function.js';

// Not behind other writes: a leader that is only busy must not lose its place.
/**
 * Makes a process the leader, or keeps it the leader.
 * @param options `leadMs` is how long it leads unless it calls again; `state` is what other processes may read
 * @returns whether it leads; false while another one does
 */
export const claimHubLeadership = priorityWriteQuery(
  'claim_hub_leader',
  `insert into hub_leader as l (process, leads_until, state)
    values (:processId::uuid, clock_timestamp() + :leadMs::float8 * interval '1 millisecond', :state::jsonb)
    on conflict (only_row) do update set
      process = excluded.process, leads_until = excluded.leads_until, state = excluded.state
     where l.process = excluded.process or l.leads_until <= clock_timestamp()
    returning process`,
).hasRows((processId: string, options: { readonly leadMs: number; readonly state: object }) => ({
  processId,
  leadMs: options.leadMs,
  state: JSON.stringify(options.state),
}));

/** Lets another process lead at once. */
export const releaseHubLeadership = writeQuery(
  'release_hub_leader',
  'delete from hub_leader where process = :processId::uuid',
).done((processId: string) => ({ processId }));

/** @returns what the leader said last; undefined if no process leads */
export const selectHubLeaderState = priorityQuery(
  'hub_leader_state',
  'select state from hub_leader where leads_until > clock_timestamp()',
).value('state');
