import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChild } from './child.js';
import type { Generator } from './measurement.js';
import { forgetPlans, KEYS, makeKeySets, PLANS } from './metering-key.js';
import type { Progress } from './progress.js';
import { READ_OPERATIONS, type ReadOperation } from './read-operation.js';
import { selectRequests } from './sample.js';
import { leaveFirstCore, measurePair, middlePair, type Pair, type PairedResult, type Start } from './service-pair.js';
import { type Target, withDatabase } from './target.js';

/** The measured operation: cheap, so that the cost of metering is visible. */
const OPERATION_ID = 'fetch-bulk-users';
/** Two processes of one program differ by some percent, so each pair of services is restarted this often. */
const STARTS = 9;

const METERED = ['observe', 'enforce'] as const;
type Mode = 'off' | (typeof METERED)[number];

/** Metered calls compared with unmetered ones. */
export interface MeteringResult {
  readonly operation: ReadOperation;
  readonly keys: (typeof KEYS)[number];
  readonly mode: (typeof METERED)[number];
  /** Result of the median start. */
  readonly figure: PairedResult;
  /** Result without metering in the same start. */
  readonly without: PairedResult;
}

export interface MeteringInput {
  readonly target: Target;
  readonly connections: number;
  /** Seconds of one measurement; there are two in each start, for each of two modes and two sets of keys. */
  readonly seconds: number;
  readonly flags: readonly string[];
  readonly progress: Progress;
}

const startOf = (mode: Mode, databaseUrl: string, plansFile: string): Start => ({
  name: `castellan bench ${mode}`,
  databaseUrl,
  environment: {
    CASTELLAN_QUOTA_MODE: mode,
    // An empty variable selects the plan's rate.
    CASTELLAN_RATE_LIMIT_PER_MINUTE: mode === 'off' ? '0' : '',
    CASTELLAN_PLANS_FILE: plansFile,
    CASTELLAN_DEFAULT_PLAN: 'one',
  },
});

/** @param plansFile plans with the rates of the sets of keys */
const measure = async (
  { target, connections, seconds, flags, progress }: MeteringInput,
  plansFile: string,
  generator: Generator,
): Promise<MeteringResult[]> => {
  const { url } = target;
  if (url === undefined) throw new Error('two services run on a PostgreSQL server alone');
  const operation = READ_OPERATIONS.find(({ id }) => id === OPERATION_ID);
  if (operation === undefined) throw new Error(`${OPERATION_ID} is not among the reads`);
  return withDatabase(target.environment, async (db) => {
    const sets = await makeKeySets(db);
    try {
      const { repeated: paths } = await selectRequests(db, operation);
      const loads = sets.map((apiKeys) => ({ apiKeys, paths, connections }));
      const figures: MeteringResult[] = [];
      for (const mode of METERED) {
        const starts: Pair<Start> = [startOf('off', url, plansFile), startOf(mode, url, plansFile)];
        const measured: Pair<PairedResult>[][] = [];
        while (measured.length < STARTS) {
          const how = { seconds, means: { generator, db }, isTranslated: measured.length % 2 === 1, flags };
          measured.push(await measurePair(starts, loads, how));
          progress.add(1);
        }
        for (const [set, keys] of KEYS.entries()) {
          const [without, figure] = middlePair(measured.map((start) => start[set] as Pair<PairedResult>));
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
 * Measures the cost of counting compute units and limiting rates for a cached read, with `observe` and with `enforce`,
 * for one busy key and for many keys with a usual limit. Requires a PostgreSQL server, because two services share one
 * database. Leaves organizations with their keys and usage.
 * @throws on a system without `taskset` and `chrt`, or with one core
 */
export const measureMetering = async (input: MeteringInput): Promise<MeteringResult[]> => {
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
