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
import { type Target, withDatabase } from './target.js';

/** What is metered: cheap to answer, so that metering shows. */
const OPERATION_ID = 'fetch-bulk-users';
/** Two processes of one program differ by some percent: the services are started anew so often. */
const STARTS = 9;
/** Measurements of each start. */
const ROUNDS = 2;
/** So many that 1,200 requests a minute of each are more than a machine answers. */
const MANY_KEYS = 1_000;
/** Marks the rows that a run makes. */
const NAME = 'bench metering';

const METERED = ['observe', 'enforce'] as const;
/** Without comes first. */
const MODES = ['off', ...METERED] as const;
/** Warming up asks for every path once, and gives up waiting after this time. */
const WARM_UP_SECONDS = 30;

const KEYS = ['one key', '1,000 keys'] as const;

/** Calls of some keys, with what they take where nothing is counted and nobody limited. */
export interface MeteringFigure {
  readonly operation: ReadOperation;
  readonly keys: (typeof KEYS)[number];
  readonly mode: (typeof METERED)[number];
  /** Of the start whose share is in the middle. */
  readonly figure: Figure;
  /** Requests a second without, in that start. */
  readonly without: number;
  /** Microseconds of processor time without, in that start. */
  readonly cpuWithout: number;
}

export interface MeteringInput {
  readonly target: Target;
  readonly connections: number;
  /** Of one measurement; there are STARTS times ROUNDS for each of two sets of keys. */
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

/**
 * Starts one service for each mode, in another order with each start: the first of them runs the jobs for all.
 * @returns them in the order of the modes
 */
const startModes = async (
  { target, flags }: Pick<MeteringInput, 'target' | 'flags'>,
  plansFile: string,
  start: number,
): Promise<Service[]> => {
  const services = new Map<number, Service>();
  try {
    for (let turn = 0; turn < MODES.length; turn++) {
      const index = (start + turn) % MODES.length;
      const mode = MODES[index] as (typeof MODES)[number];
      // An empty variable leaves the rate to the plan.
      const rate = mode === 'off' ? '0' : '';
      const environment = { ...target.environment, QUOTA_MODE: mode, RATE_LIMIT_PER_MINUTE: rate };
      services.set(index, await startService({ ...environment, PLANS_FILE: plansFile, DEFAULT_PLAN: 'one' }, flags));
    }
    for (const { pid } of services.values()) await share(pid);
    return MODES.map((_, index) => services.get(index) as Service);
  } catch (error) {
    for (const service of services.values()) await service.stop();
    throw error;
  }
};

/** What the modes did side by side, in their order. */
type Round = readonly Figure[];

const mean = (figures: readonly Figure[]): Figure => {
  const of = (name: keyof Figure): number => figures.reduce((sum, figure) => sum + figure[name], 0) / figures.length;
  return { rate: of('rate'), p50: of('p50'), p99: of('p99'), bytes: of('bytes'), cpu: of('cpu') };
};

const measureOnce = async (
  generator: Generator,
  service: Service,
  input: Pick<LoadInput, 'apiKeys' | 'paths' | 'connections' | 'seconds' | 'atMost'>,
): Promise<Figure> => {
  const { cpuSeconds } = await service.usage();
  const answer = await generator.ask({ ...input, port: service.port, apiKey: service.apiKey });
  const used = (await service.usage()).cpuSeconds - cpuSeconds;
  return {
    rate: answer.requests / answer.seconds,
    p50: answer.p50,
    p99: answer.p99,
    bytes: answer.bytes / answer.requests,
    cpu: (1e6 * used) / answer.requests,
  };
};

/**
 * Loads services that were just started, all of them at once.
 * @returns what each of them did on average, in their order
 */
const measureStart = async (
  generator: Generator,
  services: readonly Service[],
  load: Pick<LoadInput, 'apiKeys' | 'paths' | 'connections'>,
  { seconds, progress }: Pick<MeteringInput, 'seconds' | 'progress'>,
): Promise<Round> => {
  const measureAll = (length: Pick<LoadInput, 'seconds' | 'atMost'>): Promise<Figure[]> =>
    Promise.all(services.map((service) => measureOnce(generator, service, { ...load, ...length })));
  await measureAll({ atMost: WARM_UP_SECONDS });
  const rounds: Figure[][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push(await measureAll({ seconds }));
    progress.add(1);
  }
  return services.map((_, index) => mean(rounds.map((figures) => figures[index] as Figure)));
};

/** @returns the start whose share is in the middle */
const middleOf = (starts: readonly Round[], index: number): { readonly off: Figure; readonly figure: Figure } => {
  const pairs = starts.map((figures) => ({ off: figures[0] as Figure, figure: figures[index] as Figure }));
  const share = ({ off, figure }: (typeof pairs)[number]): number => figure.rate / off.rate;
  return pairs.sort((a, b) => share(a) - share(b))[Math.floor(pairs.length / 2)] as (typeof pairs)[number];
};

/**
 * Measures what counting compute units and limiting rates take of a read that is answered from memory, with `observe` and
 * with `enforce`, for one busy key and for many with a usual limit. The services answer at the same moments and on the same
 * core: what one machine did in two moments, or on two cores, differed by a tenth for one and the same program. On a
 * PostgreSQL server only: three services run on one database. Leaves organizations with their keys and use.
 * @throws on a system without `taskset` and `chrt`, or with one core
 */
export const measureMetering = async (input: MeteringInput): Promise<MeteringFigure[]> => {
  const { target, connections, progress } = input;
  const cores = cpus().length;
  if (cores < 2) throw new Error('metering is measured with the services on one core and what loads them on another');
  const operation = READ_OPERATIONS.find(({ id }) => id === OPERATION_ID);
  if (operation === undefined) throw new Error(`${OPERATION_ID} is not among the reads`);
  const sets = await withDatabase(target.environment, prepare);
  const { warm: paths } = await withDatabase(target.environment, (db) => selectRequests(db, operation));
  const folder = await mkdtemp(join(tmpdir(), 'castellan-bench-'));
  const plansFile = join(folder, 'plans.json');
  await writeFile(plansFile, JSON.stringify(PLANS));
  // Those that it starts run where it does, the services until they are pinned.
  await pin(process.pid, `1-${cores - 1}`);
  const generator: Generator = startChild('load.ts');
  progress.start('metering', STARTS * sets.length * ROUNDS, 'measurements');
  try {
    const starts: Round[][] = sets.map(() => []);
    for (let start = 0; start < STARTS; start++) {
      const services = await startModes(input, plansFile, start);
      try {
        for (const [set, apiKeys] of sets.entries()) {
          const load = { apiKeys, paths, connections };
          starts[set]?.push(await measureStart(generator, services, load, input));
        }
      } finally {
        for (const service of services) await service.stop();
      }
    }
    return KEYS.flatMap((keys, set) =>
      METERED.map((mode) => {
        const { off, figure } = middleOf(starts[set] as Round[], MODES.indexOf(mode));
        return { operation, keys, mode, figure, without: off.rate, cpuWithout: off.cpu };
      }),
    );
  } finally {
    progress.stop();
    await generator.stop();
    await pin(process.pid, `0-${cores - 1}`);
    await rm(folder, { recursive: true });
    await withDatabase(target.environment, forgetPlans);
  }
};
