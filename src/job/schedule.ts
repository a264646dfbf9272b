import type { Database } from '../db/database.js';
import { runDue } from '../store/job-run.js';

export interface Job {
  /** Unique. Several processes with a job of this name run it once per interval, and never concurrently. */
  readonly name: string;
  readonly everyMs: number;
  /** The interval while nothing is committed and its last run left nothing to do; `everyMs` unless given. */
  readonly quietMs?: number;
  /** No request needs its result: it begins ten seconds after the start, so that it does not slow the first requests. */
  readonly isUpkeep?: boolean;
  /**
   * @param signal the service stops, or another process runs the job: end soon, by throwing the signal's reason
   * @returns true if it left something to do
   */
  run(signal: AbortSignal): Promise<unknown>;
}

export interface Schedule {
  /** Runs the jobs that are due, upkeep from ten seconds later on, and each again when it is due. */
  start(): void;
  /** Something was committed, or there is a new block: jobs with a quiet interval run after their short one. */
  wake(): void;
  /** Aborts what is running and waits until it has ended. */
  stop(): Promise<void>;
}

/** How long after the start upkeep begins. */
const UPKEEP_DELAY_MS = 10_000;
/** Share of its interval after which it is checked again whether a job is due that failed or could not be checked. */
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
  /** Monotonic milliseconds at which jobs with a quiet interval began last. */
  const began = new Map<string, number>();
  /** Jobs that were woken during their run. */
  const woken = new Set<string>();
  const timers = new Map<string, NodeJS.Timeout>();
  /** Monotonic milliseconds at which the timers of jobs end. */
  const nextAt = new Map<string, number>();
  const stopping = new AbortController();

  /** Runs a job if it is due. @returns milliseconds until the next check */
  const runIfDue = async ({ name, everyMs, quietMs = everyMs, run }: Job): Promise<number> => {
    const start = performance.now();
    began.set(name, start);
    woken.delete(name);
    let isMore = false;
    try {
      const waitMs = await runDue(db, name, everyMs, async (lost) => {
        isMore = (await run(AbortSignal.any([stopping.signal, lost]))) === true;
      });
      // Another process may have run it before the commit for which this one was woken.
      if (waitMs !== undefined) return waitMs;
      return (isMore || woken.has(name) ? everyMs : quietMs) - (performance.now() - start);
    } catch (error) {
      if (!stopping.signal.aborted) failed(name, error);
      return everyMs * RETRY_PART;
    }
  };
  const beginAfter = (job: Job, waitMs: number): void => {
    nextAt.set(job.name, performance.now() + waitMs);
    timers.set(job.name, setTimeout(() => begin(job), Math.max(waitMs, 0)).unref());
  };
  const begin = (job: Job): void => {
    const runAndWait = async (): Promise<void> => {
      const waitMs = await runIfDue(job);
      running.delete(job.name);
      if (!stopping.signal.aborted) beginAfter(job, waitMs);
    };
    running.set(job.name, runAndWait());
  };

  return {
    wake: () => {
      for (const job of jobs) {
        if (job.quietMs === undefined || stopping.signal.aborted) continue;
        if (running.has(job.name)) woken.add(job.name);
        const at = (began.get(job.name) ?? 0) + job.everyMs;
        // A job that failed, or that another process was running, may be tried again sooner than that.
        if (running.has(job.name) || at >= (nextAt.get(job.name) ?? 0)) continue;
        clearTimeout(timers.get(job.name));
        beginAfter(job, at - performance.now());
      }
    },
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
