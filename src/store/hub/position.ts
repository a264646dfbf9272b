import { execute, type Session, sql } from '../../db/statement.js';

export interface HubPosition {
  /** Address of the hub, as in `HubClient.hub`. */
  readonly hub: string;
  readonly shard: number;
  /** Id of the newest event that is stored. */
  readonly eventId: number;
}

const selectHubPositionSql = sql<{ event_id: number }>(
  'select_hub_position',
  'select event_id from hub_position where hub = $1 and shard = $2',
);

/** @returns the id of the newest stored event of a shard; undefined when none of the shard was ever read */
export const selectHubPosition = async (session: Session, hub: string, shard: number): Promise<number | undefined> =>
  (await session.select(selectHubPositionSql, [hub, shard]))[0]?.event_id;

const upsertHubPositionSql = sql(
  'upsert_hub_position',
  `insert into hub_position (hub, shard, event_id) values ($1, $2, $3)
    on conflict (hub, shard) do update set event_id = excluded.event_id, updated_at = now()
      where excluded.event_id > hub_position.event_id`,
);

/** Stores the position of a shard, which never decreases. Call it in the transaction that stores the events. */
export const upsertHubPosition = (session: Session, position: HubPosition): Promise<void> =>
  execute(session, upsertHubPositionSql, [position.hub, position.shard, position.eventId]);
