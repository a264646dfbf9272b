import { type Session, statement } from '../../db/statement.js';

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
 * Selects events in the order in which they happened. Writers hold the ingest lock from before they take an id until
 * they have committed, so no event can appear before one that was already read.
 * @param id of the first event to return
 */
export const selectHubEvents = (session: Session, id: number, limit: number): Promise<LoggedEvent[]> =>
  session.read(fromId, [id, limit]);

const byId = statement<LoggedEvent>('hub_event_by_id', 'select id, body from hub_event where id = $1');

/** @returns one event; undefined when the log does not have it or no longer has it */
export const selectHubEvent = async (session: Session, id: number): Promise<LoggedEvent | undefined> =>
  (await session.read(byId, [id]))[0];
