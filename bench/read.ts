import { type BackgroundWriter, startBackgroundWriter } from './background-writer.js';
import { type Child, startChild } from './child.js';
import type { LimitInput } from './node-http-limit.js';
import {
  type Figure,
  type Generator,
  type LoadOptions,
  Measurement,
  ROUNDS,
  type Subject,
  subjectOf,
} from './measurement.js';
import type { ReadOperation } from './read-operation.js';
import type { Requests } from './sample.js';
import { type Service, startService } from './service.js';
import {
  type BesideStatements,
  besideStatements,
  recordStatements,
  type StatementMeasures,
} from './statement-comparison.js';
import type { Target } from './target.js';

export interface ReadFigures {
  readonly operation: ReadOperation;
  /** Ids of a working set, all of them asked for before. */
  readonly warm: Figure;
  /** As `warm`, while messages are written; absent for operations that are not measured so. */
  readonly underWrites?: Figure;
  /** Ids of everything stored, by popularity. */
  readonly mix: BesideStatements;
  /** As `warm`, with no fragment cache. */
  readonly cold: BesideStatements;
  /** `node:http` with the answers of `warm` in memory. */
  readonly limit: Figure;
}

export interface ReadAnswer {
  readonly figures: readonly ReadFigures[];
  /** Resident bytes of the service. */
  readonly memory: {
    /** After the start, before the first request. */
    readonly start: number;
    /** After all reads with no cache. */
    readonly cold: number;
    /** After all warm and mixed reads. */
    readonly reads: number;
  };
}

/** An operation with what is asked of it. */
export interface Asked {
  readonly operation: ReadOperation;
  readonly requests: Requests;
}

export interface ReadInput extends LoadOptions {
  readonly operations: readonly Asked[];
  readonly target: Pick<Target, 'kind' | 'environment' | 'url'>;
  readonly flags: readonly string[];
}

type WarmFigures = Omit<ReadFigures, 'cold' | 'underWrites'>;
type Limit = Child<LimitInput, number>;

/** Seconds of reads before those under writes are measured. */
const LEAD_SECONDS = 1;

/** One operation warm, mixed, and its limit. */
async function measureWarm(
  { operation, requests }: Asked,
  measurement: Measurement,
  { service, limit, statements }: { service: Service; limit: Limit; statements: StatementMeasures },
): Promise<WarmFigures> {
  const { port, apiKey } = service;
  const warm = subjectOf(service, requests.warm);
  const limitPort = await limit.ask({ copy: { port, apiKey, paths: requests.warm } });
  const copy: Subject = { port: limitPort, apiKey, paths: requests.warm, next: 0, cpuSeconds: () => limit.ask('cpu') };
  await measurement.warmUp(warm);
  await measurement.warmUp(copy, 1);
  const [warmFigure, limitFigure] = (await measurement.run([measurement.of(warm), measurement.of(copy)])) as [
    Figure,
    Figure,
  ];
  const mix = subjectOf(service, requests.mix);
  await measurement.warmUp(mix);
  const mixFigures = await besideStatements(measurement, mix, statements.get(operation.id)?.mix);
  return { operation, warm: warmFigure, mix: mixFigures, limit: limitFigure };
}

/** The warm requests while messages are written. */
async function measureUnderWrites(
  { requests }: Asked,
  measurement: Measurement,
  { service, writer }: { service: Service; writer: BackgroundWriter },
): Promise<Figure> {
  const subject = subjectOf(service, requests.warm);
  await measurement.warmUp(subject);
  const lead = measurement.of(subject, LEAD_SECONDS);
  const [figure] = (await measurement.run([() => writer.during(lead, measurement.of(subject))])) as [Figure];
  return figure;
}

/** The embedded database is held by one process, which leaves none to write. */
const selectWritten = ({ operations, target }: ReadInput): Asked[] =>
  target.kind === 'postgres' ? operations.filter(({ operation }) => operation.isUnderWrites) : [];

/** With the default cache: every operation warm and mixed, then those that are measured under writes. */
async function measureCached(input: ReadInput, measurement: Measurement, statements: StatementMeasures) {
  const service = await startService(input.target.environment, input.flags);
  const limit: Limit = startChild('limit.ts');
  const figures: WarmFigures[] = [];
  const underWrites = new Map<string, Figure>();
  let writer: BackgroundWriter | undefined;
  try {
    const start = (await service.usage()).bytes;
    for (const asked of input.operations) {
      figures.push(await measureWarm(asked, measurement, { service, limit, statements }));
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
}

/** With no cache of entities and fragments. */
async function measureCold(input: ReadInput, measurement: Measurement, statements: StatementMeasures) {
  const service = await startService({ ...input.target.environment, FRAGMENT_CACHE_MB: '0' }, input.flags);
  const figures = new Map<string, BesideStatements>();
  try {
    for (const { operation, requests } of input.operations) {
      const subject = subjectOf(service, requests.warm);
      // So that the code is compiled and the database has the pages in its own memory.
      await measurement.warmUp(subject, 1);
      figures.set(operation.id, await besideStatements(measurement, subject, statements.get(operation.id)?.warm));
    }
    return { figures, memory: (await service.usage()).bytes };
  } finally {
    await service.stop();
  }
}

const countMeasurements = (input: ReadInput): number =>
  ROUNDS * (input.operations.length * (input.target.kind === 'postgres' ? 6 : 4) + selectWritten(input).length);

/** Measures every operation beside its limits, in the same minutes on the same machine. */
export async function measureReads(input: ReadInput): Promise<ReadAnswer> {
  const { url } = input.target;
  const recorded = url === undefined ? undefined : await recordStatements(input, url, input.target.environment);
  const statements: StatementMeasures = recorded?.measures ?? new Map();
  const generator: Generator = startChild('load.ts');
  const measurement = new Measurement(generator, input);
  input.progress.start('reads', countMeasurements(input), 'measurements');
  try {
    // Uncached first: the reads under writes change the network.
    const cold = await measureCold(input, measurement, statements);
    const cached = await measureCached(input, measurement, statements);
    const figures = cached.figures.map((one): ReadFigures => {
      const underWrites = cached.underWrites.get(one.operation.id);
      const coldFigures = cold.figures.get(one.operation.id) as BesideStatements;
      return { ...one, cold: coldFigures, ...(underWrites === undefined ? {} : { underWrites }) };
    });
    return { figures, memory: { ...cached.memory, cold: cold.memory } };
  } finally {
    input.progress.stop();
    await generator.stop();
    await recorded?.stop();
  }
}
