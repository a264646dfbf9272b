import { readQuery, selectQuery, writeQuery } from '../query-function.js';

/** A place in the event log: after this event of this row and all before it; `part` null: after the whole row. */
export interface SinkPosition {
  readonly logId: number;
  readonly part: number | null;
}

/** @returns the last event that the broker has confirmed, once there is a position */
export const selectSinkPosition = readQuery(
  'event_sink_position',
  'select log_id as "logId", part from event_sink',
).one();

/** Begins after everything that is in the log, unless there is a position. */
export const insertSinkPosition = writeQuery(
  'insert_event_sink',
  `insert into event_sink (log_id)
   select coalesce((select max(id) from hub_event), (select log_id from event_log_start))
       on conflict do nothing`,
).done();

/** @returns false if another process has moved it meanwhile */
export const advanceSinkPosition = writeQuery(
  'advance_event_sink',
  `update event_sink set log_id = :toLogId, part = :toPart?
    where log_id = :fromLogId and part is not distinct from :fromPart?::integer returning log_id as "logId"`,
).hasRows((from: SinkPosition, to: SinkPosition) => ({
  fromLogId: from.logId,
  fromPart: from.part,
  toLogId: to.logId,
  toPart: to.part,
}));

/** @returns the time of the oldest row of the log of which the broker has not confirmed everything; undefined: there is none */
export const selectUnsentSince = selectQuery(
  'select_unsent_since',
  `select at from hub_event
    where id >= (select log_id + case when part is null then 1 else 0 end from event_sink) order by id limit 1`,
).value('at');
