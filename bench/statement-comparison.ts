import { type Child, startChild } from './child.js';
import type { Figure, LoadOptions, Measure, Measurement, Subject } from './measurement.js';
import type { Asked } from './read.js';
import type { StatementLimitAnswer, StatementLimitInput } from './statement-limit.js';
import { StatementRecorder } from './statement-record.js';

/** A service beside the least that PostgreSQL takes for the same pages. */
export interface BesideStatements {
  readonly service: Figure;
  /** The pages' own statements, sent by bare clients; absent for the embedded database. */
  readonly statements?: Figure;
}

/** By operation: what measures the statements of its pages. */
export type StatementMeasures = ReadonlyMap<string, Record<'warm' | 'mix', Measure>>;

/** What was recorded; `stop` ends the clients and removes the records. */
export interface RecordedStatements {
  readonly measures: StatementMeasures;
  stop(): Promise<void>;
}

type Limit = Child<StatementLimitInput, StatementLimitAnswer>;

/** @param url postgres:// address of the database; @param environment of the service that is asked for the pages */
export async function recordStatements(
  { operations, connections, seconds }: LoadOptions & { readonly operations: readonly Asked[] },
  url: string,
  environment: Readonly<Record<string, string>>,
): Promise<RecordedStatements> {
  const recorder = await StatementRecorder.start(environment);
  const limit: Limit = startChild('statement-limit.ts');
  const stop = async (): Promise<void> => {
    await limit.stop();
    await recorder.removeFiles();
  };
  const measureOf = async (paths: readonly string[]): Promise<Measure> => {
    const file = await recorder.record(paths);
    let isPrepared = false;
    return async () => {
      if (!isPrepared) await limit.ask({ url, file, connections });
      isPrepared = true;
      const answer = await limit.ask({ url, file, connections, seconds });
      const { pages, p50, p99, cpuSeconds } = answer;
      return { rate: pages / answer.seconds, p50, p99, bytes: 0, cpu: (1e6 * cpuSeconds) / pages };
    };
  };
  try {
    const measures = new Map<string, Record<'warm' | 'mix', Measure>>();
    for (const { operation, requests } of operations) {
      const [warm, mix] = [await measureOf(requests.warm), await measureOf(requests.mix)];
      measures.set(operation.id, { warm, mix });
    }
    return { measures, stop };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    await recorder.stop();
  }
}

/** @returns the figures of the service and, where there are any, of its statements, measured in turn */
export async function besideStatements(
  measurement: Measurement,
  subject: Subject,
  statements: Measure | undefined,
): Promise<BesideStatements> {
  const measures = [measurement.of(subject), ...(statements === undefined ? [] : [statements])];
  const [service, alone] = (await measurement.run(measures)) as [Figure, Figure?];
  return alone === undefined ? { service } : { service, statements: alone };
}
