import { startChild } from './child.js';
import { type Generator, type LoadFigure, Measurement, ROUNDS, subjectOf } from './measurement.js';
import type { ReadInput } from './read.js';
import type { ReadOperation } from './read-operation.js';
import { startService } from './service.js';
import type { Target } from './target.js';

/** One operation on the loaded network and on one that is ten times as large. */
export interface Growth {
  readonly operation: ReadOperation;
  readonly repeated: { readonly small: LoadFigure; readonly large: LoadFigure };
  /** Without a cache, so that every page is read from the database. */
  readonly uncached: { readonly small: LoadFigure; readonly large: LoadFigure };
}

/** The network and its requests, which are asked for on both. */
export interface GrowthInput extends ReadInput {
  /** The network multiplied. */
  readonly large: Target;
}

/** Both services run and are loaded in turn, so that a disturbance affects both. */
async function measurePairs(
  input: GrowthInput,
  measurement: Measurement,
  more: Readonly<Record<string, string>>,
): Promise<Growth['repeated'][]> {
  const small = await startService({ ...input.target.environment, ...more }, input.flags);
  const large = await startService({ ...input.large.environment, ...more }, input.flags).catch(async (error) => {
    await small.stop();
    throw error;
  });
  try {
    const pairs: Growth['repeated'][] = [];
    for (const { requests } of input.operations) {
      const subjects = [subjectOf(small, requests.repeated), subjectOf(large, requests.repeated)];
      for (const subject of subjects) await measurement.warmUp(subject);
      const [onSmall, onLarge] = (await measurement.run(subjects.map((subject) => measurement.of(subject)))) as [
        LoadFigure,
        LoadFigure,
      ];
      pairs.push({ small: onSmall, large: onLarge });
    }
    return pairs;
  } finally {
    await Promise.all([small.stop(), large.stop()]);
  }
}

/** Measures how much longer a request takes on a network ten times as large. */
export async function measureGrowth(input: GrowthInput): Promise<Growth[]> {
  const generator: Generator = startChild('load.ts');
  const measurement = new Measurement(generator, input);
  input.progress.start('growth', input.operations.length * ROUNDS * 4, 'measurements');
  try {
    const repeated = await measurePairs(input, measurement, {});
    const uncached = await measurePairs(input, measurement, { CASTELLAN_CACHE_MB: '0' });
    return input.operations.map(({ operation }, index) => ({
      operation,
      repeated: repeated[index] as Growth['repeated'],
      uncached: uncached[index] as Growth['uncached'],
    }));
  } finally {
    input.progress.stop();
    await generator.stop();
  }
}
