import type { Database } from '../../db/database.js';
import { priorityWrite } from '../../db/statement.js';
import { writeQuery } from '../query-function.js';

/** Requests to add to one count. */
export interface RatePoints {
  readonly key: string;
  readonly points: number;
}

/** A count after an addition. */
interface RateSum {
  readonly key: string;
  readonly points: number;
  /** End of the window in Unix milliseconds. */
  readonly expire: number;
}

/** Keys are locked in order, so that processes that add to the same counts do not deadlock. */
const UPSERT = priorityWrite<RateSum>(
  'rate-limit-upsert',
  `insert into rate_limit as r (key, points, expire)
   select key, points, $3::bigint from unnest($1::text[], $2::bigint[]) as added (key, points) order by key
   on conflict (key) do update set
     points = case when r.expire <= $4::bigint then excluded.points else r.points + excluded.points end,
     expire = case when r.expire <= $4::bigint then excluded.expire else r.expire end
   returning key, points, expire`,
);

/**
 * Adds to counts, in one statement on the connection for priority writes.
 * @param added each key once
 * @param now Unix milliseconds
 * @param windowMs length of a window that begins now
 */
export const upsertRateLimits = (
  db: Database,
  added: readonly RatePoints[],
  { now, windowMs }: { readonly now: number; readonly windowMs: number },
): Promise<RateSum[]> => {
  const params = [added.map(({ key }) => key), added.map(({ points }) => points), now + windowMs, now];
  return db.writeWithPriority(UPSERT, params);
};

/** Deletes counts that ended before `before`. Skips locked rows, so that it cannot deadlock with additions. */
export const deleteEndedRateLimits = writeQuery(
  'rate_limit_delete_ended',
  'delete from rate_limit where key in (select key from rate_limit where expire < $1 for update skip locked)',
).done((before: Date) => [before.getTime()]);
