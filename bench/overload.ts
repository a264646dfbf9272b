import { importBuilt } from './build-import.js';
import { selectSlowPaths } from './cast-metric.js';
import { type Child, startChild } from './child.js';
import type { LoadInput, LoadResult } from './load.js';
import type { OfferInput, OfferResult } from './offered-load.js';
import type { RequestedOperation } from './sample.js';
import { type Service, startService } from './service.js';
import { memoryRow, milliseconds, type Row, whole } from './table.js';
import { type Target, withDatabase } from './target.js';

/** Times the load that can be served. */
const FACTORS = [1, 2, 4];
const CONNECTIONS = 512;
const SECONDS = 15;
const QUIET_SECONDS = 5;
const OTHER_RATE = 50;
const HEALTH_RATE = 20;
const MEMORY_POLL_MS = 500;
const HEALTH_MS = 50;
const OTHER_FACTOR = 5;
/** Slow reads at once, and how much longer the p99 of another key's reads may be beside them. */
const SLOW_CONNECTIONS = 10;
const SLOW_FACTOR = 2;
const RECOVERY_MS = 5_000;
const RECOVERY_POLL_MS = 20;
/** Reads in a row, as fast as quiet ones, after which the service has recovered. */
const RECOVERED_READS = 10;

type Offer = Child<OfferInput, OfferResult>;

const listed = (statuses: OfferResult['statuses']): string =>
  Object.entries(statuses)
    .map(([status, count]) => `${status}: ${whole(count)}`)
    .join(', ');

const createKey = (target: Pick<Target, 'environment'>): Promise<string> =>
  withDatabase(target.environment, async (db) => {
    const { createKey: create } = await importBuilt<typeof import('../src/access/key.js')>('access/key.js');
    return (await create(db, { name: 'bench overload', scopes: ['read'], now: new Date() })).secret;
  });

/** @returns the highest resident bytes until `work` ends */
const peakDuring = async (service: Service, work: Promise<unknown>): Promise<number> => {
  let isOver = false;
  const end = work.finally(() => {
    isOver = true;
  });
  let peak = 0;
  while (!isOver) {
    peak = Math.max(peak, (await service.usage()).bytes);
    await new Promise((done) => setTimeout(done, MEMORY_POLL_MS));
  }
  await end;
  return peak;
};

/** @returns milliseconds until reads are again as fast as quiet ones; undefined: they were not within a minute */
const recovery = async (port: number, path: string, apiKey: string, quietMs: number): Promise<number | undefined> => {
  const began = performance.now();
  for (let inRow = 0, since = 0; performance.now() - began < 60_000; ) {
    const sent = performance.now();
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'x-api-key': apiKey } });
    await response.arrayBuffer();
    const isQuick = response.status === 200 && performance.now() - sent <= OTHER_FACTOR * quietMs;
    if (inRow === 0) since = sent - began;
    inRow = isQuick ? inRow + 1 : 0;
    if (inRow === RECOVERED_READS) return since;
    await new Promise((done) => setTimeout(done, RECOVERY_POLL_MS));
  }
  return undefined;
};

/**
 * Offers one, two and four times the requests that can be served with one key, while another key reads and a probe asks
 * for `/health/live`; then ten slow reads at once while the other key reads. Nothing is cached, so that every request works.
 * Takes about two minutes.
 * @param operations pages of casts for the greedy key, and single users for the other one
 */
