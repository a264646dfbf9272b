import { startChild } from './child.js';
import { type Generator, ROUNDS } from './measurement.js';
import type { ReadInput } from './read.js';
import { measureInTurn } from './service-in-turn.js';
import { type Row, whole } from './table.js';

/** What a request may take of the processor with two workers, as a multiple of what it takes in one process. */
const MOST_CPU = 1.15;
/** Each worker has a cache of its own, so that every request is sent twice as often as to one process. */
const WARM_UP_TIMES = 4;

/**
 * Measures one process and a service with two workers in turn, the processor time of all its processes together.
 * Requires a PostgreSQL server, which several processes can share.
 */
export const measureWorkers = async (input: ReadInput): Promise<Row[]> => {
  const generator: Generator = startChild('load.ts');
  const measure = async (kind: string, more: Readonly<Record<string, string>>): Promise<Row[]> => {
    const environment = { ...input.target.environment, ...more };
    const pairs = await measureInTurn(
      [
        { ...environment, CASTELLAN_WORKERS: '1' },
        { ...environment, CASTELLAN_WORKERS: '2' },
      ],
      input,
      generator,
      WARM_UP_TIMES,
    );
    return pairs.map(([one, two], index) => ({
      what: `${input.operations[index]?.operation.name}, ${kind}, two workers`,
      measured: `${whole(two.rate)} requests/s`,
      p50: two.p50,
      p99: two.p99,
      cpu: two.cpu,
      limit: `${whole(one.rate)} requests/s at ${whole(one.cpu)} µs`,
      target: { text: `CPU <= x${MOST_CPU}`, isMet: two.cpu / one.cpu <= MOST_CPU },
    }));
  };
  input.progress.start('workers', input.operations.length * ROUNDS * 4, 'measurements');
  try {
    return [...(await measure('repeated', {})), ...(await measure('uncached', { CASTELLAN_CACHE_MB: '0' }))];
  } finally {
    input.progress.stop();
    await generator.stop();
  }
};
