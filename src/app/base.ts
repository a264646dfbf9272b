import { createFreshness, type Freshness } from '../cache/freshness.js';
import { createReads, type Reads } from '../cache/read-cache.js';
import { Siblings } from '../cache/sibling.js';
import type { Config } from '../config/config.js';
import type { Database } from '../db/database.js';
import type { ReplicaPool } from '../db/replica/pool.js';
import { timedDatabase } from '../db/timed-database.js';
import { createOutbound, type OutboundClient } from '../delivery/outbound.js';
import type { Log } from '../log.js';
import { createMetrics, type Metrics } from '../metric.js';
import { selectRefusedItemCount } from '../store/protocol/refused-item.js';
import type { Tracer } from '../trace/tracer.js';
import type { AppOptions, Timings } from './app-options.js';
import { openReplicas } from './open-replicas.js';

/** What most parts of the service are built from. */
export interface Base {
  readonly db: Database;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Unix milliseconds. */
  readonly clock: () => number;
  readonly timings: Timings;
  /** HTTP client for URLs given by users. */
  readonly outbound: OutboundClient;
  readonly siblings: Siblings;
  readonly freshness: Freshness;
  /** Invalidates the caches of this process and its siblings after a write. */
  readonly changed: Freshness['invalidate'];
  /** Undefined: there are none. */
  readonly replicas: ReplicaPool | undefined;
  readonly reads: Reads;
  /** Undefined: there are no traces. */
  readonly tracer: Tracer | undefined;
}

export const createBase = (
  config: Config,
  given: Database,
  { log, clock = Date.now, timings = {}, siblings: link }: AppOptions,
  tracer?: Tracer,
): Base => {
  if (config.allowLoopbackTargets && config.host !== '127.0.0.1') {
    log.warn(
      'CASTELLAN_ALLOW_LOOPBACK_TARGETS is on: whoever holds a key may make this service call programs on this machine',
    );
  }
  // Clients do not wait for what a process does that answers none.
  const siblings = new Siblings(config.processes.roles.has('api') ? link : undefined);
  const metrics = createMetrics(
    () => given.load(),
    () => selectRefusedItemCount(given),
  );
  const db = timedDatabase(given, (work, seconds) => metrics.databaseSeconds.observe({ work }, seconds));
  const freshness = createFreshness({ db, siblings, unusedPollMs: timings.pollMs });
  const replicas = openReplicas(config, { db, freshness, metrics, log, tracer });
  const reads = createReads({
    db,
    replicas,
    cacheBytes: config.cacheBytes,
    freshness,
    clock,
    tracer,
    dialect: config.wireNames,
    counted: (outcome) => metrics.responseCache.inc({ outcome }),
    report: (entity, err) => log.error({ err, entity }, 'an entity that cannot be rendered is left out of its page'),
  });
  const outbound = createOutbound({ allowLoopback: config.allowLoopbackTargets, traceHeaders: tracer?.headers });
  const changed = freshness.invalidate;
  return { db, log, metrics, clock, timings, outbound, siblings, freshness, changed, replicas, reads, tracer };
};
