import Type from 'typebox';
import { EVENT_TYPES, PROTOCOL_EVENT_TYPES } from '../../protocol/event/social-event.js';
import { namedObject } from '../named.js';
import { nullable } from '../nullable.js';
import { NextCursor } from '../page.js';
import { stringEnum } from '../string-enum.js';

const webhookId = Type.String();
const Time = Type.String({ format: 'date-time' });

/** Own extensions of the interface: what became of the events of a webhook, and how to get them again. */
export const WebhookAttempt = namedObject('WebhookAttempt', {
  object: stringEnum(['webhook_attempt']),
  delivery_id: Type.String({
    description: 'The same in all attempts and replays; in the header x-service-delivery.',
  }),
  event_id: Type.String({ description: 'Place of the event in the log; in the header x-service-event-id.' }),
  type: stringEnum([...EVENT_TYPES]),
  attempt: Type.Integer({ description: '1 for the first one since the event was written or replayed.' }),
  attempted_at: Time,
  latency_ms: Type.Integer(),
  status: nullable(Type.Integer({ description: 'HTTP status; null: there was no response.' })),
  error: nullable(Type.String({ description: 'Why it failed; null: it was delivered.' })),
});

export const WebhookDeliveriesResponse = namedObject('WebhookDeliveriesResponse', {
  attempts: Type.Array(WebhookAttempt),
  next: NextCursor,
});

export const WebhookReplayReqBody = namedObject('WebhookReplayReqBody', {
  webhook_id: webhookId,
  from_event_id: Type.Optional(
    Type.String({ description: 'The first event to send again, as in the header x-service-event-id.' }),
  ),
  from_time: Type.Optional(Type.String({ format: 'date-time', description: 'Send what happened from then on.' })),
  failed: Type.Optional(Type.Boolean({ description: 'true: send again what was given up.' })),
});

export const WebhookReplayResponse = namedObject('WebhookReplayResponse', {
  success: Type.Boolean(),
  message: Type.String(),
  count: Type.Integer({ description: 'Events that are sent because of this call.' }),
  next_event_id: nullable(
    Type.String({
      description:
        'Go on from here with from_event_id; null: that was all. With failed: true it is always null, and at most 10000 events are sent again by one call.',
    }),
  ),
});

/** Samples are made of casts, so there is none of a trade. */
export const WebhookTestReqBody = namedObject('WebhookTestReqBody', {
  webhook_id: webhookId,
  type: stringEnum([...PROTOCOL_EVENT_TYPES]),
});

export const WebhookTestResponse = namedObject('WebhookTestResponse', {
  success: Type.Boolean({ description: 'Whether the receiver answered with 2xx.' }),
  status: nullable(Type.Integer()),
  latency_ms: Type.Integer(),
  error: nullable(Type.String()),
  body: Type.String({ description: 'What was sent, byte for byte.' }),
});

export const WebhookMatchResponse = namedObject('WebhookMatchResponse', {
  webhook_id: webhookId,
  active: Type.Boolean({ description: 'A webhook that is switched off is told nothing.' }),
  matches: Type.Boolean(),
  reason: Type.String(),
  checks: Type.Array(
    Type.Object({
      filter: Type.String(),
      kind: stringEnum(['alternative', 'condition'], {
        description: 'One alternative that matches is enough; every condition must hold.',
      }),
      matches: Type.Boolean(),
      reason: Type.String(),
    }),
  ),
});
