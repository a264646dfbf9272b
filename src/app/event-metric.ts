import { Counter, Gauge, type Registry } from 'prom-client';
import { backlogAge } from '../event/webhook/backlog-age.js';
import { queryForMetrics, setIfKnown } from '../metric-query.js';
import type { EventBacklog } from '../store/event/backlog.js';

/** Metrics of webhooks and streams that the service sets; those of the database are read when they are collected. */
export interface EventMetrics {
  /** Failed attempts to call a webhook, by its id. */
  readonly webhookFailures: Counter<'webhook'>;
}

/** Where the metrics of events are read from. */
export interface EventMetricSources {
  readonly backlog: () => Promise<EventBacklog>;
  /** Streams that are open now. */
  readonly streams: () => number;
  /** Unix milliseconds. */
  readonly clock: () => number;
}

/** Adds the metrics of webhooks and streams to those of a service. */
export const createEventMetrics = (
  registry: Registry,
  { backlog, streams, clock }: EventMetricSources,
): EventMetrics => {
  const registers = [registry];
  const loadBacklog = queryForMetrics(backlog);
  const addBacklogGauge = (name: string, help: string, read: (backlog: EventBacklog) => number): void => {
    new Gauge({
      name,
      help,
      // Each worker reads the same tables.
      aggregator: 'max',
      registers,
      async collect() {
        const found = await loadBacklog();
        setIfKnown(this, found === undefined ? undefined : read(found));
      },
    });
  };
  addBacklogGauge(
    'castellan_event_log_backlog',
    'Rows of the event log that are not handed to webhooks yet: a difference of ids, which may have gaps',
    ({ logIds }) => logIds,
  );
  addBacklogGauge('castellan_webhook_waiting', 'Pending deliveries of webhooks that are on', ({ waiting }) => waiting);
  addBacklogGauge(
    'castellan_webhook_oldest_seconds',
    'Time since the oldest pending delivery was written or replayed; 0 if none is pending',
    (found) => backlogAge(found, clock()),
  );
  new Gauge({
    name: 'castellan_streams',
    help: 'Streams of events that are open now',
    registers,
    collect() {
      this.set(streams());
    },
  });
  return {
    webhookFailures: new Counter({
      name: 'castellan_webhook_failures_total',
      help: 'Failed attempts to call a webhook, by its id',
      labelNames: ['webhook'],
      registers,
    }),
  };
};
