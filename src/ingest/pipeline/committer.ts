import type { Invalidation } from '../../store/change.js';
import type { Session } from '../../store/database.js';
import type { HubPosition } from '../../store/hub-position.js';
import { applyBatch } from './batch.js';
import type { Candidate } from '../candidate.js';
import { blamingItemsIn, isItemFault } from '../item-fault.js';
import { type Outcome, reportOf, type SubmitOptions } from '../ingest-outcome.js';
import type { IngestParts } from '../pipeline.js';

/** Rows of one transaction. The embedded database runs in this process: a longer batch would hold up requests. */
const BATCH_SIZE = { postgres: 5_000, embedded: 1_000 } as const;

interface Job {
  readonly candidates: readonly Candidate[];
  readonly options: SubmitOptions;
  readonly resolve: (outcomes: Outcome[]) => void;
  readonly reject: (error: unknown) => void;
}

const positionOf = (job: Job): HubPosition[] => (job.options.position ? [job.options.position] : []);

export interface Committer {
  /** @returns one outcome for each candidate, after the commit. */
  commit(candidates: readonly Candidate[], options: SubmitOptions): Promise<Outcome[]>;
  drain(): Promise<void>;
}

/**
 * Puts candidates into the store, batch after batch in the order of the calls. Calls that wait while a batch is being
 * written share the next transaction, so that many small submits cost little more than one.
 */
export const createCommitter = ({ db, network, onCommit, onBatch, log, now = Date.now }: IngestParts): Committer => {
  const waiting: Job[] = [];
  let running: Promise<void> | undefined;

  const write = async (candidates: readonly Candidate[], positions: readonly HubPosition[]): Promise<Outcome[]> => {
    const started = performance.now();
    const context = { network, now: now() };
    let invalidation: Invalidation | undefined;
    const apply = async (session: Session): Promise<Outcome[]> => {
      const result = await blamingItemsIn(session, () => applyBatch(session, candidates, positions, context));
      invalidation = result.invalidation;
      return result.outcomes;
    };
    let outcomes: Outcome[];
    try {
      outcomes = await db.transaction(apply);
    } finally {
      // Also after a failure: a connection that is lost during the commit leaves open whether it was stored.
      if (invalidation) onCommit?.(invalidation);
    }
    const source = candidates[0]?.options.source;
    if (source) onBatch?.({ source, report: reportOf(outcomes), seconds: (performance.now() - started) / 1000 });
    return outcomes;
  };

  const writeLarge = async (job: Job): Promise<Outcome[]> => {
    const outcomes: Outcome[] = [];
    const size = BATCH_SIZE[db.kind];
    let start = 0;
    do {
      const part = job.candidates.slice(start, start + size);
      start += size;
      // The position stands behind all items of the call, so it is written with the last of them.
      outcomes.push(...(await write(part, start < job.candidates.length ? [] : positionOf(job))));
    } while (start < job.candidates.length);
    return outcomes;
  };

  const settleAlone = async (job: Job): Promise<void> => {
    try {
      job.resolve(await writeLarge(job));
    } catch (error) {
      job.reject(error);
    }
  };

  const settleTogether = async (jobs: readonly Job[]): Promise<void> => {
    try {
      const outcomes = await write(
        jobs.flatMap((job) => job.candidates),
        jobs.flatMap(positionOf),
      );
      let start = 0;
      for (const job of jobs) {
        job.resolve(outcomes.slice(start, start + job.candidates.length));
        start += job.candidates.length;
      }
    } catch (error) {
      if (!isItemFault(error)) {
        for (const job of jobs) job.reject(error);
        return;
      }
      // One of them cannot be stored; it must not take the others with it.
      log?.error({ err: error, jobs: jobs.length }, 'a shared batch failed; its submits are stored one by one');
      for (const job of jobs) await settleAlone(job);
    }
  };

  const takeJobs = (): Job[] => {
    const jobs: Job[] = [];
    let size = 0;
    while (waiting[0] && (jobs.length === 0 || size + waiting[0].candidates.length <= BATCH_SIZE[db.kind])) {
      const job = waiting.shift() as Job;
      size += job.candidates.length;
      jobs.push(job);
    }
    return jobs;
  };

  const run = async (): Promise<void> => {
    while (waiting.length > 0) {
      const jobs = takeJobs();
      if (jobs.length === 1) await settleAlone(jobs[0] as Job);
      else await settleTogether(jobs);
    }
    running = undefined;
  };

  return {
    commit: async (candidates, options) => {
      if (candidates.length === 0 && !options.position) return [];
      const outcomes = new Promise<Outcome[]>((resolve, reject) =>
        waiting.push({ candidates, options, resolve, reject }),
      );
      running ??= run();
      return outcomes;
    },
    drain: async () => {
      await running;
    },
  };
};
