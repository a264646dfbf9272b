import { Counter, Gauge } from 'prom-client';
import type { ReadinessCheck } from '../api/http/service.js';
import type { Config } from '../config/config.js';
import { MINUTE_MS } from '../duration.js';
import type { Broker } from '../event/sink/broker.js';
import { createSinkSender, type SinkObserver, SKIP_REASONS } from '../event/sink/sender.js';
import type { Log } from '../log.js';
import { queryForMetrics, setIfKnown } from '../metric-query.js';
import { selectUnsentSince } from '../store/event/sink.js';
import type { Base } from './base.js';

/** How often the log says that events could not be sent. */
const REPEAT_MS = MINUTE_MS;

/** Loads the client of the broker with the first connection: few services have one. */
const loadBroker = ({ eventSink, retention }: Pick<Config, 'eventSink' | 'retention'>): Broker => ({
  connect: async (signal) => {
    const { createNatsBroker } = await import('../event/sink/nats.js');
    return createNatsBroker(eventSink as NonNullable<typeof eventSink>, retention.eventDays).connect(signal);
  },
});

/** Writes what the sender reports into the log: failures at most once a minute, and their end when the broker has taken events. */
const logOf = (log: Log): SinkObserver => {
  let state: 'new' | 'sending' | 'failing' = 'new';
  let failureSaidAt = Number.NEGATIVE_INFINITY;
  return {
    sent: (events) => {
      if (events === 0 || state === 'sending') return;
      log.info(state === 'new' ? 'events are sent to the broker' : 'events are sent to the broker again');
      state = 'sending';
    },
    failed: (error) => {
      const now = performance.now();
      if (now - failureSaidAt < REPEAT_MS) return;
      failureSaidAt = now;
      state = 'failing';
      log.error({ err: error }, 'events could not be sent to the broker of CASTELLAN_EVENT_SINK; they are tried again');
    },
    skipped: (reason, count, what) => {
      if (reason === 'too_large')
        log.error(
          { events: count, what },
          'an event is larger than the broker accepts (max_payload), and is missing there',
        );
      else
        log.error(
          { logIds: count, what },
          'rows of the event log were deleted (CASTELLAN_EVENT_RETENTION_DAYS) before the broker took their events, which are missing there',
        );
    },
  };
};

/**
 * Sends events to the broker of CASTELLAN_EVENT_SINK.
 * @returns undefined without one
 */
export const createEventSink = (
  config: Pick<Config, 'eventSink' | 'retention' | 'wireNames' | 'readyMaxLagSeconds'>,
  { db, log, metrics, clock, reads, timings }: Base,
) => {
  if (config.eventSink === undefined) return undefined;
  const registers = [metrics.registry];
  const sent = new Counter({
    name: 'castellan_event_sink_sent_total',
    help: 'Events that the broker has confirmed',
    registers,
  });
  const failures = new Counter({
    name: 'castellan_event_sink_failures_total',
    help: 'Attempts to send events to the broker that failed',
    registers,
  });
  const skipped = new Counter({
    name: 'castellan_event_sink_skipped_total',
    help: 'What the broker never gets: events that are too large for it, and ids of the event log that were deleted because they are old',
    labelNames: ['reason'],
    registers,
  });
  // An increase is only seen in a series that was there before.
  for (const reason of SKIP_REASONS) skipped.inc({ reason }, 0);
  const unsentSince = queryForMetrics(async () => ({ at: await selectUnsentSince(db) }));
  /** @returns undefined while it is unknown */
  const lagSeconds = async (): Promise<number | undefined> => {
    const found = await unsentSince();
    return found && (found.at === undefined ? 0 : Math.max(0, (clock() - found.at.getTime()) / 1000));
  };
  new Gauge({
    name: 'castellan_event_sink_lag_seconds',
    help: 'Age of the oldest event that the broker has not confirmed; 0 if it has all',
    // Each worker reads the same tables.
    aggregator: 'max',
    registers,
    async collect() {
      setIfKnown(this, await lagSeconds());
    },
  });
  const written = logOf(log);
  const observer: SinkObserver = {
    sent: (events) => {
      sent.inc(events);
      written.sent(events);
    },
    failed: (error) => {
      failures.inc();
      written.failed(error);
    },
    skipped: (reason, count, what) => {
      skipped.inc({ reason }, count);
      written.skipped(reason, count, what);
    },
  };
  const limit = config.readyMaxLagSeconds;
  const readiness: ReadinessCheck = {
    name: 'event_sink',
    stillServes: true,
    check: async () => {
      const lag = (await lagSeconds()) ?? 0;
      return lag > limit
        ? `the broker of CASTELLAN_EVENT_SINK is ${Math.round(lag)} s behind (CASTELLAN_READY_MAX_LAG_SECONDS is ${limit}); the log says why`
        : undefined;
    },
  };
  const sender = createSinkSender({
    ...{ db, reads, observer, broker: loadBroker(config), dialect: config.wireNames, pollMs: timings.pollMs },
  });
  return { sender, readiness };
};
