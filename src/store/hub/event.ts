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

/** A row of the log with what the events that it means are made of. */
export interface LogRow extends LoggedEvent {
  readonly fid: number;
  readonly at: Date;
}

const logAfter = statement<LogRow>(
  'event_log_after',
  'select id, fid, at, body from hub_event where id > $1 order by id limit $2',
);

/** @returns the rows of the log after this one, in order */
export const selectLogAfter = (session: Session, id: number, limit: number): Promise<LogRow[]> =>
  session.read(logAfter, [id, limit]);

const newest = statement<{ id: number }>('newest_event', 'select coalesce(max(id), 0) as id from hub_event');

/** @returns the id of the latest event; 0 if there is none */
export const selectNewestEventId = async (session: Session): Promise<number> =>
  (await session.read(newest, []))[0]?.id ?? 0;

// `offset 0` has the index on the time used: going through the ids would read the whole log.
const firstSince = statement<{ id: number | null }>(
  'first_event_since',
  'select min(id) as id from (select id from hub_event where at >= $1 offset 0) later',
);

/** @returns the id of the first event from this time on; undefined if there is none */
export const selectFirstEventId = async (session: Session, since: Date): Promise<number | undefined> =>
  (await session.read(firstSince, [since]))[0]?.id ?? undefined;
