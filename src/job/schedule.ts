import type { Database } from '../db/database.js';
import { runDue } from '../store/job-run.js';

export interface Job {
  /** Unique; several processes with a job of one name run it once in its interval, and never twice at a time. */
  readonly name: string;
  readonly everyMs: number;
  /** Nobody waits for its result: it begins ten seconds after the start, so that it does not slow the first requests. */
  readonly isUpkeep?: boolean;
  /** @param signal the service stops, or another process runs the job: end soon, by throwing the signal's reason */
  run(signal: AbortSignal): Promise<void>;
}

export interface Schedule {
  /** Looks for jobs that are due, for upkeep ten seconds later, and again whenever one may be. */
  start(): void;
  /** Aborts what is running and waits until it has ended. */
  stop(): Promise<void>;
}

/** How long after the start upkeep is looked at. */
const UPKEEP_DELAY_MS = 10_000;
/** The part of its interval after which a job is tried again when the database did not answer. */
const RETRY_PART = 0.1;

/**
 * Runs jobs in their intervals. A job that fails is reported and tried again after its interval.
 * @param options.failed called with each failure
 * @param options.upkeepDelayMs 10 seconds unless given
 */
export const createSchedule = (options: {
  db: Database;
  jobs: readonly Job[];
  failed: (job: string, error: unknown) => void;
  upkeepDelayMs?: number;
}): Schedule => {
  const { db, jobs, failed, upkeepDelayMs = UPKEEP_DELAY_MS } = options;
  const running = new Map<string, Promise<void>>();
  const timers = new Map<string, NodeJS.Timeout>();
  const stopping = new AbortController();

  /** Runs a job if it is due. @returns the milliseconds after which to look again */
  const look = async ({ name, everyMs, run }: Job): Promise<number> => {
    const began = performance.now();
    try {
      const waitMs = await runDue(db, name, everyMs, (lost) => run(AbortSignal.any([stopping.signal, lost])));
      return waitMs ?? everyMs - (performance.now() - began);
    } catch (error) {
      if (!stopping.signal.aborted) failed(name, error);
      return everyMs * RETRY_PART;
    }
  };
  const beginAfter = (job: Job, waitMs: number): void => {
    timers.set(job.name, setTimeout(() => begin(job), Math.max(waitMs, 0)).unref());
  };
  const begin = (job: Job): void => {
    const lookAndWait = async (): Promise<void> => {
      const waitMs = await look(job);
      running.delete(job.name);
      if (!stopping.signal.aborted) beginAfter(job, waitMs);
    };
    running.set(job.name, lookAndWait());
  };

  return {
    start: () => {
      for (const job of jobs) {
        if (job.isUpkeep) beginAfter(job, upkeepDelayMs);
        else begin(job);
      }
    },
    stop: async () => {
      stopping.abort();
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(running.values());
    },
  };
};
