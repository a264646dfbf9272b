import { selectQuery, writeQuery } from '../query-function.js';
import { CHOSEN_FIDS } from './sync.js';

export interface HubPosition {
  /** Address of the hub, as in `HubClient.hub`. */
  readonly hub: string;
  readonly shard: number;
  /** Id of the newest event that is stored. */
  readonly eventId: number;
}

/** @returns the id of the newest stored event of a shard; undefined when none of the shard was ever read */
export const selectHubPosition = selectQuery(
  'select_hub_position',
  'select event_id as "eventId" from hub_position where hub = :hub and shard = :shard',
).value('eventId', (hub: string, shard: number) => ({ hub, shard }));

/**
 * @returns for each shard of which events were read from any hub, the id of the newest one. It does not say how far the store
 *   is (`isKnown`) where the hub's own position is the only one and begins at its newest block, before its accounts are synced
 *   for the first time
 */
export const selectNewestPositions = selectQuery(
  'select_newest_positions',
  `select p.shard, max(p.event_id) as "eventId!", bool_or(p.hub <> :hub or exists (
      select from hub_sync s where s.hub = p.hub and s.shard in (p.shard, ${CHOSEN_FIDS})
         and (s.reason <> 'first' or s.finished_at is not null))) as "isKnown!"
     from hub_position p where p.shard = any(:shards) group by p.shard`,
).rows((hub: string, shards: readonly number[]) => ({ hub, shards }));

/** Stores the position of a shard, which never decreases. Call it in the transaction that stores the events. */
export const upsertHubPosition = writeQuery(
  'upsert_hub_position',
  `insert into hub_position (hub, shard, event_id) values (:hub, :shard, :eventId)
    on conflict (hub, shard) do update set event_id = excluded.event_id, updated_at = now()
      where excluded.event_id > hub_position.event_id`,
).done((position: HubPosition) => ({ hub: position.hub, shard: position.shard, eventId: position.eventId }));
