import { startChild } from './child.js';
import { type Figure, type Generator, Measurement, ROUNDS, subjectOf } from './measurement.js';
import type { Asked, ReadInput } from './read.js';
import type { ReadOperation } from './read-operation.js';
import { startService } from './service.js';

/** The same operation on the whole network and on one a tenth the size. */
export interface Growth {
  readonly operation: ReadOperation;
  readonly warm: { readonly whole: Figure; readonly tenth: Figure };
  /** With no cache, so that every page is read from the database. */
  readonly cold: { readonly whole: Figure; readonly tenth: Figure };
}

export interface GrowthInput extends ReadInput {
  /** Where the network a tenth the size is, and what is asked of it; operations in the same order. */
  readonly tenth: Pick<ReadInput, 'target' | 'operations'>;
}

/** Both services run, and one of them is loaded at a time, in turn, so that a disturbance hits both. */
async function measurePairs(
  input: GrowthInput,
  measurement: Measurement,
  more: Readonly<Record<string, string>>,
): Promise<Growth['warm'][]> {
  const whole = await startService({ ...input.target.environment, ...more }, input.flags);
  const tenth = await startService({ ...input.tenth.target.environment, ...more }, input.flags).catch(async (error) => {
    await whole.stop();
    throw error;
  });
  try {
    const pairs: Growth['warm'][] = [];
    for (const [index, { requests }] of input.operations.entries()) {
      const small = input.tenth.operations[index] as Asked;
      const subjects = [subjectOf(whole, requests.warm), subjectOf(tenth, small.requests.warm)];
      for (const subject of subjects) await measurement.warmUp(subject);
      const [onWhole, onTenth] = (await measurement.run(subjects.map((subject) => measurement.of(subject)))) as [
        Figure,
        Figure,
      ];
      pairs.push({ whole: onWhole, tenth: onTenth });
    }
    return pairs;
  } finally {
    await Promise.all([whole.stop(), tenth.stop()]);
  }
}

/** Measures by how much longer a request takes on the whole network than on a tenth of it. */
export async function measureGrowth(input: GrowthInput): Promise<Growth[]> {
  const generator: Generator = startChild('load.ts');
  const measurement = new Measurement(generator, input);
  input.progress.start('growth', input.operations.length * ROUNDS * 4, 'measurements');
  try {
    const warm = await measurePairs(input, measurement, {});
    const cold = await measurePairs(input, measurement, { FRAGMENT_CACHE_MB: '0' });
    return input.operations.map(({ operation }, index) => ({
      operation,
      warm: warm[index] as Growth['warm'],
      cold: cold[index] as Growth['cold'],
    }));
  } finally {
    input.progress.stop();
    await generator.stop();
  }
}
