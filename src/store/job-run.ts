import type { Database } from './database.js';

/** "jobs" */
const JOB_LOCK = 0x6a6f6273;

const claim = async (db: Database, name: string, everyMs: number): Promise<boolean> => {
  const rows = await db.run(
    `insert into job_run (name, began_at) values ($1, now())
       on conflict (name) do update set began_at = excluded.began_at
        where job_run.began_at <= excluded.began_at - $2 * interval '1 millisecond'
     returning name`,
    [name, everyMs],
  );
  return rows.length > 0;
};

/**
 * Runs a job unless it ran within the last `everyMs` milliseconds, in any process, or is running now.
 * The lock is held by a transaction of its own that writes nothing; the embedded database has but one connection,
 * and one process, so it needs none.
 * @returns whether it ran.
 */
export const runDue = async (
  db: Database,
  name: string,
  everyMs: number,
  work: () => Promise<void>,
): Promise<boolean> => {
  const run = async (): Promise<boolean> => {
    if (!(await claim(db, name, everyMs))) return false;
    await work();
    return true;
  };
  if (db.kind === 'embedded') return run();
  return db.transaction(async (session) => {
    const [row] = await session.run<{ free: boolean }>('select pg_try_advisory_xact_lock($1, hashtext($2)) as free', [
      JOB_LOCK,
      name,
    ]);
    return row?.free ? run() : false;
  });
};
