import type { Build } from './build-pair.js';
import { startChild } from './child.js';
import { type LookUp, prepareLookUp } from './look-up.js';
import { type Generator, type LoadFigure, type LoadOptions, Measurement, ROUNDS, subjectOf } from './measurement.js';
import type { RequestedOperation } from './sample.js';
import { type Service, startService } from './service.js';
import { percent, type Row, whole } from './table.js';

/** Pages that nothing has in its memory yet, and the share of the look-ups that they must reach. */
export const FIRST_PAGES: ReadonlyMap<string, number> = new Map([
  ['fetch-bulk-casts', 0.35],
  ['fetch-user-following-feed', 0.25],
  ['fetch-all-notifications', 0.15],
  ['fetch-bulk-users', 0.45],
]);
/** The operation whose casts are looked up. */
const LOOKED_UP = 'fetch-bulk-casts';

/** A build whose pages are measured. */
export interface FirstPageBuild extends Build {
  /** What follows the name of its rows. */
  readonly label: string;
}

export interface FirstPageInput extends LoadOptions {
  /** Those of `FIRST_PAGES`. */
  readonly operations: readonly RequestedOperation[];
  readonly builds: readonly FirstPageBuild[];
  readonly flags: readonly string[];
}

const rowOf = (
  { operation: { id, name } }: RequestedOperation,
  label: string,
  page: LoadFigure,
  lookUp: LoadFigure,
): Row => {
  const wanted = FIRST_PAGES.get(id) as number;
  const share = page.rate / lookUp.rate;
  return {
    what: `${name}, first time${label}`,
    measured: `${whole(page.rate)} requests/s of ${(page.bytes / 1024).toFixed(1)} KiB`,
    p50: page.p50,
    p99: page.p99,
    cpu: page.cpu,
    limit: `${whole(lookUp.rate)} look-ups/s`,
    share,
    target: { text: `>= ${percent(wanted)}`, isMet: share >= wanted },
  };
};

interface Means extends FirstPageInput {
  readonly services: readonly Service[];
}

const measureServices = async ({ services, ...input }: Means): Promise<Row[]> => {
  const { operations, builds, progress } = input;
  const casts = operations.find(({ operation }) => operation.id === LOOKED_UP) as RequestedOperation;
  const generator: Generator = startChild('load.ts');
  const measurement = new Measurement(generator, input);
  progress.start('first pages', (1 + services.length) * ROUNDS * operations.length, 'measurements');
  let lookUp: LookUp | undefined;
  try {
    lookUp = await prepareLookUp(input, builds[0] as Build, services[0] as Service, casts);
    const rows: Row[] = [];
    for (const asked of operations) {
      const subjects = services.map((service) => subjectOf(service, asked.requests.repeated));
      // Compiles the code and loads the pages into the database's memory.
      for (const subject of subjects) await measurement.warmUp(subject, 1);
      const measures = [lookUp.measure, ...subjects.map((subject) => measurement.of(subject))];
      const [limit, ...pages] = (await measurement.run(measures)) as [LoadFigure, ...LoadFigure[]];
      rows.push(...builds.map(({ label }, at) => rowOf(asked, label, pages[at] as LoadFigure, limit)));
    }
    return rows;
  } finally {
    progress.stop();
    await lookUp?.stop();
    await generator.stop();
  }
};

/**
 * Measures pages in services without a cache, in turn with one look-up of 25 JSON texts by primary key.
 * @throws unless the databases are on a PostgreSQL server
 */
export const measureFirstPages = async (input: FirstPageInput): Promise<Row[]> => {
  const services: Service[] = [];
  try {
    for (const { target, checkout } of input.builds) {
      const environment = { ...target.environment, CASTELLAN_CACHE_MB: '0' };
      services.push(await startService(environment, input.flags, 'serve', checkout));
    }
    return await measureServices({ ...input, services });
  } finally {
    for (const service of services) await service.stop();
  }
};
