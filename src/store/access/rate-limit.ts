import { type Database, type Session, urgentWrite } from '../database.js';

/** What is added to one count. */
export interface RatePoints {
  readonly key: string;
  readonly points: number;
}

/** A count with what was added. */
interface RateSum {
  readonly key: string;
  readonly points: number;
  /** Unix milliseconds; it begins at 0 again then. */
  readonly expire: number;
}

/** Always in the same order, so that processes that add to the same counts do not lock each other up. */
const UPSERT = urgentWrite<RateSum>(
  'rate-limit-upsert',
  `insert into rate_limit as r (key, points, expire)
   select key, points, $3::bigint from unnest($1::text[], $2::bigint[]) as added (key, points) order by key
   on conflict (key) do update set
     points = case when r.expire <= $4::bigint then excluded.points else r.points + excluded.points end,
     expire = case when r.expire <= $4::bigint then excluded.expire else r.expire end
   returning key, points, expire`,
);

/**
 * Adds to counts, in one statement that stands behind no long read.
 * @param added each key once
 * @param now Unix milliseconds
 * @param windowMs after which a count that begins now is at 0 again
 */
export const upsertRateLimits = (
  db: Database,
  added: readonly RatePoints[],
  { now, windowMs }: { readonly now: number; readonly windowMs: number },
): Promise<RateSum[]> => {
  const params = [added.map(({ key }) => key), added.map(({ points }) => points), now + windowMs, now];
  return db.writeUrgently(UPSERT, params);
};

/** Deletes counts that ended before `before`. It waits for nobody: who adds to several counts may wait for it. */
export const deleteEndedRateLimits = async (session: Session, before: Date): Promise<void> => {
  await session.run(
    `delete from rate_limit where key in (select key from rate_limit where expire < $1 for update skip locked)`,
    [before.getTime()],
  );
};
