import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { DeliveryMeter } from './delivery/meter.js';
import type { IngestedBatch } from './ingest/pipeline/dependencies.js';
import { queryForMetrics, setIfKnown } from './metric-query.js';
import type { Tracer } from './trace/tracer.js';
import { VERSION } from './version.js';

/** Metrics of the service; names and labels are the same in every process. */
export interface Metrics {
  readonly registry: Registry;
  /** Seconds from a request's first byte to the end of its response, by operation id and status. */
  readonly requestSeconds: Histogram<'operation' | 'status'>;
  /** Seconds of calls of the hub's interface, by name of the call and gRPC status. */
  readonly grpcSeconds: Histogram<'call' | 'code'>;
  readonly requestsInFlight: Gauge;
  /** Messages by source (`hub`, `file`, `submit`, ...) and outcome (`merged`, `known`, `superseded`, `invalid`). */
  readonly ingestMessages: Counter<'source' | 'outcome'>;
  /** Seconds of one ingest transaction. */
  readonly ingestBatchSeconds: Histogram;
  /** Block time of the newest ingested event by source, Unix milliseconds; empty unless this process follows the hub. */
  readonly newestEventAt: Map<string, number>;
  /** Events of hub streams: `gap`, `garbage`, `repeated`, `unknown_type`, or why a stream was reopened. */
  readonly hubEvents: Counter<'shard' | 'event'>;
  /** Stored items of hubs and files that were rejected (`castellan refused list`). */
  readonly refusedItems: Gauge;
  /** Database connections by state (`total`, `idle`) and callers waiting for one (`waiting`). */
  readonly databasePool: Gauge<'state'>;
  /** Seconds of calls of the database by requests and jobs, with the wait for a connection. */
  readonly databaseSeconds: Histogram<'work'>;
  /** Seconds until an embedded page was read, by what came of it (`CrawlOutcome`). */
  readonly crawlSeconds: Histogram<'outcome'>;
  /** Seconds of requests to network endpoints, by network and outcome (`RpcOutcome`). */
  readonly rpcSeconds: Histogram<'network' | 'outcome'>;
  /** Charged compute units by operation; `GET /portal/organization/usage` returns them by organization. */
  readonly computeUnits: Counter<'operation'>;
  /** Responses to reads: from the cache (`hit`) or made anew (`miss`). */
  readonly responseCache: Counter<'outcome'>;
  /** Seconds of runs of jobs, by name and outcome (`done`, `failed`). */
  readonly jobSeconds: Histogram<'name' | 'outcome'>;
  /** Seconds of delivery attempts, by kind (`DeliveryKind`) and outcome (`delivered`, `failed`). */
  readonly deliverySeconds: Histogram<'kind' | 'outcome'>;
}

/** Counts the items of a batch, and measures its transaction. */
export const observeBatch = (
  { ingestMessages, ingestBatchSeconds }: Metrics,
  { source, report, seconds }: IngestedBatch,
): void => {
  for (const outcome of ['merged', 'known', 'superseded', 'kept', 'ignored', 'removed', 'absent'] as const) {
    if (report[outcome] > 0) ingestMessages.inc({ source, outcome }, report[outcome]);
  }
  for (const [reason, n] of Object.entries(report.invalid)) ingestMessages.inc({ source, outcome: reason }, n);
  if (seconds !== undefined) ingestBatchSeconds.observe(seconds);
};

/** @returns the listener through which the reader of a hub updates the metrics */
export const hubMeter = ({ newestEventAt, hubEvents }: Metrics) => {
  const event = (shard: number, name: string): void => hubEvents.inc({ shard: String(shard), event: name });
  return {
    stored: (shard: number, _events: number, newestAt: number) => void newestEventAt.set(`hub-${shard}`, newestAt),
    reconnected: (shard: number, reason: string) => event(shard, reason),
    gap: (shard: number) => event(shard, 'gap'),
    garbage: (shard: number) => event(shard, 'garbage'),
    repeated: (shard: number) => event(shard, 'repeated'),
    unknownType: (shard: number) => event(shard, 'unknown_type'),
  };
};

/** @returns the listener through which outboxes record their attempts, which are spans if there are traces */
export const deliveryMeter =
  ({ deliverySeconds }: Metrics, tracer?: Tracer): DeliveryMeter =>
  async (kind, attempt) => {
    const stop = deliverySeconds.startTimer({ kind });
    try {
      const result = await (tracer
        ? tracer.span(`deliver ${kind}`, { 'castellan.delivery': kind }, attempt)
        : attempt());
      stop({ outcome: 'delivered' });
      return result;
    } catch (error) {
      stop({ outcome: 'failed' });
      throw error;
    }
  };

