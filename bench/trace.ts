import { startChild } from './child.js';
import type { Generator } from './measurement.js';
import type { Progress } from './progress.js';
import { READ_OPERATIONS, type ReadOperation } from './read-operation.js';
import type { ReceiverResponse } from './receiver.js';
import { selectRequests } from './sample.js';
import { leaveFirstCore, measurePair, middlePair, type Pair, type PairedResult, type Start } from './service-pair.js';
import type { Row } from './table.js';
import { type Target, withDatabase } from './target.js';

/** A page from the cache is the cheapest request; one that is read has the most spans. */
const MEASURED = [
  { id: 'fetch-bulk-users', kind: 'repeated' },
  { id: 'fetch-bulk-users', kind: 'uncached' },
] as const;
/** Shares of the requests that are recorded; undefined: a second service without traces, as a measure of chance. */
const SHARES = [undefined, 0.01, 1] as const;
/** Two processes of one program differ by some percent, so each pair of services is restarted this often. */
const STARTS = 3;
/** Least share of the rate without traces. */
const LEAST = 0.97;

export interface TraceInput {
  readonly target: Target;
  readonly connections: number;
  /** Seconds of one measurement; there are two in each start. */
  readonly seconds: number;
  readonly flags: readonly string[];
  readonly progress: Progress;
}

const rowOf = (what: string, [without, figure]: Pair<PairedResult>): Row => {
  const share = figure.rate / without.rate;
  return {
    what,
    measured: `${Math.round(figure.rate).toLocaleString('en')} requests/s`,
    p50: figure.p50,
    p99: figure.p99,
    cpu: figure.cpu,
    limit: `${Math.round(without.rate).toLocaleString('en')} requests/s at ${Math.round(without.cpu)} µs`,
    share,
    target: { text: `>= ${100 * LEAST}%`, isMet: share >= LEAST },
  };
};

const measure = async (
  { target, connections, seconds, flags, progress }: TraceInput,
  generator: Generator,
  collector: string,
): Promise<Row[]> => {
  const { url } = target;
  if (url === undefined) throw new Error('two services run on a PostgreSQL server alone');
  return withDatabase(target.environment, async (db) => {
    const rows: Row[] = [];
    for (const { id, kind } of MEASURED) {
      const operation = READ_OPERATIONS.find((one) => one.id === id) as ReadOperation;
      const { repeated: paths } = await selectRequests(db, operation);
      for (const recorded of SHARES) {
        const startOf = (name: string, environment: Record<string, string>): Start => ({
          name: `castellan bench ${name}`,
          databaseUrl: url,
          environment: { ...(kind === 'uncached' && { CASTELLAN_CACHE_MB: '0' }), ...environment },
        });
        const on = { OTEL_EXPORTER_OTLP_ENDPOINT: collector, OTEL_TRACES_SAMPLER_ARG: String(recorded) };
        const starts: Pair<Start> = [startOf('off', {}), startOf('on', recorded === undefined ? {} : on)];
        const measured: Pair<PairedResult>[] = [];
        while (measured.length < STARTS) {
          const how = { seconds, means: { generator, db }, isTranslated: measured.length % 2 === 1, flags };
          measured.push((await measurePair(starts, [{ paths, connections }], how))[0] as Pair<PairedResult>);
          progress.add(1);
        }
        const traced = recorded === undefined ? 'not traced either' : `${100 * recorded}% traced`;
        rows.push(rowOf(`${operation.name}, ${kind}, ${traced}`, middlePair(measured)));
      }
    }
    return rows;
  });
};

/**
 * Measures what traces cost requests, with a collector of the benchmark that takes everything. Requires a PostgreSQL
 * server, because two services share one database.
 * @throws on a system without `taskset` and `chrt`, or with one core
 */
export const measureTraces = async (input: TraceInput): Promise<Row[]> => {
  const takeFirstCore = await leaveFirstCore();
  const generator: Generator = startChild('load.ts');
  const receiver = startChild<Record<string, never>, ReceiverResponse>('receiver.ts');
  input.progress.start('traces', MEASURED.length * SHARES.length * STARTS, 'pairs of services');
  try {
    const { port } = await receiver.ask({});
    return await measure(input, generator, `http://127.0.0.1:${port}`);
  } finally {
    input.progress.stop();
    await generator.stop();
    await receiver.stop();
    await takeFirstCore();
  }
};
