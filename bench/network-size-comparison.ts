import { startChild } from './child.js';
import { type Generator, type LoadFigure, Measurement, ROUNDS, subjectOf } from './measurement.js';
import type { ReadInput } from './read.js';
import type { ReadOperation } from './read-operation.js';
import type { RequestedOperation } from './sample.js';
import { startService } from './service.js';

/** One operation on the whole network and on one a tenth its size. */
export interface Growth {
  readonly operation: ReadOperation;
  readonly repeated: { readonly whole: LoadFigure; readonly tenth: LoadFigure };
  /** Without a cache, so that every page is read from the database. */
  readonly uncached: { readonly whole: LoadFigure; readonly tenth: LoadFigure };
}

export interface GrowthInput extends ReadInput {
  /** The network of a tenth of the size and its requests; operations in the same order. */
  readonly tenth: Pick<ReadInput, 'target' | 'operations'>;
}

/** Both services run and are loaded in turn, so that a disturbance affects both. */
async function measurePairs(
  input: GrowthInput,
  measurement: Measurement,
  more: Readonly<Record<string, string>>,
): Promise<Growth['repeated'][]> {
  const whole = await startService({ ...input.target.environment, ...more }, input.flags);
  const tenth = await startService({ ...input.tenth.target.environment, ...more }, input.flags).catch(async (error) => {
    await whole.stop();
    throw error;
  });
  try {
    const pairs: Growth['repeated'][] = [];
    for (const [index, { requests }] of input.operations.entries()) {
      const small = input.tenth.operations[index] as RequestedOperation;
      const subjects = [subjectOf(whole, requests.repeated), subjectOf(tenth, small.requests.repeated)];
      for (const subject of subjects) await measurement.warmUp(subject);
      const [onWhole, onTenth] = (await measurement.run(subjects.map((subject) => measurement.of(subject)))) as [
        LoadFigure,
        LoadFigure,
      ];
      pairs.push({ whole: onWhole, tenth: onTenth });
    }
    return pairs;
  } finally {
    await Promise.all([whole.stop(), tenth.stop()]);
  }
}

/** Measures how much longer a request takes on the whole network than on a tenth of it. */
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
