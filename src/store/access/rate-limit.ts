import { priorityWriteQuery, writeQuery } from '../query-function.js';

/** Requests to add to one count. */
export interface RatePoints {
  readonly key: string;
  readonly points: number;
}

/**
 * Adds to counts, in one statement on the connection for priority writes. Keys are locked in order, so that processes
 * that add to the same counts do not deadlock.
 * @param added each key once
 * @param now Unix milliseconds
 * @param windowMs length of a window that begins now
 * @returns the counts after the addition; `expire` is the end of the window in Unix milliseconds
 */
export const upsertRateLimits = priorityWriteQuery(
  'rate-limit-upsert',
  `insert into rate_limit as r (key, points, expire)
   select key, points, :expire::bigint from unnest(:keys::text[], :points::bigint[]) as added (key, points) order by key
   on conflict (key) do update set
     points = case when r.expire <= :now::bigint then excluded.points else r.points + excluded.points end,
     expire = case when r.expire <= :now::bigint then excluded.expire else r.expire end
   returning key, points, expire`,
).rows((added: readonly RatePoints[], { now, windowMs }: { readonly now: number; readonly windowMs: number }) => ({
  keys: added.map(({ key }) => key),
  points: added.map(({ points }) => points),
  expire: now + windowMs,
  now,
}));

/** Deletes counts that ended before `before`. Skips locked rows, so that it cannot deadlock with additions. */
export const deleteEndedRateLimits = writeQuery(
  'rate_limit_delete_ended',
  'delete from rate_limit where key in (select key from rate_limit where expire < :before for update skip locked)',
).done((before: Date) => ({ before: before.getTime() }));
