import { startChild } from './child.js';
import { type Generator, type LoadFigure, ROUNDS } from './measurement.js';
import type { ReadInput } from './read.js';
import type { ReadOperation } from './read-operation.js';
import { measureInTurn } from './service-in-turn.js';
import type { Target } from './target.js';

/** Figures of the loaded network, and of one that is ten times as large. */
export type SizePair = readonly [small: LoadFigure, large: LoadFigure];

/** One operation on both networks. */
export interface Growth {
  readonly operation: ReadOperation;
  readonly repeated: SizePair;
  /** Without a cache, so that every page is read from the database. */
  readonly uncached: SizePair;
}

/** The network and its requests, which are asked for on both. */
export interface GrowthInput extends ReadInput {
  /** The network multiplied. */
  readonly large: Target;
}

/** Measures how much longer a request takes on a network ten times as large. */
export const measureGrowth = async (input: GrowthInput): Promise<Growth[]> => {
  const generator: Generator = startChild('load.ts');
  const measure = (more: Readonly<Record<string, string>>) =>
    measureInTurn(
      [
        { ...input.target.environment, ...more },
        { ...input.large.environment, ...more },
      ],
      input,
      generator,
    );
  input.progress.start('growth', input.operations.length * ROUNDS * 4, 'measurements');
  try {
    const repeated = await measure({});
    const uncached = await measure({ CASTELLAN_CACHE_MB: '0' });
    return input.operations.map(({ operation }, index) => ({
      operation,
      repeated: repeated[index] as SizePair,
      uncached: uncached[index] as SizePair,
    }));
  } finally {
    input.progress.stop();
    await generator.stop();
  }
};
