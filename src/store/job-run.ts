import { randomUUID } from 'node:crypto';
import type { Database } from '../db/database.js';
import { sql } from '../db/statement.js';
import { hasRows } from './table.js';

/** Milliseconds for which a run counts as in progress after its last renewal. */
const LEASE_MS = 15_000;
/** A run survives two failed renewals. */
const RENEW_MS = LEASE_MS / 3;

/** One run of a job. */
interface Run {
  readonly name: string;
  readonly id: string;
}

const claimRunSql = sql(
  'claim_run',
  `insert into job_run as j (name, began_at, claimed_by, claimed_until)
    values ($1, now(), $3::uuid, now() + $4 * interval '1 millisecond')
      on conflict (name) do update set
        began_at = excluded.began_at, claimed_by = excluded.claimed_by, claimed_until = excluded.claimed_until
       where j.began_at <= now() - $2 * interval '1 millisecond' and coalesce(j.claimed_until <= now(), true)
    returning name`,
);

const claimRun = (db: Database, { name, id }: Run, everyMs: number): Promise<boolean> =>
  hasRows(db.run(claimRunSql, [name, everyMs, id, LEASE_MS]));

const renewRunSql = sql(
  'renew_run',
  `update job_run set claimed_until = now() + $3 * interval '1 millisecond'
    where name = $1 and claimed_by = $2::uuid returning name`,
);

/** @returns false when another process has claimed the job meanwhile. */
const renewRun = (db: Database, { name, id }: Run): Promise<boolean> =>
  hasRows(db.run(renewRunSql, [name, id, LEASE_MS]));

const endRunSql = sql(
  'end_run',
  'update job_run set claimed_by = null, claimed_until = null where name = $1 and claimed_by = $2::uuid',
);

const endRun = async (db: Database, { name, id }: Run): Promise<void> => {
  await db.run(endRunSql, [name, id]);
};

/**
 * Runs a job unless it began within the last `everyMs` milliseconds, in any process, or is under way now. While it
 * runs it holds no connection: its claim is a row with a lease, which is renewed until it ends. A failed run is
 * not repeated; the next one is due `everyMs` after it began.
 *
 * @param work its signal is aborted when the lease ran out, because the database was away or this process stood still,
 *   and another process has begun the job: end soon, by throwing the signal's reason
 * @returns whether it ran.
 * @throws what `work` throws
 */
export const runDue = async (
  db: Database,
  name: string,
  everyMs: number,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<boolean> => {
  const run = { name, id: randomUUID() };
  if (!(await claimRun(db, run, everyMs))) return false;
  const lost = new AbortController();
  const renew = async (): Promise<void> => {
    // After a failure the next renewal may still succeed before the lease ends.
    const isHeld = await renewRun(db, run).catch(() => true);
    if (!isHeld) lost.abort(new Error(`Another process has begun the job ${name}.`));
  };
  const timer = setInterval(() => void renew(), RENEW_MS).unref();
  try {
    await work(lost.signal);
    return true;
  } finally {
    clearInterval(timer);
    // Where this fails, the lease ends by itself.
    await endRun(db, run).catch(() => undefined);
  }
};
