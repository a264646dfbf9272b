import { writeQuery } from '../query-function.js';

/** How far a hub and the store were when a sync compared them, by shard. */
export interface HubReach {
  /** Number of the hub's newest block. */
  readonly heights: Readonly<Record<string, number>>;
  /** Id of the newest event that was stored from any hub. */
  readonly storedEvents: Readonly<Record<string, number>>;
}

/** Records how many messages of an account a sync removes because the hub lacks them, for the audit. */
export const upsertHubRemoval = writeQuery(
  'upsert_hub_removal',
  `insert into hub_removal (fid, hub, message_count, hub_heights, stored_events)
    select r.fid, :hub, count(*), :heights, :storedEvents from unnest(:fids::bigint[]) r (fid) group by r.fid
    on conflict (fid, hub) do update set removed_at = excluded.removed_at, message_count = excluded.message_count,
      hub_heights = excluded.hub_heights, stored_events = excluded.stored_events`,
).done((hub: string, { heights, storedEvents }: HubReach, fids: readonly number[]) => ({
  hub,
  heights: JSON.stringify(heights),
  storedEvents: JSON.stringify(storedEvents),
  fids,
}));
