import { selectQuery } from './query-function.js';

/**
 * Counts the rows of the event log by minute. Ids grow with time, so that each minute needs a search by id of about 40
 * index lookups (as `selectEventIdSince`), and none of its rows is read.
 * @returns a row for each minute from one to another, the oldest first; an upper bound, because ids have gaps
 */
export const selectEventsByMinute = selectQuery(
  'events_by_minute',
  `with bound as (
     select m as minute, (
       with recursive search (low, high) as (
         select min(id), max(id) + 1 from hub_event
         union all
         select case when row.at < m then row.id + 1 else low end, case when row.at < m then high else (low + high) / 2 end
           from search, lateral (select id, at from hub_event where id >= (low + high) / 2 order by id limit 1) row
          where low < high
       )
       select low from search where low >= high
     ) as first
     from generate_series(:from::timestamptz, :to::timestamptz, interval '1 minute') m
   )
   select minute as "minute!",
          coalesce(lead(first, 1, (select max(id) + 1 from hub_event)) over (order by minute) - first, 0)::integer as "events!"
     from bound order by minute`,
).rows((from: Date, to: Date) => ({ from, to }));
