import { type BackgroundWriter, startBackgroundWriter } from './background-writer.js';
import { type BuildPair, both, type Comparison, openSides, startBoth } from './build-pair.js';
import { startChild } from './child.js';
import { type Generator, type LoadFigure, type LoadOptions, Measurement, subjectOf } from './measurement.js';
import type { RequestedOperation } from './sample.js';
import { type Service, startService } from './service.js';
import type { Target } from './target.js';

/**
 * How often both builds are started anew. Two starts of one build differ by a tenth and more for as long as they run
 * (bench/RESULTS.md), which more rounds of one start do not show.
 */
const STARTS = 4;
/** Rounds for each start. Each measures both builds; they take turns at being first. */
const ROUNDS = 2;
/** Seconds of reads before those under writes are measured. */
const RAMP_UP_SECONDS = 1;
const UNCACHED = { CASTELLAN_CACHE_MB: '0' };

/** One row of reads on both builds, with a result for each round. */
export interface ReadPair {
  readonly what: string;
  readonly rounds: readonly Comparison<LoadFigure>[];
}

export interface ReadPairResult {
  readonly pairs: readonly ReadPair[];
  /** Resident bytes: after the start, after the uncached reads, after the repeated and Zipf reads. */
  readonly memory: Readonly<Record<'start' | 'uncached' | 'reads', Comparison<number>>>;
}

export interface ReadPairInput extends LoadOptions {
  /** Folders of two checkouts, both built. */
  readonly checkouts: Comparison<string>;
  /** Loaded by the old build or by one with the same migrations. */
  readonly target: Target;
  readonly operations: readonly RequestedOperation[];
  readonly flags: readonly string[];
}

type Services = Comparison<Service>;
type MeasureSide = (side: keyof BuildPair) => Promise<LoadFigure>;

/** What a side runs that can be paused. */
type Processes = Comparison<readonly Pick<Service, 'pause' | 'resume'>[]>;

const otherOf = { old: 'new', new: 'old' } as const;

/** Measures a side while the processes of the other do nothing at all: one at rest takes something, too. */
const measureAlone = async (side: keyof BuildPair, measure: MeasureSide, processes: Processes): Promise<LoadFigure> => {
  const others = processes[otherOf[side]];
  for (const other of others) other.pause();
  try {
    return await measure(side);
  } finally {
    for (const other of others) other.resume();
  }
};

/** Measures both sides in turn. */
const measureInTurn = async (
  what: string,
  measure: MeasureSide,
  { input, processes }: { readonly input: ReadPairInput; readonly processes: Processes },
): Promise<ReadPair> => {
  const rounds: Comparison<LoadFigure>[] = [];
  while (rounds.length < ROUNDS) {
    const [first, second] = rounds.length % 2 === 0 ? (['old', 'new'] as const) : (['new', 'old'] as const);
    const figures = {
      [first]: await measureAlone(first, measure, processes),
      [second]: await measureAlone(second, measure, processes),
    };
    rounds.push(figures as unknown as Comparison<LoadFigure>);
    input.progress.add(2);
  }
  return { what, rounds };
};

const measureRow = async (
  what: string,
  paths: readonly string[],
  services: Services,
  { input, measurement, writers }: Means,
): Promise<ReadPair> => {
  const subjects = { old: subjectOf(services.old, paths), new: subjectOf(services.new, paths) };
  await measurement.warmUp(subjects.old);
  await measurement.warmUp(subjects.new);
  const measure: MeasureSide = (side) => {
    const subject = subjects[side];
    if (writers === undefined) return measurement.of(subject)();
    return writers[side].during(measurement.of(subject, RAMP_UP_SECONDS), measurement.of(subject));
  };
  const processesOf = (side: keyof BuildPair) => [services[side], ...(writers === undefined ? [] : [writers[side]])];
  return measureInTurn(what, measure, { input, processes: { old: processesOf('old'), new: processesOf('new') } });
};

interface Means {
  readonly input: ReadPairInput;
  readonly measurement: Measurement;
  readonly writers?: Comparison<BackgroundWriter>;
}

const memoryOf = (services: Services): Promise<Comparison<number>> =>
  both(services, async (service) => (await service.usage()).bytes);

const measureUncached = async (sides: BuildPair, means: Means) => {
  const { operations, flags } = means.input;
  const { started, stop } = await startBoth(sides, ({ target, checkout }) =>
    startService({ ...target.environment, ...UNCACHED }, flags, 'serve', checkout),
  );
  try {
    const pairs: ReadPair[] = [];
    for (const { operation, requests } of operations) {
      pairs.push(await measureRow(`${operation.name}, uncached`, requests.repeated, started, means));
    }
    return { pairs, memory: await memoryOf(started) };
  } finally {
    await stop();
  }
};

const measureCached = async (sides: BuildPair, means: Means) => {
  const { operations, flags } = means.input;
  const services = await startBoth(sides, ({ target, checkout }) =>
    startService(target.environment, flags, 'serve', checkout),
  );
  const pairs: ReadPair[] = [];
  try {
    const start = await memoryOf(services.started);
    for (const { operation, requests } of operations) {
      pairs.push(await measureRow(`${operation.name}, repeated`, requests.repeated, services.started, means));
      pairs.push(await measureRow(`${operation.name}, Zipf`, requests.zipf, services.started, means));
    }
    const reads = await memoryOf(services.started);
    const written = operations.filter(({ operation }) => operation.isUnderWrites);
    if (written.length === 0) return { pairs, memory: { start, reads } };
    const writers = await startBoth(sides, ({ target, checkout }) => startBackgroundWriter(target, checkout));
    try {
      for (const { operation, requests } of written) {
        const what = `${operation.name}, repeated, under writes`;
        pairs.push(await measureRow(what, requests.repeated, services.started, { ...means, writers: writers.started }));
      }
    } finally {
      await writers.stop();
    }
    return { pairs, memory: { start, reads } };
  } finally {
    await services.stop();
  }
};

/** @param starts the rows of each start, in the same order */
const joinRounds = (starts: readonly (readonly ReadPair[])[]): ReadPair[] =>
  (starts[0] ?? []).map(({ what }, row) => ({ what, rounds: starts.flatMap((pairs) => pairs[row]?.rounds ?? []) }));

/**
 * Measures the reads of two builds in turn, on one database if they have the same migrations. Both are started several
 * times; the memory is that of the last start.
 * @throws unless the database is on a PostgreSQL server
 */
export const measureReadPairs = async (input: ReadPairInput): Promise<ReadPairResult> => {
  const { operations, progress, target } = input;
  if (target.kind !== 'postgres') throw new Error('--pair needs a PostgreSQL server: give it by BENCH_DATABASE_URL');
  const written = operations.filter(({ operation }) => operation.isUnderWrites).length;
  const { sides, drop } = await openSides(input.checkouts, target);
  const generator: Generator = startChild('load.ts');
  const means: Means = { input, measurement: new Measurement(generator, input) };
  progress.start('paired reads', 2 * STARTS * ROUNDS * (3 * operations.length + written), 'measurements');
  try {
    const starts: ReadPairResult[] = [];
    while (starts.length < STARTS) {
      const uncached = await measureUncached(sides, means);
      const { pairs, memory } = await measureCached(sides, means);
      starts.push({ pairs: [...pairs, ...uncached.pairs], memory: { ...memory, uncached: uncached.memory } });
    }
    const { memory } = starts.at(-1) as ReadPairResult;
    return { pairs: joinRounds(starts.map(({ pairs }) => pairs)), memory };
  } finally {
    progress.stop();
    await generator.stop();
    await drop();
  }
};
