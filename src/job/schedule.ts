import type { Database } from '../db/database.js';
import { runDue } from '../store/job-run.js';

export interface Job {
  /** Unique; several processes with a job of one name run it once in its interval, and never twice at a time. */
  readonly name: string;
  readonly everyMs: number;
  /** @param signal the service stops, or another process runs the job: end soon, by throwing the signal's reason */
  run(signal: AbortSignal): Promise<void>;
}

export interface Schedule {
  /** Looks at once for jobs that are due, and again whenever one may be. */
  start(): void;
  /** Aborts what is running and waits until it has ended. */
  stop(): Promise<void>;
}

/** How often a process looks whether a job is due that another one may have run. */
const POLLS_PER_INTERVAL = 10;

/**
 * Runs jobs in their intervals. A job that fails is reported and tried again after its interval.
 * @param options.failed called with each failure
 */
export const createSchedule = (options: {
  db: Database;
  jobs: readonly Job[];
  failed: (job: string, error: unknown) => void;
}): Schedule => {
  const { db, jobs, failed } = options;
  const running = new Map<string, Promise<void>>();
  const timers: NodeJS.Timeout[] = [];
  const stopping = new AbortController();

  const look = async ({ name, everyMs, run }: Job): Promise<void> => {
    try {
      await runDue(db, name, everyMs, (lost) => run(AbortSignal.any([stopping.signal, lost])));
    } catch (error) {
      if (!stopping.signal.aborted) failed(name, error);
    } finally {
      running.delete(name);
    }
  };
  const begin = (job: Job): void => {
    if (!running.has(job.name)) running.set(job.name, look(job));
  };

  return {
    start: () => {
      for (const job of jobs) {
        begin(job);
        timers.push(setInterval(() => begin(job), job.everyMs / POLLS_PER_INTERVAL).unref());
      }
    },
    stop: async () => {
      for (const timer of timers.splice(0)) clearInterval(timer);
      stopping.abort();
      await Promise.all(running.values());
    },
  };
};
