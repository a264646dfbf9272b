import { randomUUID } from 'node:crypto';
import type { Database } from '../db/database.js';
import { priorityWriteQuery } from './query-function.js';

/** Milliseconds for which a run counts as in progress after its last renewal. */
const LEASE_MS = 15_000;
/** A run survives two failed renewals. */
const RENEW_MS = LEASE_MS / 3;

/** One run of a job. */
interface Run {
  readonly name: string;
  readonly id: string;
}

/**
 * A time that is further ahead than a lease was written before the database's clock was set back: it holds nothing up.
 * @returns undefined when the run is claimed, else the milliseconds until the job may be due, from a tenth of its interval
 *   to all of it
 */
const claimRun = priorityWriteQuery(
  'claim_run',
  `with claimed as (
     insert into job_run as j (name, began_at, claimed_by, claimed_until)
     values (:name, now(), :id::uuid, now() + :leaseMs * interval '1 millisecond')
         on conflict (name) do update set
           began_at = excluded.began_at, claimed_by = excluded.claimed_by, claimed_until = excluded.claimed_until
          where (j.began_at <= now() - :everyMs * interval '1 millisecond'
                 or j.began_at > now() + :leaseMs * interval '1 millisecond')
            and coalesce(j.claimed_until <= now() or j.claimed_until > now() + 2 * :leaseMs * interval '1 millisecond', true)
     returning name)
   select case when not exists (select from claimed)
               then greatest(:everyMs / 10.0, least(:everyMs, :everyMs - (
                 select extract(epoch from now() - began_at) * 1000 from job_run where name = :name)))::float8 end as "waitMs"`,
).valueOr('waitMs', undefined, ({ name, id }: Run, everyMs: number) => ({ name, everyMs, id, leaseMs: LEASE_MS }));

/** @returns false when another process has claimed the job meanwhile. */
const renewRun = priorityWriteQuery(
  'renew_run',
  `update job_run set claimed_until = now() + :leaseMs * interval '1 millisecond'
    where name = :name and claimed_by = :id::uuid returning name`,
).hasRows(({ name, id }: Run) => ({ name, id, leaseMs: LEASE_MS }));

const endRun = priorityWriteQuery(
  'end_run',
  'update job_run set claimed_by = null, claimed_until = null where name = :name and claimed_by = :id::uuid',
).done(({ name, id }: Run) => ({ name, id }));

/**
 * Runs a job unless it began within the last `everyMs` milliseconds, in any process, or is under way now. While it
 * runs it holds no connection: its claim is a row with a lease, which is renewed until it ends. A failed run is
 * not repeated; the next one is due `everyMs` after it began.
 *
 * @param work its signal is aborted when the lease ran out, because the database was away or this process stood still,
 *   and another process has begun the job: end soon, by throwing the signal's reason
 * @param renewMs milliseconds between two renewals
 * @returns undefined if it ran, else the milliseconds after which to try again
 * @throws what `work` throws
 */
export const runDue = async (
  db: Database,
  name: string,
  everyMs: number,
  work: (signal: AbortSignal) => Promise<void>,
  renewMs = RENEW_MS,
): Promise<number | undefined> => {
  const run = { name, id: randomUUID() };
  const waitMs = await claimRun(db, run, everyMs);
  if (waitMs !== undefined) return waitMs;
  const lost = new AbortController();
  const renew = async (): Promise<void> => {
    // After a failure the next renewal may still succeed before the lease ends.
    const isHeld = await renewRun(db, run).catch(() => true);
    if (!isHeld) lost.abort(new Error(`Another process has begun the job ${name}.`));
  };
  const timer = setInterval(() => void renew(), renewMs).unref();
  try {
    await work(lost.signal);
    return undefined;
  } finally {
    clearInterval(timer);
    // Where this fails, the lease ends by itself.
    await endRun(db, run).catch(() => undefined);
  }
};
