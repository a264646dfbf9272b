import { selectQuery, writeQuery } from '../query-function.js';

export interface HubPosition {
  /** Address of the hub, as in `HubClient.hub`. */
  readonly hub: string;
  readonly shard: number;
  /** Id of the newest event that is stored. */
  readonly eventId: number;
}

/** @returns the id of the newest stored event of a shard; undefined when none of the shard was ever read */
export const selectHubPosition = selectQuery<{ event_id: number }>(
  'select_hub_position',
  'select event_id from hub_position where hub = $1 and shard = $2',
).value('event_id', (hub: string, shard: number) => [hub, shard]);

/** Stores the position of a shard, which never decreases. Call it in the transaction that stores the events. */
export const upsertHubPosition = writeQuery(
  'upsert_hub_position',
  `insert into hub_position (hub, shard, event_id) values ($1, $2, $3)
    on conflict (hub, shard) do update set event_id = excluded.event_id, updated_at = now()
      where excluded.event_id > hub_position.event_id`,
).done((position: HubPosition) => [position.hub, position.shard, position.eventId]);
