import { readQuery, writeQuery } from '../query-function.js';

/** Where the kept part of the event log begins. */
export interface LogStart {
  /** Id of the last row that was deleted; 0: none was. */
  readonly logId: number;
  /** Its time; null: none was deleted. */
  readonly at: Date | null;
}

export const selectLogStart = readQuery('event_log_start', 'select log_id as "logId", at from event_log_start').one();

// Whatever is not yet handed to webhooks stays, however old it is.
/**
 * Deletes the oldest rows of the log, and notes where it begins.
 * @param before id of the first row that stays
 * @returns how many rows were deleted, at most `limit`
 */
export const deleteOldEvents = writeQuery(
  'delete_old_events',
  `with old as materialized (
     select id, at from hub_event
      where id < :before and id <= (select log_id from webhook_cursor)
      order by id limit :limit
   ), last as (
     update event_log_start s set log_id = old.id, at = old.at
       from old where old.id = (select max(id) from old)
   ), deleted as (
     delete from hub_event where id in (select id from old) returning id
   )
   select count(*)::integer as "count!" from deleted`,
).valueOr('count', 0, (before: number, limit: number) => ({ before, limit }));
