import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { type BackgroundWriter, startBackgroundWriter } from './background-writer.js';
import { builtFile } from './build-import.js';
import { startChild } from './child.js';
import { type Generator, type LoadFigure, type LoadOptions, Measurement, subjectOf } from './measurement.js';
import type { RequestedOperation } from './sample.js';
import { ENTRY, type Service, startService } from './service.js';
import type { Target } from './target.js';

/** Each round measures both builds; they take turns at being first. */
const ROUNDS = 6;
/** Seconds of reads before those under writes are measured. */
const RAMP_UP_SECONDS = 1;
const UNCACHED = { CASTELLAN_CACHE_MB: '0' };

/** Values of the old and the new build. */
export interface Comparison<Of> {
  readonly old: Of;
  readonly new: Of;
}

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

interface Build {
  readonly checkout: string;
  readonly target: Target;
}
type BuildPair = Comparison<Build>;
type Services = Comparison<Service>;

const both = async <From, To>({ old, new: fresh }: Comparison<From>, make: (from: From) => Promise<To>) => ({
  old: await make(old),
  new: await make(fresh),
});

const stopAll = (started: readonly { stop(): Promise<void> }[]): Promise<unknown> =>
  Promise.all(started.map((one) => one.stop()));

/** Starts one of each side. @returns both, and a function that stops them */
const startBoth = async <Started extends { stop(): Promise<void> }>(
  sides: BuildPair,
  start: (side: Build) => Promise<Started>,
): Promise<{ started: Comparison<Started>; stop: () => Promise<unknown> }> => {
  const list: Started[] = [];
  try {
    const started = await both(sides, async (side) => {
      const one = await start(side);
      list.push(one);
      return one;
    });
    return { started, stop: () => stopAll(list) };
  } catch (error) {
    await stopAll(list);
    throw error;
  }
};

const migrationsOf = async (checkout: string): Promise<string> =>
  (await readdir(resolve(checkout, 'migrations'))).sort().join();

/** The new build gets a copy of the database if its migrations would break the old one. */
const openSides = async ({
  checkouts,
  target,
}: ReadPairInput): Promise<{ sides: BuildPair; drop: () => Promise<void> }> => {
  const old = { checkout: checkouts.old, target };
  const migrations = await both(checkouts, migrationsOf);
  if (migrations.old === migrations.new) {
    return { sides: { old, new: { ...old, checkout: checkouts.new } }, drop: async () => undefined };
  }
  const copy = await target.copy('copy');
  const env = { PATH: process.env.PATH, ...copy.environment };
  // Migrates before the start, whose timeout is too short for a migration of many rows.
  try {
    await promisify(execFile)(process.execPath, [builtFile(checkouts.new, ENTRY), 'migrate'], { env });
    await copy.vacuum();
  } catch (error) {
    await copy.drop();
    throw error;
  }
  return { sides: { old, new: { checkout: checkouts.new, target: copy } }, drop: copy.drop };
};

type MeasureSide = (side: keyof BuildPair) => Promise<LoadFigure>;

/** Measures both sides in turn. */
const measureInTurn = async (what: string, measure: MeasureSide, input: ReadPairInput): Promise<ReadPair> => {
  const rounds: Comparison<LoadFigure>[] = [];
  while (rounds.length < ROUNDS) {
    const [first, second] = rounds.length % 2 === 0 ? (['old', 'new'] as const) : (['new', 'old'] as const);
    const figures = { [first]: await measure(first), [second]: await measure(second) };
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
  return measureInTurn(what, measure, input);
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

/**
 * Measures the reads of two builds in turn, on one database if they have the same migrations.
 * @throws unless the database is on a PostgreSQL server
 */
export const measureReadPairs = async (input: ReadPairInput): Promise<ReadPairResult> => {
  const { operations, progress, target } = input;
  if (target.kind !== 'postgres') throw new Error('--pair needs a PostgreSQL server: give it by BENCH_DATABASE_URL');
  const written = operations.filter(({ operation }) => operation.isUnderWrites).length;
  const { sides, drop } = await openSides(input);
  const generator: Generator = startChild('load.ts');
  const means: Means = { input, measurement: new Measurement(generator, input) };
  progress.start('paired reads', 2 * ROUNDS * (3 * operations.length + written), 'measurements');
  try {
    const uncached = await measureUncached(sides, means);
    const cached = await measureCached(sides, means);
    return { pairs: [...cached.pairs, ...uncached.pairs], memory: { ...cached.memory, uncached: uncached.memory } };
  } finally {
    progress.stop();
    await generator.stop();
    await drop();
  }
};
