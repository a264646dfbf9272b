import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Database } from '../src/store/database.js';
import { importBuilt } from './built.js';
import { startChild } from './child.js';
import type { LoadInput } from './load.js';
import type { Progress } from './progress.js';
import type { Figure, Generator } from './read.js';
import { READ_OPERATIONS, type ReadOperation } from './read-operation.js';
import { selectRequests } from './sample.js';
import { type Service, startService } from './service.js';
import { secondsSince, sessionSeconds } from './session-cpu.js';
import { type Target, withDatabase } from './target.js';

/** What is metered: cheap to answer, so that metering shows. */
const OPERATION_ID = 'fetch-bulk-users';
/** Two processes of one program differ by some percent: each pair of services is started anew so often. */
const STARTS = 9;
/** Measurements of each start. */
const ROUNDS = 2;
/** So many that 1,200 requests a minute of each are more than a machine answers. */
const MANY_KEYS = 1_000;
/** Marks the rows that a run makes. */
const NAME = 'bench metering';

const METERED = ['observe', 'enforce'] as const;
type Mode = 'off' | (typeof METERED)[number];
/** On half a core Node goes on compiling for so long; and keys have left their first, small leases behind. */
const WARM_UP_SECONDS = 6;

const KEYS = ['one key', '1,000 keys'] as const;

/** What one service did. */
export interface MeteredFigure extends Figure {
  /** Microseconds of the database's processor time for each request; undefined where it is not on this machine. */
  readonly databaseCpu: number | undefined;
}

/** Calls of some keys, with what they take where nothing is counted and nobody limited. */
export interface MeteringFigure {
  readonly operation: ReadOperation;
  readonly keys: (typeof KEYS)[number];
  readonly mode: (typeof METERED)[number];
  /** Of the start whose share is in the middle. */
  readonly figure: MeteredFigure;
  /** In the same start, without. */
  readonly without: MeteredFigure;
}

export interface MeteringInput {
  readonly target: Target;
  readonly connections: number;
  /** Of one measurement; there are STARTS times ROUNDS for each of two modes and two sets of keys. */
  readonly seconds: number;
  readonly flags: readonly string[];
  readonly progress: Progress;
}

/** No call is refused for its units; a single key has a rate that no machine reaches, one of many a usual one. */
const PLANS = {
  plans: [
    { id: 'one', requestsPerMinute: 1_000_000 },
    { id: 'many', requestsPerMinute: 1_200 },
  ].map((plan) => ({
    ...plan,
    name: plan.id,
    category: 'API',
    tier: plan.id,
    priceCents: 0,
    units: 1_000_000_000_000,
    webhooks: null,
    apps: null,
  })),
};

/** Makes an organization with that plan. @returns keys of its app */
const makeKeys = async (db: Database, plan: string, count: number): Promise<string[]> => {
  const { createKey } = await importBuilt<typeof import('../src/access/key.js')>('access/key.js');
  const { insertApp } = await importBuilt<typeof import('../src/store/app.js')>('store/app.js');
  const { insertOrganization } =
    await importBuilt<typeof import('../src/store/organization.js')>('store/organization.js');
  const organization = await insertOrganization(db, { name: NAME });
  const app = organization && (await insertApp(db, { organizationId: organization.id, name: NAME }));
  if (app === undefined) throw new Error('a new organization has a new app');
  await db.run('update subscription set plan_id = $1 where organization_id = $2', [plan, app.organizationId]);
  const keys: string[] = [];
  while (keys.length < count) {
    keys.push((await createKey(db, { name: NAME, appId: app.id, scopes: ['read'], now: new Date() })).secret);
  }
  return keys;
};

const prepare = async (db: Database): Promise<string[][]> => {
  const { migrate } = await importBuilt<typeof import('../src/store/migrate.js')>('store/migrate.js');
  await migrate(db);
  return [await makeKeys(db, 'one', 1), await makeKeys(db, 'many', MANY_KEYS)];
};