/** @returns where the block time of the newest event of each source is written to, Unix milliseconds */
const addIngestLag = (registry: Registry): Map<string, number> => {
  const newestAt = new Map<string, number>();
  new Gauge({
    name: 'castellan_ingest_lag_seconds',
    help: 'Age of the newest ingested event, by source',
    aggregator: 'max',
    labelNames: ['source'],
    registers: [registry],
    // When it is collected, so that it grows while no event arrives or can be stored.
    collect() {
      this.reset();
      for (const [source, at] of newestAt) this.set({ source }, Math.max(0, (Date.now() - at) / 1000));
    },
  });
  return newestAt;
};

/** Gauges of the library with names of counters; the same by kind remains (`nodejs_active_handles`, ...). */
const MISNAMED_SUMS = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/**
 * Makes the metrics of one service with their own registry.
 * @param load reads the database's connections when the metrics are collected; `refusedItems` counts rejected items
 */
export const createMetrics = (
  load: () => { total: number; idle: number; waiting: number },
  refusedItems: () => Promise<number>,
): Metrics => {
  const registry = new Registry();
  const registers = [registry];
  const countRefusedItems = queryForMetrics(refusedItems);
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED_SUMS) registry.removeSingleMetric(name);
  new Gauge({
    name: 'castellan_build_info',
    help: 'Always 1; says which version runs on which Node.js',
    labelNames: ['version', 'node'],
    aggregator: 'max',
    registers,
  }).set({ version: VERSION, node: process.versions.node }, 1);
  return {
    registry,
    requestSeconds: new Histogram({
      name: 'castellan_request_duration_seconds',
      help: 'Time to answer a request, by operation and status',
      labelNames: ['operation', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    }),
    grpcSeconds: new Histogram({
      name: 'castellan_grpc_duration_seconds',
      help: 'Time of calls of the interface of a hub, by call and status; of streams, until they end',
      labelNames: ['call', 'code'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    }),
    requestsInFlight: new Gauge({
      name: 'castellan_requests_in_flight',
      help: 'Requests being answered now',
      registers,
    }),
    ingestMessages: new Counter({
      name: 'castellan_ingest_messages_total',
      help: 'Messages taken in, by source and outcome',
      labelNames: ['source', 'outcome'],
      registers,
    }),
    ingestBatchSeconds: new Histogram({
      name: 'castellan_ingest_batch_seconds',
      help: 'Time of one ingest transaction',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    newestEventAt: addIngestLag(registry),
    hubEvents: new Counter({
      name: 'castellan_hub_events_total',
      help: 'What happened to the streams of hubs, by shard',
      labelNames: ['shard', 'event'],
      registers,
    }),
    refusedItems: new Gauge({
      name: 'castellan_refused_items',
      help: 'Items of hubs and files that could not be stored and are kept to be tried again',
      // Each worker counts the rows of the same table.
      aggregator: 'max',
      registers,
      async collect() {
        setIfKnown(this, await countRefusedItems());
      },
    }),
    databaseSeconds: new Histogram({
      name: 'castellan_database_duration_seconds',
      help: 'Time of calls of the database by requests and jobs, with the wait for a connection',
      labelNames: ['work'],
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5, 10],
      registers,
    }),
    crawlSeconds: new Histogram({
      name: 'castellan_crawl_duration_seconds',
      help: 'Time to read a page that casts embed, by what came of it',
      labelNames: ['outcome'],
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    rpcSeconds: new Histogram({
      name: 'castellan_rpc_duration_seconds',
      help: 'Time of requests to endpoints of networks, by network and outcome',
      labelNames: ['network', 'outcome'],
      buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    computeUnits: new Counter({
      name: 'castellan_compute_units_total',
      help: 'Compute units of calls that count, by operation',
      labelNames: ['operation'],
      registers,
    }),
    responseCache: new Counter({
      name: 'castellan_response_cache_total',
      help: 'Responses to reads, by whether they came from the cache',
      labelNames: ['outcome'],
      registers,
    }),
    jobSeconds: new Histogram({
      name: 'castellan_job_duration_seconds',
      help: 'Time of runs of background jobs, by name and outcome',
      labelNames: ['name', 'outcome'],
      buckets: [0.01, 0.1, 0.5, 1, 5, 30, 120, 600],
      registers,
    }),
    deliverySeconds: new Histogram({
      name: 'castellan_delivery_duration_seconds',
      help: 'Time of attempts to deliver, by what is delivered and outcome',
      labelNames: ['kind', 'outcome'],
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    databasePool: new Gauge({
      name: 'castellan_database_pool',
      help: 'Database connections by state, and callers waiting for one',
      labelNames: ['state'],
      registers,
      collect() {
        const { total, idle, waiting } = load();
        this.set({ state: 'total' }, total);
        this.set({ state: 'idle' }, idle);
        this.set({ state: 'waiting' }, waiting);
      },
    }),
  };
};
