import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChild } from './child.js';
import type { Generator } from './measurement.js';
import { forgetPlans, KEYS, makeKeySets, PLANS } from './metering-key.js';
import type { Progress } from './progress.js';
import { READ_OPERATIONS, type ReadOperation } from './read-operation.js';
import { selectRequests } from './sample.js';
import { leaveFirstCore, measurePair, middlePair, type Pair, type PairedFigure, type Start } from './service-pair.js';
import { type Target, withDatabase } from './target.js';

/** What is metered: cheap to answer, so that metering shows. */
const OPERATION_ID = 'fetch-bulk-users';
/** Two processes of one program differ by some percent: each pair of services is started anew so often. */
const STARTS = 9;

const METERED = ['observe', 'enforce'] as const;
type Mode = 'off' | (typeof METERED)[number];

/** Calls of some keys, with what they take where nothing is counted and nobody limited. */
export interface MeteringFigure {
  readonly operation: ReadOperation;
  readonly keys: (typeof KEYS)[number];
  readonly mode: (typeof METERED)[number];
  /** Of the start whose share is in the middle. */
  readonly figure: PairedFigure;
  /** In the same start, without. */
  readonly without: PairedFigure;
}

export interface MeteringInput {
  readonly target: Target;
  readonly connections: number;
  /** Of one measurement; there are two of each start, for each of two modes and two sets of keys. */
  readonly seconds: number;
  readonly flags: readonly string[];
  readonly progress: Progress;
}

const startOf = (mode: Mode, databaseUrl: string, plansFile: string): Start => ({
  name: `castellan bench ${mode}`,
  databaseUrl,
  environment: {
    QUOTA_MODE: mode,
    // An empty variable leaves the rate to the plan.
    RATE_LIMIT_PER_MINUTE: mode === 'off' ? '0' : '',
    PLANS_FILE: plansFile,
    DEFAULT_PLAN: 'one',
  },
});

/** Measures with what is there. @param plansFile of plans with the rates of the sets of keys */
const measure = async (
  { target, connections, seconds, flags, progress }: MeteringInput,
  plansFile: string,
  generator: Generator,
): Promise<MeteringFigure[]> => {
  const { url } = target;
  if (url === undefined) throw new Error('two services run on a PostgreSQL server alone');
  const operation = READ_OPERATIONS.find(({ id }) => id === OPERATION_ID);
  if (operation === undefined) throw new Error(`${OPERATION_ID} is not among the reads`);
  return withDatabase(target.environment, async (db) => {
    const sets = await makeKeySets(db);
    try {
      const { warm: paths } = await selectRequests(db, operation);
      const loads = sets.map((apiKeys) => ({ apiKeys, paths, connections }));
      const figures: MeteringFigure[] = [];
      for (const mode of METERED) {
        const starts: Pair<Start> = [startOf('off', url, plansFile), startOf(mode, url, plansFile)];
        const measured: Pair<PairedFigure>[][] = [];
        while (measured.length < STARTS) {
          const how = { seconds, means: { generator, db }, isTurned: measured.length % 2 === 1, flags };
          measured.push(await measurePair(starts, loads, how));
          progress.add(1);
        }
        for (const [set, keys] of KEYS.entries()) {
          const [without, figure] = middlePair(measured.map((start) => start[set] as Pair<PairedFigure>));
          figures.push({ operation, keys, mode, figure, without });
        }
      }
      return figures;
    } finally {
      await forgetPlans(db);
    }
  });
};

/**
 * Measures what counting compute units and limiting rates take of a read that is answered from memory, with `observe` and
 * with `enforce`, for one busy key and for many with a usual limit. On a PostgreSQL server only: two services run on one
 * database. Leaves organizations with their keys and use.
 * @throws on a system without `taskset` and `chrt`, or with one core
 */
export const measureMetering = async (input: MeteringInput): Promise<MeteringFigure[]> => {
  const { progress } = input;
  const folder = await mkdtemp(join(tmpdir(), 'castellan-bench-'));
  const plansFile = join(folder, 'plans.json');
  await writeFile(plansFile, JSON.stringify(PLANS));
  const takeFirstCore = await leaveFirstCore();
  const generator: Generator = startChild('load.ts');
  progress.start('metering', METERED.length * STARTS, 'pairs of services');
  try {
    return await measure(input, plansFile, generator);
  } finally {
    progress.stop();
    await generator.stop();
    await takeFirstCore();
    await rm(folder, { recursive: true });
  }
};