/** A service with other plans would not start beside organizations that have these. */
const forgetPlans = async (db: Database): Promise<void> => {
  await db.run(
    'update subscription set plan_id = null where organization_id in (select id from organization where name = $1)',
    [NAME],
  );
};

const run = promisify(execFile);

/** Lets a process run on these cores alone, with all its threads. @throws where the system has no `taskset` */
const pin = async (pid: number, cores: string): Promise<void> => {
  await run('taskset', ['-acp', cores, String(pid)]);
};

/**
 * Lets a service share one core with the others in long turns, as Linux gives to who asks for throughput (SCHED_BATCH). In
 * short ones each answer takes twice as long, because every turn begins with cold caches. @throws where there is no `chrt`
 */
const share = async (pid: number): Promise<void> => {
  await pin(pid, '0');
  await run('chrt', ['--all-tasks', '--batch', '--pid', '0', String(pid)]);
};

/** A service with the name under which the database knows its sessions. */
interface Measured extends Service {
  readonly name: string;
}

/** Two services on one core: the one without comes first. */
type Pair<Of> = readonly [off: Of, metered: Of];

const startOne = async (
  { target, flags }: Pick<MeteringInput, 'target' | 'flags'>,
  plansFile: string,
  mode: Mode,
): Promise<Measured> => {
  const name = `castellan bench ${mode}`;
  const url = new URL(target.url as string);
  url.searchParams.set('application_name', name);
  // An empty variable leaves the rate to the plan.
  const RATE_LIMIT_PER_MINUTE = mode === 'off' ? '0' : '';
  const environment = { DATABASE_URL: url.href, QUOTA_MODE: mode, RATE_LIMIT_PER_MINUTE };
  return { name, ...(await startService({ ...environment, PLANS_FILE: plansFile, DEFAULT_PLAN: 'one' }, flags)) };
};

/** Starts a service without and one with, the latter first in every second start: the first of two runs the jobs for both. */
const startPair = async (
  input: Pick<MeteringInput, 'target' | 'flags'>,
  plansFile: string,
  { mode, start }: { readonly mode: Mode; readonly start: number },
): Promise<Pair<Measured>> => {
  const modes: Pair<Mode> = start % 2 === 0 ? ['off', mode] : [mode, 'off'];
  const services: Measured[] = [];
  try {
    for (const one of modes) services.push(await startOne(input, plansFile, one));
    for (const { pid } of services) await share(pid);
  } catch (error) {
    for (const service of services) await service.stop();
    throw error;
  }
  const [first, second] = services as [Measured, Measured];
  return start % 2 === 0 ? [first, second] : [second, first];
};

