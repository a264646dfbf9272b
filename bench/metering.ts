import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../src/store/database.js';
import { importBuilt } from './built.js';
import { startChild } from './child.js';
import type { Progress } from './progress.js';
import type { Figure, Generator } from './read.js';
import { READ_OPERATIONS, type ReadOperation } from './read-operation.js';
import { selectRequests } from './sample.js';
import { type Service, startService } from './service.js';
import { type Target, withDatabase } from './target.js';

/** What is metered: cheap to answer, so that metering shows. */
const OPERATION_ID = 'fetch-bulk-users';
/** Each mode is measured in every round, in turn, and beside the one without in the same round. */
const ROUNDS = 7;
/** So many that 1,200 requests a minute of each are more than a machine answers. */
const MANY_KEYS = 1_000;
/** Marks the rows that a run makes. */
const NAME = 'bench metering';

const MODES = ['off', 'observe', 'enforce'] as const;
type Mode = (typeof MODES)[number];

const KEYS = ['one key', '1,000 keys'] as const;

/** Calls of some keys, with what they take where nothing is counted and nobody limited. */
export interface MeteringFigure {
  readonly operation: ReadOperation;
  readonly keys: (typeof KEYS)[number];
  readonly mode: Mode;
  /** The round whose share is in the middle. */
  readonly figure: Figure;
  /** Requests a second without, in that round. */
  readonly without: number;
  /** Microseconds of processor time without, in that round. */
  readonly cpuWithout: number;
}

export interface MeteringInput {
  readonly target: Target;
  readonly connections: number;
  /** Of one measurement, of which there are ROUNDS for each of three modes and two sets of keys. */
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

const startModes = async (target: Target, plansFile: string, flags: readonly string[]): Promise<Service[]> => {
  const services: Service[] = [];
  for (const mode of MODES) {
    // An empty variable leaves the rate to the plan.
    const rate = mode === 'off' ? '0' : '';
    const environment = { ...target.environment, QUOTA_MODE: mode, RATE_LIMIT_PER_MINUTE: rate };
    services.push(await startService({ ...environment, PLANS_FILE: plansFile, DEFAULT_PLAN: 'one' }, flags));
  }
  return services;
};

interface Round {
  readonly off: Figure;
  readonly figure: Figure;
}

/** Machines tire and recover: only figures of one round are compared. */
const middle = (rounds: readonly Round[]): Round =>
  [...rounds].sort((a, b) => a.figure.rate / a.off.rate - b.figure.rate / b.off.rate)[
    Math.floor(rounds.length / 2)
  ] as Round;

/**
 * Measures what counting compute units and limiting rates take of a read that is answered from memory, with `observe` and
 * with `enforce`, for one busy key and for many with a usual limit. On a PostgreSQL server only: three services run on
 * one database. Leaves an organization with its keys.
 */
export const measureMetering = async (input: MeteringInput): Promise<MeteringFigure[]> => {
  const { target, connections, seconds, flags, progress } = input;
  const operation = READ_OPERATIONS.find(({ id }) => id === OPERATION_ID);
  if (operation === undefined) throw new Error(`${OPERATION_ID} is not among the reads`);
  const sets = await withDatabase(target.environment, prepare);
  const { warm: paths } = await withDatabase(target.environment, (db) => selectRequests(db, operation));
  const folder = await mkdtemp(join(tmpdir(), 'castellan-bench-'));
  const plansFile = join(folder, 'plans.json');
  await writeFile(plansFile, JSON.stringify(PLANS));
  const services = await startModes(target, plansFile, flags);
  const generator: Generator = startChild('load.ts');
  const ask = async (service: Service, apiKeys: readonly string[], length: { seconds?: number; atMost?: number }) => {
    const { cpuSeconds } = await service.usage();
    const answer = await generator.ask({ port: service.port, apiKey: '', apiKeys, paths, connections, ...length });
    const used = (await service.usage()).cpuSeconds - cpuSeconds;
    return {
      rate: answer.requests / answer.seconds,
      p50: answer.p50,
      p99: answer.p99,
      bytes: answer.bytes / answer.requests,
      cpu: (1e6 * used) / answer.requests,
    };
  };
  progress.start('metering', sets.length * ROUNDS * MODES.length, 'measurements');
  try {
    const figures: MeteringFigure[] = [];
    for (const [set, apiKeys] of sets.entries()) {
      for (const service of services) await ask(service, apiKeys, { atMost: 30 });
      const rounds: Figure[][] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const row: Figure[] = [];
        // Each mode comes first as often as any other.
        for (let turn = 0; turn < services.length; turn++) {
          const index = (round + turn) % services.length;
          row[index] = await ask(services[index] as Service, apiKeys, { seconds });
          progress.add(1);
        }
        rounds.push(row);
      }
      for (const [index, mode] of MODES.entries()) {
        if (mode === 'off') continue;
        const { off, figure } = middle(rounds.map((row) => ({ off: row[0] as Figure, figure: row[index] as Figure })));
        const keys = KEYS[set] as (typeof KEYS)[number];
        figures.push({ operation, keys, mode, figure, without: off.rate, cpuWithout: off.cpu });
      }
    }
    return figures;
  } finally {
    progress.stop();
    await generator.stop();
    for (const service of services) await service.stop();
    await rm(folder, { recursive: true });
  }
};
