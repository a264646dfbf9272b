import type { Session } from './database.js';

/** How far the event stream of one shard is stored. */
export interface HubPosition {
  /** Address of the hub, as `HubClient.hub` says it. */
  readonly hub: string;
  readonly shard: number;
  /** Id of the newest event that is stored. */
  readonly eventId: number;
}

/** @returns the id of the newest stored event of a shard; undefined when the shard was never read. */
export const selectHubPosition = async (session: Session, hub: string, shard: number): Promise<number | undefined> => {
  const [row] = await session.select<{ event_id: number }>(
    'select event_id from hub_position where hub = $1 and shard = $2',
    [hub, shard],
  );
  return row?.event_id;
};

/** Notes how far a shard is stored; a position never moves back. Call it in the transaction that stores the events. */
export const upsertHubPosition = async (session: Session, position: HubPosition): Promise<void> => {
  await session.run(
    `insert into hub_position (hub, shard, event_id) values ($1, $2, $3)
       on conflict (hub, shard) do update set event_id = excluded.event_id, updated_at = now()
         where excluded.event_id > hub_position.event_id`,
    [position.hub, position.shard, position.eventId],
  );
};
