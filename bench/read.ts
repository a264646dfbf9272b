import { type BackgroundWriter, startBackgroundWriter } from './background-writer.js';
import { type Child, startChild } from './child.js';
import {
  type Generator,
  type LoadFigure,
  type LoadOptions,
  Measurement,
  ROUNDS,
  type Subject,
  subjectOf,
} from './measurement.js';
import type { LimitInput } from './node-http-limit.js';
import type { ReadOperation } from './read-operation.js';
import type { RequestedOperation } from './sample.js';
import { type Service, startService } from './service.js';
import {
  compareWithStatements,
  recordStatements,
  type StatementComparison,
  type StatementMeasures,
} from './statement-comparison.js';
import type { Target } from './target.js';

export interface ReadResults {
  readonly operation: ReadOperation;
  /** Ids of a working set that were all requested before. */
  readonly repeated: LoadFigure;
  /** Like `repeated` while messages are written; absent for operations that are not measured so. */
  readonly underWrites?: LoadFigure;
  /** Ids of everything stored, by popularity. */
  readonly zipf: StatementComparison;
  /** Like `repeated` without a cache. */
  readonly uncached: StatementComparison;
  /** `node:http` with the responses of `repeated` in memory. */
  readonly limit: LoadFigure;
}

export interface ReadResult {
  readonly figures: readonly ReadResults[];
  /** Resident bytes of the service. */
  readonly memory: {
    /** After the start, before the first request. */
    readonly start: number;
    /** After all reads without a cache. */
    readonly uncached: number;
    /** After all repeated and Zipf reads. */
    readonly reads: number;
  };
}

export interface ReadInput extends LoadOptions {
  readonly operations: readonly RequestedOperation[];
  readonly target: Pick<Target, 'kind' | 'environment' | 'url'>;
  readonly flags: readonly string[];
}

type RepeatedFigures = Omit<ReadResults, 'uncached' | 'underWrites'>;
type Limit = Child<LimitInput, number>;

/** Seconds of reads before those under writes are measured. */
const RAMP_UP_SECONDS = 1;

/** One operation with repeated and Zipf requests, and its limit. */
const measureRepeated = async (
  { operation, requests }: RequestedOperation,
  measurement: Measurement,
  { service, limit, statements }: { service: Service; limit: Limit; statements: StatementMeasures },
): Promise<RepeatedFigures> => {
  const { port, apiKey } = service;
  const repeated = subjectOf(service, requests.repeated);
  const limitPort = await limit.ask({ copy: { port, apiKey, paths: requests.repeated } });
  const copy: Subject = {
    port: limitPort,
    apiKey,
    paths: requests.repeated,
    next: 0,
    cpuSeconds: () => limit.ask('cpu'),
  };
  await measurement.warmUp(repeated);
  await measurement.warmUp(copy, 1);
  const [repeatedFigure, limitResult] = (await measurement.run([measurement.of(repeated), measurement.of(copy)])) as [
    LoadFigure,
    LoadFigure,
  ];
  const zipf = subjectOf(service, requests.zipf);
  await measurement.warmUp(zipf);
  const zipfFigures = await compareWithStatements(measurement, zipf, statements.get(operation.id)?.zipf);
  return { operation, repeated: repeatedFigure, zipf: zipfFigures, limit: limitResult };
};

/** The repeated requests while messages are written. */
const measureUnderWrites = async (
  { requests }: RequestedOperation,
  measurement: Measurement,
  { service, writer }: { service: Service; writer: BackgroundWriter },
): Promise<LoadFigure> => {
  const subject = subjectOf(service, requests.repeated);
  await measurement.warmUp(subject);
  const lead = measurement.of(subject, RAMP_UP_SECONDS);
  const [figure] = (await measurement.run([() => writer.during(lead, measurement.of(subject))])) as [LoadFigure];
  return figure;
};

/** The embedded database allows only one process, so nothing else can write. */
const selectWritten = ({ operations, target }: ReadInput): RequestedOperation[] =>
  target.kind === 'postgres' ? operations.filter(({ operation }) => operation.isUnderWrites) : [];

/** With the default cache: every operation repeated and Zipf, then those that are measured under writes. */
const measureCached = async (input: ReadInput, measurement: Measurement, statements: StatementMeasures) => {
  const service = await startService(input.target.environment, input.flags);
  const limit: Limit = startChild('node-http-limit.ts');
  const figures: RepeatedFigures[] = [];
  const underWrites = new Map<string, LoadFigure>();
  let writer: BackgroundWriter | undefined;
  try {
    const start = (await service.usage()).bytes;
    for (const asked of input.operations) {
      figures.push(await measureRepeated(asked, measurement, { service, limit, statements }));
    }
    const reads = (await service.usage()).bytes;
    // Last: the writes change the network.
    for (const asked of selectWritten(input)) {
      writer ??= await startBackgroundWriter(input.target);
      underWrites.set(asked.operation.id, await measureUnderWrites(asked, measurement, { service, writer }));
    }
    return { figures, underWrites, memory: { start, reads } };
  } finally {
    await writer?.stop();
    await limit.stop();
    await service.stop();
  }
};

const measureUncached = async (input: ReadInput, measurement: Measurement, statements: StatementMeasures) => {
  const service = await startService({ ...input.target.environment, CASTELLAN_CACHE_MB: '0' }, input.flags);
  const figures = new Map<string, StatementComparison>();
  try {
    for (const { operation, requests } of input.operations) {
      const subject = subjectOf(service, requests.repeated);
      // Compiles the code and loads the pages into the database's memory.
      await measurement.warmUp(subject, 1);
      figures.set(
        operation.id,
        await compareWithStatements(measurement, subject, statements.get(operation.id)?.repeated),
      );
    }
    return { figures, memory: (await service.usage()).bytes };
  } finally {
    await service.stop();
  }
};

const countMeasurements = (input: ReadInput): number =>
  ROUNDS * (input.operations.length * (input.target.kind === 'postgres' ? 6 : 4) + selectWritten(input).length);

/** Measures every operation together with its limits, at the same time on the same machine. */
export const measureReads = async (input: ReadInput): Promise<ReadResult> => {
  const { url } = input.target;
  const recorded = url === undefined ? undefined : await recordStatements(input, url, input.target.environment);
  const statements: StatementMeasures = recorded?.measures ?? new Map();
  const generator: Generator = startChild('load.ts');
  const measurement = new Measurement(generator, input);
  input.progress.start('reads', countMeasurements(input), 'measurements');
  try {
    // Uncached first: the reads under writes change the network.
    const uncached = await measureUncached(input, measurement, statements);
    const cached = await measureCached(input, measurement, statements);
    const figures = cached.figures.map((one): ReadResults => {
      const underWrites = cached.underWrites.get(one.operation.id);
      const uncachedFigures = uncached.figures.get(one.operation.id) as StatementComparison;
      return { ...one, uncached: uncachedFigures, ...(underWrites === undefined ? {} : { underWrites }) };
    });
    return { figures, memory: { ...cached.memory, uncached: uncached.memory } };
  } finally {
    input.progress.stop();
    await generator.stop();
    await recorded?.stop();
  }
};
