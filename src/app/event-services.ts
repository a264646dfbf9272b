import type { EventServices } from '../api/http/service.js';
import type { PlanLimits } from '../billing/plan/limit.js';
import type { Config } from '../config/config.js';
import { HubStreams } from '../event/hub-stream/hub-streams.js';
import { Streams } from '../event/stream/streams.js';
import { createDispatcher } from '../event/webhook/dispatcher.js';
import { createWebhookInbox } from '../event/webhook/inbox.js';
import { createEventSender } from '../event/webhook/sender.js';
import { deliveryMeter } from '../metric.js';
import { selectEventBacklog } from '../store/event/backlog.js';
import type { Base } from './base.js';
import { createEventMetrics } from './event-metric.js';
import { createEventSink } from './event-sink.js';
import type { ServiceCore } from './service-core.js';

/** Streams and webhooks, and what is sent to a broker. */
export const createEventServices = (
  config: Config,
  base: Base,
  { core: { searchPatterns }, limits }: { readonly core: ServiceCore; readonly limits: PlanLimits },
) => {
  const { masterKey, profile } = config;
  const { db, log, metrics, clock, outbound, reads, timings, tracer } = base;
  const streams = new Streams({
    ...{ db, reads, search: searchPatterns, clock },
    failed: (error) => log.error({ err: error }, 'events could not be streamed; it is tried again'),
  });
  const hubStreams = new HubStreams({
    ...{ db, reads, clock },
    failed: (error) => log.error({ err: error }, 'events could not be sent to readers of the hub; it is tried again'),
  });
  const { webhookFailures } = createEventMetrics(metrics.registry, {
    backlog: () => selectEventBacklog(db),
    streams: () => streams.size,
    clock,
  });
  const eventSender = createEventSender({
    ...{ db, outbound, masterKey, clock, pollMs: timings.pollMs },
    meter: deliveryMeter(metrics, tracer),
    attemptFailed: (webhook) => webhookFailures.inc({ webhook }),
    failed: (error) => log.error({ err: error }, 'webhooks could not be called; it is tried again'),
  });
  const dispatcher = createDispatcher({
    ...{ db, reads, search: searchPatterns, clock },
    written: eventSender.pollNow,
    pollMs: timings.pollMs,
    failed: (error) => log.error({ err: error }, 'events could not be handed to webhooks; they are tried again'),
  });
  const webhooks = { db, masterKey, rule: outbound, limits, clock };
  const services: EventServices = {
    ...{ webhooks, eventSender, searchPatterns, streams, hubStreams },
    ...(profile === 'dev' && { webhookInbox: createWebhookInbox() }),
  };
  return { services, dispatcher, sink: createEventSink(config, base) };
};
