import { execFile } from 'node:child_process';
import { cpus } from 'node:os';
import { promisify } from 'node:util';
import type { Database } from '../src/db/database.js';
import type { LoadInput } from './load.js';
import { type Generator, type LoadFigure, resultOf } from './measurement.js';
import { secondsSince, sessionSeconds } from './process-cpu.js';
import { type Service, startService } from './service.js';

/** Node takes this long to compile its code on half a core. */
const WARM_UP_SECONDS = 6;
/** Measurements for each pair of started services. */
const ROUNDS = 2;

/** Two services to compare: the second is measured against the first. */
export type Pair<Of> = readonly [first: Of, second: Of];

/** Result of one service of a pair. */
export interface PairedResult extends LoadFigure {
  /** Microseconds of the database's processor time for each request; undefined if it is on another machine. */
  readonly databaseCpu: number | undefined;
}

/** How to start a service of a pair, and the name of its database sessions. */
export interface Start {
  readonly name: string;
  readonly databaseUrl: string;
  readonly environment: Readonly<Record<string, string>>;
}

interface Named extends Service {
  readonly name: string;
}

const run = promisify(execFile);

const pin = async (pid: number, cores: string): Promise<void> => {
  await run('taskset', ['-acp', cores, String(pid)]);
};

/**
 * Reserves the first core for pairs of services: this process and its children run on the others from now on.
 * @returns a function that undoes that
 * @throws on a system without `taskset`, or with one core
 */
export const leaveFirstCore = async (): Promise<() => Promise<void>> => {
  const cores = cpus().length;
  if (cores < 2) throw new Error('two services are compared on one core, and what loads them runs on another');
  await pin(process.pid, `1-${cores - 1}`);
  return () => pin(process.pid, `0-${cores - 1}`);
};

/**
 * Gives a service longer time slices on the shared core (SCHED_BATCH). With short ones each response takes twice as
 * long, because every slice begins with cold caches. @throws on a system without `chrt`
 */
const share = async (pid: number): Promise<void> => {
  await pin(pid, '0');
  await run('chrt', ['--all-tasks', '--batch', '--pid', '0', String(pid)]);
};

const startNamed = async ({ name, databaseUrl, environment }: Start, flags: readonly string[]): Promise<Named> => {
  const url = new URL(databaseUrl);
  url.searchParams.set('application_name', name);
  return { name, ...(await startService({ ...environment, DATABASE_URL: url.href }, flags)) };
};

/** @param isTranslated whether the second is started first and runs the jobs for both */
const startPair = async (
  starts: Pair<Start>,
  { isTranslated, flags }: { readonly isTranslated: boolean; readonly flags: readonly string[] },
): Promise<Pair<Named>> => {
  const services: Named[] = [];
  try {
    for (const start of isTranslated ? [starts[1], starts[0]] : starts) services.push(await startNamed(start, flags));
    for (const { pid } of services) await share(pid);
  } catch (error) {
    for (const service of services) await service.stop();
    throw error;
  }
  const [one, other] = services as [Named, Named];
  return isTranslated ? [other, one] : [one, other];
};

const mean = (figures: readonly PairedResult[]): PairedResult => {
  const of = (value: (figure: PairedResult) => number): number =>
    figures.reduce((sum, figure) => sum + value(figure), 0) / figures.length;
  const databaseCpu = of((figure) => figure.databaseCpu ?? Number.NaN);
  return {
    rate: of(({ rate }) => rate),
    p50: of(({ p50 }) => p50),
    p99: of(({ p99 }) => p99),
    bytes: of(({ bytes }) => bytes),
    cpu: of(({ cpu }) => cpu),
    databaseCpu: Number.isNaN(databaseCpu) ? undefined : databaseCpu,
  };
};

type Load = Pick<LoadInput, 'apiKeys' | 'paths' | 'connections'>;
interface Means {
  readonly generator: Generator;
  readonly db: Database;
}

const measureOne = async (
  { generator, db }: Means,
  service: Named,
  load: Load & { readonly seconds: number },
): Promise<PairedResult> => {
  const { cpuSeconds } = await service.usage();
  const sessions = await sessionSeconds(db, service.name);
  const answer = await generator.ask({ ...load, port: service.port, apiKey: service.apiKey });
  const used = (await service.usage()).cpuSeconds - cpuSeconds;
  const databaseUsed = secondsSince(sessions, await sessionSeconds(db, service.name));
  return {
    ...resultOf(answer, used),
    databaseCpu: databaseUsed && (1e6 * databaseUsed) / answer.requests,
  };
};

const measureBoth = (
  means: Means,
  [first, second]: Pair<Named>,
  load: Load & { readonly seconds: number },
): Promise<Pair<PairedResult>> => Promise.all([measureOne(means, first, load), measureOne(means, second, load)]);

/**
 * Starts two services on one core and loads them at the same time: at different times, or on two cores, results of the
 * same program differed by a tenth.
 * @param loads run in sequence; `seconds` of each measurement
 * @returns the mean results of both services for each of the loads
 * @throws on a system without `taskset` and `chrt`
 */
export const measurePair = async (
  starts: Pair<Start>,
  loads: readonly Load[],
  {
    seconds,
    means,
    ...how
  }: {
    readonly seconds: number;
    readonly means: Means;
    readonly isTranslated: boolean;
    readonly flags: readonly string[];
  },
): Promise<Pair<PairedResult>[]> => {
  const services = await startPair(starts, how);
  try {
    const measured: Pair<PairedResult>[] = [];
    for (const load of loads) {
      await measureBoth(means, services, { ...load, seconds: WARM_UP_SECONDS });
      const rounds: Pair<PairedResult>[] = [];
      while (rounds.length < ROUNDS) rounds.push(await measureBoth(means, services, { ...load, seconds }));
      measured.push([mean(rounds.map(([first]) => first)), mean(rounds.map(([, second]) => second))]);
    }
    return measured;
  } finally {
    for (const service of services) await service.stop();
  }
};

/** @returns the start with the median ratio of the rates */
export const middlePair = (starts: readonly Pair<PairedResult>[]): Pair<PairedResult> => {
  const share = ([first, second]: Pair<PairedResult>): number => second.rate / first.rate;
  const sorted = [...starts].sort((a, b) => share(a) - share(b));
  return sorted[Math.floor(sorted.length / 2)] as Pair<PairedResult>;
};
