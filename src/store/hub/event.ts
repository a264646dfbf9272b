import { type Session, statement } from '../database.js';

export interface LoggedEvent {
  readonly id: number;
  /** The protobuf `HubEvent`, without its id. */
  readonly body: Buffer;
}

const fromId = statement<LoggedEvent>(
  'hub_event_from_id',
  'select id, body from hub_event where id >= $1 order by id limit $2',
);

/**
 * Events in the order in which they happened: writers take the ingest lock before they take ids and keep it until
 * they have committed, so no event can appear below one that was read.
 * @param id the first event to return
 */
export const selectHubEvents = (session: Session, id: number, limit: number): Promise<LoggedEvent[]> =>
  session.read(fromId, [id, limit]);

const byId = statement<LoggedEvent>('hub_event_by_id', 'select id, body from hub_event where id = $1');

/** @returns one event; undefined when the log has none of that id (any more). */
export const selectHubEvent = async (session: Session, id: number): Promise<LoggedEvent | undefined> =>
  (await session.read(byId, [id]))[0];