const mean = (figures: readonly MeteredFigure[]): MeteredFigure => {
  const of = (value: (figure: MeteredFigure) => number): number =>
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

const measureOnce = async (
  { generator, db }: Pick<Bench, 'generator' | 'db'>,
  service: Measured,
  input: Pick<LoadInput, 'apiKeys' | 'paths' | 'connections' | 'seconds'>,
): Promise<MeteredFigure> => {
  const { cpuSeconds } = await service.usage();
  const sessions = await sessionSeconds(db, service.name);
  const answer = await generator.ask({ ...input, port: service.port, apiKey: service.apiKey });
  const used = (await service.usage()).cpuSeconds - cpuSeconds;
  const databaseUsed = secondsSince(sessions, await sessionSeconds(db, service.name));
  return {
    rate: answer.requests / answer.seconds,
    p50: answer.p50,
    p99: answer.p99,
    bytes: answer.bytes / answer.requests,
    cpu: (1e6 * used) / answer.requests,
    databaseCpu: databaseUsed && (1e6 * databaseUsed) / answer.requests,
  };
};

interface Bench {
  readonly generator: Generator;
  readonly db: Database;
  readonly seconds: number;
  readonly progress: Progress;
}

/** Loads services that were just started, both at once. @returns what each of them did on average */
const measureStart = async (
  bench: Bench,
  services: Pair<Measured>,
  load: Pick<LoadInput, 'apiKeys' | 'paths' | 'connections'>,
): Promise<Pair<MeteredFigure>> => {
  const { seconds, progress } = bench;
  const measureBoth = async (length: number): Promise<Pair<MeteredFigure>> => {
    const [off, metered] = services.map((service) => measureOnce(bench, service, { ...load, seconds: length }));
    return Promise.all([off as Promise<MeteredFigure>, metered as Promise<MeteredFigure>]);
  };
  await measureBoth(WARM_UP_SECONDS);
  const rounds: Pair<MeteredFigure>[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push(await measureBoth(seconds));
    progress.add(1);
  }
  return [mean(rounds.map(([off]) => off)), mean(rounds.map(([, metered]) => metered))];
};

/** @returns the start whose share is in the middle */
const middleOf = (starts: readonly Pair<MeteredFigure>[]): Pair<MeteredFigure> => {
  const share = ([off, metered]: Pair<MeteredFigure>): number => metered.rate / off.rate;
  const sorted = [...starts].sort((a, b) => share(a) - share(b));
  return sorted[Math.floor(sorted.length / 2)] as Pair<MeteredFigure>;
};

/**
 * Measures what counting compute units and limiting rates take of a read that is answered from memory, with `observe` and
 * with `enforce`, for one busy key and for many with a usual limit. A service with and one without answer at the same
 * moments and on the same core: what one machine did in two moments, or on two cores, differed by a tenth for one and the
 * same program. On a PostgreSQL server only: two services run on one database. Leaves organizations with their keys and use.
 * @throws on a system without `taskset` and `chrt`, or with one core
 */
export const measureMetering = async (input: MeteringInput): Promise<MeteringFigure[]> => {
  const { target, connections, seconds, progress } = input;
  const cores = cpus().length;
  if (cores < 2) throw new Error('metering is measured with the services on one core and what loads them on another');
  const operation = READ_OPERATIONS.find(({ id }) => id === OPERATION_ID);
  if (operation === undefined) throw new Error(`${OPERATION_ID} is not among the reads`);
  const folder = await mkdtemp(join(tmpdir(), 'castellan-bench-'));
  const plansFile = join(folder, 'plans.json');
  await writeFile(plansFile, JSON.stringify(PLANS));
  // Those that it starts run where it does, the services until they are pinned.
  await pin(process.pid, `1-${cores - 1}`);
  const generator: Generator = startChild('load.ts');
  progress.start('metering', METERED.length * STARTS * KEYS.length * ROUNDS, 'measurements');
  try {
    return await withDatabase(target.environment, async (db) => {
      const sets = await prepare(db);
      const { warm: paths } = await selectRequests(db, operation);
      const bench: Bench = { generator, db, seconds, progress };
      const figures: MeteringFigure[] = [];
      try {
        for (const mode of METERED) {
          const starts: Pair<MeteredFigure>[][] = sets.map(() => []);
          for (let start = 0; start < STARTS; start++) {
            const services = await startPair(input, plansFile, { mode, start });
            try {
              for (const [set, apiKeys] of sets.entries()) {
                starts[set]?.push(await measureStart(bench, services, { apiKeys, paths, connections }));
              }
            } finally {
              for (const service of services) await service.stop();
            }
          }
          for (const [set, keys] of KEYS.entries()) {
            const [without, figure] = middleOf(starts[set] as Pair<MeteredFigure>[]);
            figures.push({ operation, keys, mode, figure, without });
          }
        }
      } finally {
        await forgetPlans(db);
      }
      return figures;
    });
  } finally {
    progress.stop();
    await generator.stop();
    await pin(process.pid, `0-${cores - 1}`);
    await rm(folder, { recursive: true });
  }
};
