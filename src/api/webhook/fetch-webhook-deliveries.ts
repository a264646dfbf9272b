import Type, { type Static } from 'typebox';
import { requireWebhook } from '../../event/webhook/webhook.js';
import type { ProtocolEventType } from '../../protocol/event/social-event.js';
import { type WebhookAttempt, WebhookDeliveriesResponse } from '../../schema/event/webhook-log.js';
import { type WebhookAttempt as Attempt, selectWebhookAttempts } from '../../store/event/attempt-list.js';
import { listOperation } from '../page/list-operation.js';

const attemptOf = (attempt: Attempt): Static<typeof WebhookAttempt> => ({
  object: 'webhook_attempt',
  delivery_id: attempt.deliveryId,
  event_id: `${attempt.logId}-${attempt.part}`,
  type: attempt.type as ProtocolEventType,
  attempt: attempt.number,
  attempted_at: attempt.at.toISOString(),
  latency_ms: attempt.latencyMs,
  status: attempt.status,
  error: attempt.failure,
});

export const fetchWebhookDeliveries = listOperation({
  id: 'fetch-webhook-deliveries',
  path: '/v2/social/webhook/deliveries/',
  tags: ['Webhook'],
  title: 'List deliveries',
  summary: 'Own extension: list the attempts to deliver events to a webhook, newest first.',
  cost: { fixed: 10 },
  scope: 'webhook',
  query: { webhook_id: Type.String() },
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 25 }),
  response: WebhookDeliveriesResponse,
  errors: [400, 404],
  sortKey: Type.Object({ id: Type.Integer() }),
  filters: async ({ query, caller }, read) => ({
    webhook: (await requireWebhook(read, caller.appId, query.webhook_id)).id,
  }),
  select: (read, { webhook }, { after, limit }) => selectWebhookAttempts(read, webhook, after?.id, limit),
  keyOf: ({ id }) => ({ id }),
  // Attempts are made all the time.
  isUntagged: true,
  view: (attempts, cursor) => ({ attempts: attempts.map(attemptOf), next: { cursor } }),
});
