import { type Child, startChild } from './child.js';
import type { LoadFigure, LoadOptions, Measure, Measurement, Subject } from './measurement.js';
import type { RequestedOperation } from './sample.js';
import type { StatementLimitInput, StatementLimitResult } from './statement-limit.js';
import { StatementRecorder } from './statement-record.js';

/** A service compared with the minimum that PostgreSQL needs for the same pages. */
export interface StatementComparison {
  readonly service: LoadFigure;
  /** The pages' statements sent by bare clients; absent for the embedded database. */
  readonly statements?: LoadFigure;
}

/** By operation: measurements of the statements of its pages. */
export type StatementMeasures = ReadonlyMap<string, Record<'repeated' | 'zipf', Measure>>;

/** Recorded statements; `stop` ends the clients and removes the records. */
export interface RecordedStatements {
  readonly measures: StatementMeasures;
  stop(): Promise<void>;
}

export type StatementLimit = Child<StatementLimitInput, StatementLimitResult>;

/** @returns a measurement of recorded pages, which are all sent once before the first one */
export const limitMeasure = (limit: StatementLimit, input: StatementLimitInput): Measure => {
  const { seconds: _, ...once } = input;
  let isPrepared = false;
  return async () => {
    if (!isPrepared) await limit.ask(once);
    isPrepared = true;
    const answer = await limit.ask(input);
    const { pages, p50, p99, cpuSeconds } = answer;
    return { rate: pages / answer.seconds, p50, p99, bytes: 0, cpu: (1e6 * cpuSeconds) / pages };
  };
};

/** @param url postgres:// address of the database; @param environment of the service that serves the pages */
export const recordStatements = async (
  { operations, connections, seconds }: LoadOptions & { readonly operations: readonly RequestedOperation[] },
  url: string,
  environment: Readonly<Record<string, string>>,
): Promise<RecordedStatements> => {
  const recorder = await StatementRecorder.start(environment);
  const limit: StatementLimit = startChild('statement-limit.ts');
  const stop = async (): Promise<void> => {
    await limit.stop();
    await recorder.removeFiles();
  };
  const measureOf = async (paths: readonly string[]): Promise<Measure> =>
    limitMeasure(limit, { url, file: await recorder.record(paths), connections, seconds });
  try {
    const measures = new Map<string, Record<'repeated' | 'zipf', Measure>>();
    for (const { operation, requests } of operations) {
      const [repeated, zipf] = [await measureOf(requests.repeated), await measureOf(requests.zipf)];
      measures.set(operation.id, { repeated, zipf });
    }
    return { measures, stop };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    await recorder.stop();
  }
};

/** @returns the results of the service and, if there are any, of its statements, measured in turn */
export const compareWithStatements = async (
  measurement: Measurement,
  subject: Subject,
  statements: Measure | undefined,
): Promise<StatementComparison> => {
  const measures = [measurement.of(subject), ...(statements === undefined ? [] : [statements])];
  const [service, alone] = (await measurement.run(measures)) as [LoadFigure, LoadFigure?];
  return alone === undefined ? { service } : { service, statements: alone };
};
