import { startChild } from './child.js';
import { type Generator, type LoadFigure, Measurement, ROUNDS, subjectOf } from './measurement.js';
import type { ReadInput } from './read.js';
import { startService } from './service.js';
import { type Row, whole } from './table.js';

/** What a request may take of the processor with several workers, as a share of what it takes in one process. */
const MOST_CPU = 1.15;

interface WorkersResult {
  readonly what: string;
  readonly one: LoadFigure;
  readonly several: LoadFigure;
}

/** Measures one process and a service with two workers in turn, the processor time of all its processes together. */
async function measurePairs(input: ReadInput, kind: 'repeated' | 'uncached', generator: Generator) {
  const { target, flags, operations } = input;
  const environment = { ...target.environment, ...(kind === 'uncached' && { CASTELLAN_CACHE_MB: '0' }) };
  const measurement = new Measurement(generator, input);
  const one = await startService({ ...environment, CASTELLAN_WORKERS: '1' }, flags);
  try {
    const several = await startService({ ...environment, CASTELLAN_WORKERS: '2' }, flags);
    try {
      const results: WorkersResult[] = [];
      for (const { operation, requests } of operations) {
        const subjects = [subjectOf(one, requests.repeated), subjectOf(several, requests.repeated)];
        // Each worker has a cache of its own.
        for (const subject of subjects) await measurement.warmUp(subject, 4);
        const [first, second] = await measurement.run(subjects.map((subject) => measurement.of(subject)));
        results.push({
          what: `${operation.name}, ${kind}`,
          one: first as LoadFigure,
          several: second as LoadFigure,
        });
      }
      return results;
    } finally {
      await several.stop();
    }
  } finally {
    await one.stop();
  }
}

/** Requires a PostgreSQL server, which several processes can share. */
export const measureWorkers = async (input: ReadInput): Promise<Row[]> => {
  const generator: Generator = startChild('load.ts');
  input.progress.start('workers', input.operations.length * ROUNDS * 4, 'measurements');
  try {
    const results = [
      ...(await measurePairs(input, 'repeated', generator)),
      ...(await measurePairs(input, 'uncached', generator)),
    ];
    return results.map(({ what, one, several }) => {
      return {
        what: `${what}, two workers`,
        measured: `${whole(several.rate)} requests/s`,
        p50: several.p50,
        p99: several.p99,
        cpu: several.cpu,
        limit: `${whole(one.rate)} requests/s at ${whole(one.cpu)} µs`,
        target: { text: `CPU <= x${MOST_CPU}`, isMet: several.cpu / one.cpu <= MOST_CPU },
      };
    });
  } finally {
    input.progress.stop();
    await generator.stop();
  }
};
