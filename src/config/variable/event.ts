import { eventSinkUrl } from '../event-sink.js';
import { integer } from '../parse.js';
import { optional, variable } from '../variable-row.js';

/** What is sent about what happened, and how long it is kept. */
export const EVENT_VARIABLES = {
  CASTELLAN_EVENT_SINK: optional(
    eventSinkUrl,
    'Broker to which all events are [sent](event-sink.md), NATS with JetStream: `nats://user:password@host:4222/stream`, or `tls://` for an encrypted connection. Without it there is none.',
  ),
  CASTELLAN_EVENT_RETENTION_DAYS: variable(
    integer(1, 3650),
    7,
    'How long the log of events is kept: streams and replays of webhooks reach back so far, and `GET /v1/events`. What is not yet handed to webhooks stays.',
  ),
  CASTELLAN_DELIVERY_RETENTION_DAYS: variable(
    integer(1, 3650),
    7,
    'How long deliveries of webhooks and their attempts are kept after they ended.',
  ),
};
