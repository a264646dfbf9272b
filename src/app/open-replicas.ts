import { Counter, Gauge, type Registry } from 'prom-client';
import type { Freshness } from '../cache/freshness.js';
import type { Config } from '../config/config.js';
import type { Database } from '../db/database.js';
import type { FallbackReason } from '../db/replica/fallback.js';
import { NO_MARK, ReplicaPool, type ReplicaState } from '../db/replica/pool.js';
import { timedCall } from '../db/timed-database.js';
import type { Log } from '../log.js';
import type { Metrics } from '../metric.js';
import { selectLogPosition } from '../store/log-position.js';
import { attributesOf } from '../trace/traced-database.js';
import type { Tracer } from '../trace/tracer.js';

const NOT_READ = 'no reads are sent to the replica';
const NO_MARK_ADVICE = `${NOT_READ}: DATABASE_URL must lead to the primary, and its user may call pg_control_system(), pg_current_wal_flush_lsn() and pg_walfile_name()`;

/** Registers the metrics of replicas. @param states of the replicas, when the metrics are collected */
const addReplicaMetrics = (registry: Registry, states: () => readonly ReplicaState[]) => {
  const registers = [registry];
  const gauge = (name: string, help: string, aggregator: 'min' | 'max', read: (state: ReplicaState) => number) =>
    new Gauge({
      ...{ name, help, aggregator, registers, labelNames: ['replica'] as const },
      collect() {
        this.reset();
        for (const state of states()) if (!state.isPrimary) this.set({ replica: state.name }, read(state));
      },
    });
  gauge('castellan_replica_in_use', '1 while reads are sent to the replica, else 0', 'min', ({ problem }) =>
    problem === undefined ? 1 : 0,
  );
  gauge(
    'castellan_replica_lag_seconds',
    'For how long the replica has lacked something that the primary has',
    'max',
    ({ lagSeconds }) => lagSeconds,
  );
  gauge(
    'castellan_replica_lag_bytes',
    'Write-ahead log of the primary that the replica has not replayed',
    'max',
    ({ lagBytes }) => lagBytes,
  );
  return {
    reads: new Counter({
      name: 'castellan_replica_reads_total',
      help: 'Reads of responses, by the replica that answered them, or primary',
      labelNames: ['target'],
      registers,
    }),
    fallbacks: new Counter<'reason'>({
      name: 'castellan_replica_fallbacks_total',
      help: 'Responses that were read from the primary instead of a replica, by reason',
      labelNames: ['reason'],
      registers,
    }),
  };
};

/** @returns the replicas of CASTELLAN_READ_URL, not yet started; undefined: none are named, or this process answers nothing */
export const openReplicas = (
  config: Config,
  parts: {
    readonly db: Database;
    readonly freshness: Freshness;
    readonly metrics: Metrics;
    readonly log: Log;
    readonly tracer: Tracer | undefined;
  },
): ReplicaPool | undefined => {
  const { db, freshness, metrics, log, tracer } = parts;
  const isNeeded = config.replicas.length > 0 && config.processes.roles.has('api');
  const { reads, fallbacks } = addReplicaMetrics(metrics.registry, () => pool?.states() ?? []);
  const timed = timedCall((work, seconds) => metrics.databaseSeconds.observe({ work }, seconds));
  const pool = isNeeded
    ? new ReplicaPool({
        urls: config.replicas.map((url) => url.reveal()),
        connections: config.databaseConnections,
        primary: db,
        selectPosition: () => selectLogPosition(db),
        moment: () => freshness.clock.now(),
        around: (name, send) => {
          const call = () => timed('read', send);
          return tracer ? tracer.call(name, attributesOf(name), call) : call();
        },
        sent: (target) => reads.inc({ target }),
        fellBack: (reason: FallbackReason) => fallbacks.inc({ reason }),
        changed: ({ name, problem, failure }, changes) => {
          const fields = { replica: name, ...(changes > 1 && { changes }) };
          if (problem === undefined) log.info(fields, 'reads are sent to the replica');
          else log.warn({ ...fields, problem, err: failure }, problem === NO_MARK ? NO_MARK_ADVICE : NOT_READ);
        },
      })
    : undefined;
  return pool;
};