export const measureOverload = async (parts: {
  readonly greedy: RequestedOperation;
  readonly other: RequestedOperation;
  readonly target: Target;
  readonly flags: readonly string[];
}): Promise<Row[]> => {
  const { greedy, other, target, flags } = parts;
  const environment = { ...target.environment, CASTELLAN_CACHE_MB: '0' };
  // The first start makes the app that keys belong to. An embedded database is open in one process at a time.
  await (await startService(environment, flags)).stop();
  const otherKey = await createKey(target);
  const slowPaths = await withDatabase(target.environment, selectSlowPaths);
  const service = await startService(environment, flags);
  const load = startChild<LoadInput, LoadResult>('load.ts');
  const [flood, reader, prober]: Offer[] = [0, 1, 2].map(() => startChild('offered-load.ts')) as Offer[];
  const { port, metricsPort, apiKey } = service;
  const paths = greedy.requests.repeated;
  const otherPaths = other.requests.repeated;
  const path = otherPaths[0] as string;
  const read = (seconds: number) =>
    reader?.ask({ port, path, paths: otherPaths, apiKey: otherKey, rate: OTHER_RATE, seconds, connections: 64 });
  const probe = (seconds: number) =>
    prober?.ask({ port: metricsPort, path: '/health/live', rate: HEALTH_RATE, seconds, connections: 64 });
  const rows: Row[] = [];
  try {
    await load.ask({ port, apiKey, paths, connections: 32, seconds: QUIET_SECONDS });
    const { requests, seconds } = await load.ask({ port, apiKey, paths, connections: 32, seconds: QUIET_SECONDS });
    const rate = requests / seconds;
    await read(1);
    const quiet = (await read(QUIET_SECONDS)) as OfferResult;
    rows.push({ what: 'overload: what can be served', measured: `${whole(rate)} requests/s` });
    rows.push({
      what: 'overload: another key, quiet',
      measured: listed(quiet.statuses),
      p50: quiet.p50,
      p99: quiet.p99,
    });
    for (const factor of FACTORS) {
      const name = `overload, ${factor} times`;
      const offer = { port, path: '', paths, apiKey, rate: factor * rate, seconds: SECONDS, connections: CONNECTIONS };
      const answers = Promise.all([flood?.ask(offer), read(SECONDS), probe(SECONDS)]);
      const bytes = await peakDuring(service, answers);
      const recovered = await recovery(port, path, otherKey, quiet.p99);
      const [flooded, readers, health] = (await answers) as [OfferResult, OfferResult, OfferResult];
      rows.push(
        { what: `${name}: greedy key`, measured: listed(flooded.statuses), p50: flooded.p50, p99: flooded.p99 },
        {
          what: `${name}: another key`,
          measured: listed(readers.statuses),
          p50: readers.p50,
          p99: readers.p99,
          target: {
            text: `p99 <= ${milliseconds(OTHER_FACTOR * quiet.p99)} ms`,
            isMet: readers.p99 <= OTHER_FACTOR * quiet.p99 && Object.keys(readers.statuses).join() === '200',
          },
        },
        {
          what: `${name}: health`,
          measured: listed(health.statuses),
          p50: health.p50,
          p99: health.p99,
          target: {
            text: `200 only, p99 <= ${HEALTH_MS} ms`,
            isMet: health.p99 <= HEALTH_MS && Object.keys(health.statuses).join() === '200',
          },
        },
        memoryRow(`${name}: peak memory`, bytes, true),
        {
          what: `${name}: recovery`,
          measured: recovered === undefined ? 'not within 60 s' : `${whole(recovered)} ms`,
          target: { text: `<= ${whole(RECOVERY_MS)} ms`, isMet: recovered !== undefined && recovered <= RECOVERY_MS },
        },
      );
    }
    const slow = { port, apiKey, paths: slowPaths, connections: SLOW_CONNECTIONS, seconds: SECONDS };
    const [counted, beside] = (await Promise.all([load.ask(slow), read(SECONDS)])) as [LoadResult, OfferResult];
    rows.push(
      {
        what: 'ten counts of casts at once',
        measured: `${whole(counted.requests / counted.seconds)} requests/s`,
        p50: counted.p50,
        p99: counted.p99,
      },
      {
        what: 'ten counts of casts at once: another key',
        measured: listed(beside.statuses),
        p50: beside.p50,
        p99: beside.p99,
        target: {
          text: `p99 <= ${milliseconds(SLOW_FACTOR * quiet.p99)} ms`,
          isMet: beside.p99 <= SLOW_FACTOR * quiet.p99,
        },
      },
    );
    return rows;
  } finally {
    await Promise.all([load, flood, reader, prober].map((child) => child?.stop()));
    await service.stop();
  }
};
