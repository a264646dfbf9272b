import type { Session } from '../../db/statement.js';
import type { Invalidation } from '../../store/change.js';
import type { HubPosition } from '../../store/hub/position.js';
import type { Candidate } from '../candidate.js';
import { type IngestOutcome, reportOf, type SubmitOptions } from '../ingest-outcome.js';
import { isItemError, withItemErrorsIn } from '../item-error.js';
import { applyBatch } from './batch.js';
import type { IngestDependencies } from './dependencies.js';

/** Rows of one transaction. The embedded database runs in this process, so a larger batch would block requests. */
const BATCH_SIZE = { postgres: 5_000, embedded: 1_000 } as const;

interface Job {
  readonly candidates: readonly Candidate[];
  readonly options: SubmitOptions;
  readonly resolve: (outcomes: IngestOutcome[]) => void;
  readonly reject: (error: unknown) => void;
}

const positionOf = (job: Job): HubPosition[] => (job.options.position ? [job.options.position] : []);

export interface Committer {
  /** @returns the outcome of each candidate, after the commit */
  commit(candidates: readonly Candidate[], options: SubmitOptions): Promise<IngestOutcome[]>;
  drain(): Promise<void>;
}

/**
 * Stores candidates in batches, in the order of the calls. Calls that wait while a batch is written share the next
 * transaction, so that many small submissions cost little more than one.
 */
export const createCommitter = ({
  db,
  network,
  onCommit,
  onBatch,
  log,
  tracer,
  now = Date.now,
  channelRegistrar,
}: IngestDependencies): Committer => {
  const waiting: Job[] = [];
  let running: Promise<void> | undefined;

  const write = async (
    candidates: readonly Candidate[],
    positions: readonly HubPosition[],
  ): Promise<IngestOutcome[]> => {
    const started = performance.now();
    const context = { network, now: now(), channelRegistrar };
    let invalidation: Invalidation | undefined;
    const apply = async (session: Session): Promise<IngestOutcome[]> => {
      const result = await withItemErrorsIn(session, () => applyBatch(session, candidates, positions, context));
      invalidation = result.invalidation;
      return result.outcomes;
    };
    const source = candidates[0]?.options.source;
    const attributes = { 'castellan.source': source ?? 'none', 'castellan.items': candidates.length };
    const store = (): Promise<IngestOutcome[]> => db.transaction(apply);
    let outcomes: IngestOutcome[];
    try {
      outcomes = await (tracer ? tracer.span('ingest batch', attributes, store) : store());
    } finally {
      // Also after an error: if the connection breaks during the commit, the batch may be stored.
      if (invalidation) onCommit?.(invalidation);
    }
    if (source) onBatch?.({ source, report: reportOf(outcomes), seconds: (performance.now() - started) / 1000 });
    return outcomes;
  };

  const writeLarge = async (job: Job): Promise<IngestOutcome[]> => {
    const outcomes: IngestOutcome[] = [];
    const size = BATCH_SIZE[db.kind];
    let start = 0;
    do {
      const part = job.candidates.slice(start, start + size);
      start += size;
      // The position follows all items of the call, so it is written with the last of them.
      outcomes.push(...(await write(part, start < job.candidates.length ? [] : positionOf(job))));
    } while (start < job.candidates.length);
    return outcomes;
  };

  const commitOne = async (job: Job): Promise<void> => {
    try {
      job.resolve(await writeLarge(job));
    } catch (error) {
      job.reject(error);
    }
  };

  const commitAll = async (jobs: readonly Job[]): Promise<void> => {
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
      if (!isItemError(error)) {
        for (const job of jobs) job.reject(error);
        return;
      }
      // One of them cannot be stored; the others must not fail with it.
      log?.error({ err: error, jobs: jobs.length }, 'a shared batch failed; its submits are stored one by one');
      for (const job of jobs) await commitOne(job);
    }
  };

  const nextJobs = (): Job[] => {
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
      const jobs = nextJobs();
      if (jobs.length === 1) await commitOne(jobs[0] as Job);
      else await commitAll(jobs);
    }
    running = undefined;
  };

  return {
    commit: async (candidates, options) => {
      if (candidates.length === 0 && !options.position) return [];
      const outcomes = new Promise<IngestOutcome[]>((resolve, reject) =>
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
