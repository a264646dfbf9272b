import { execFile } from 'node:child_process';
import { cpus } from 'node:os';
import { promisify } from 'node:util';
import type { Database } from '../src/store/database.js';
import type { LoadInput } from './load.js';
import { type Figure, figureOf, type Generator } from './measurement.js';
import { type Service, startService } from './service.js';
import { secondsSince, sessionSeconds } from './process-cpu.js';

/** On half a core Node goes on compiling for so long; and keys have left their first, small leases behind. */
const WARM_UP_SECONDS = 6;
/** Measurements of two services that were just started. */
const ROUNDS = 2;

/** Two services that are compared: the first is the measure of the second. */
export type Pair<Of> = readonly [first: Of, second: Of];

/** What one service of a pair did. */
export interface PairedFigure extends Figure {
  /** Microseconds of the database's processor time for each request; undefined where it is not on this machine. */
  readonly databaseCpu: number | undefined;
}

/** How a service of a pair is started, and the name under which the database is to know its sessions. */
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
 * Leaves the first core to pairs of services: this process, and whatever it starts, run on the others from now on.
 * @returns what ends that
 * @throws on a system without `taskset`, or with one core
 */
export const leaveFirstCore = async (): Promise<() => Promise<void>> => {
  const cores = cpus().length;
  if (cores < 2) throw new Error('two services are compared on one core, and what loads them runs on another');
  await pin(process.pid, `1-${cores - 1}`);
  return () => pin(process.pid, `0-${cores - 1}`);
};

/**
 * Lets a service share the first core in long turns, as Linux gives to who asks for throughput (SCHED_BATCH). In short ones
 * each answer takes twice as long, because every turn begins with cold caches. @throws where there is no `chrt`
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

/** @param isTurned whether the second is started first: that one runs the jobs for both */
const startPair = async (
  starts: Pair<Start>,
  { isTurned, flags }: { readonly isTurned: boolean; readonly flags: readonly string[] },
): Promise<Pair<Named>> => {
  const services: Named[] = [];
  try {
    for (const start of isTurned ? [starts[1], starts[0]] : starts) services.push(await startNamed(start, flags));
    for (const { pid } of services) await share(pid);
  } catch (error) {
    for (const service of services) await service.stop();
    throw error;
  }
  const [one, other] = services as [Named, Named];
  return isTurned ? [other, one] : [one, other];
};

const mean = (figures: readonly PairedFigure[]): PairedFigure => {
  const of = (value: (figure: PairedFigure) => number): number =>
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

/** What the services are asked, and by whom. */
type Load = Pick<LoadInput, 'apiKeys' | 'paths' | 'connections'>;
interface Means {
  readonly generator: Generator;
  readonly db: Database;
}

const measureOne = async (
  { generator, db }: Means,
  service: Named,
  load: Load & { readonly seconds: number },
): Promise<PairedFigure> => {
  const { cpuSeconds } = await service.usage();
  const sessions = await sessionSeconds(db, service.name);
  const answer = await generator.ask({ ...load, port: service.port, apiKey: service.apiKey });
  const used = (await service.usage()).cpuSeconds - cpuSeconds;
  const databaseUsed = secondsSince(sessions, await sessionSeconds(db, service.name));
  return {
    ...figureOf(answer, used),
    databaseCpu: databaseUsed && (1e6 * databaseUsed) / answer.requests,
  };
};

const measureBoth = (
  means: Means,
  [first, second]: Pair<Named>,
  load: Load & { readonly seconds: number },
): Promise<Pair<PairedFigure>> => Promise.all([measureOne(means, first, load), measureOne(means, second, load)]);

/**
 * Starts two services on one core and loads them at the same moments: what one machine did in two moments, or on two cores,
 * differed by a tenth for one and the same program.
 * @param loads one after the other; `seconds` of each measurement
 * @returns for each of the loads what both services did on average
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
    readonly isTurned: boolean;
    readonly flags: readonly string[];
  },
): Promise<Pair<PairedFigure>[]> => {
  const services = await startPair(starts, how);
  try {
    const measured: Pair<PairedFigure>[] = [];
    for (const load of loads) {
      await measureBoth(means, services, { ...load, seconds: WARM_UP_SECONDS });
      const rounds: Pair<PairedFigure>[] = [];
      while (rounds.length < ROUNDS) rounds.push(await measureBoth(means, services, { ...load, seconds }));
      measured.push([mean(rounds.map(([first]) => first)), mean(rounds.map(([, second]) => second))]);
    }
    return measured;
  } finally {
    for (const service of services) await service.stop();
  }
};

/** @returns of several starts the one in which the second's part of the first's rate is in the middle */
export const middlePair = (starts: readonly Pair<PairedFigure>[]): Pair<PairedFigure> => {
  const share = ([first, second]: Pair<PairedFigure>): number => second.rate / first.rate;
  const sorted = [...starts].sort((a, b) => share(a) - share(b));
  return sorted[Math.floor(sorted.length / 2)] as Pair<PairedFigure>;
};
