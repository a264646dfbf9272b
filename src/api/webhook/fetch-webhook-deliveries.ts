import Type, { type Static } from 'typebox';
import { readWebhook } from '../../event/webhook/webhook.js';
import type { EventType } from '../../protocol/event/social-event.js';
import { type WebhookAttempt, WebhookDeliveriesResponse } from '../../schema/event/webhook-log.js';
import { type WebhookAttempt as Attempt, selectWebhookAttempts } from '../../store/event/attempt-list.js';
import { openPage } from '../http/cursor.js';
import { operation } from '../http/operation.js';

const ID = 'fetch-webhook-deliveries';
const list = { operationId: ID, sortKey: Type.Object({ id: Type.Integer() }) };

const attemptOf = (attempt: Attempt): Static<typeof WebhookAttempt> => ({
  object: 'webhook_attempt',
  delivery_id: attempt.deliveryId,
  event_id: `${attempt.logId}-${attempt.part}`,
  type: attempt.type as EventType,
  attempt: attempt.number,
  attempted_at: attempt.at.toISOString(),
  latency_ms: attempt.latencyMs,
  status: attempt.status,
  error: attempt.failure,
});

export const fetchWebhookDeliveries = operation({
  id: ID,
  path: '/v2/social/webhook/deliveries/',
  tags: ['Webhook'],
  summary: 'Own extension: list the attempts to deliver events to a webhook, newest first.',
  scope: 'webhook',
  query: Type.Object({
    webhook_id: Type.String(),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 25 }),
    cursor: Type.Optional(Type.String()),
  }),
  response: WebhookDeliveriesResponse,
  errors: [400, 404],
  handle: async ({ query, caller }, { webhooks, db, clock, cursorKey }) => {
    const { webhook } = await readWebhook(webhooks, caller.appId, query.webhook_id);
    const { after, limit, cut } = openPage(cursorKey, list, { webhook: webhook.id }, query, clock());
    const found = await selectWebhookAttempts(db, webhook.id, after?.id, limit);
    const { rows, cursor } = cut(found, ({ id }) => ({ id }));
    return { attempts: rows.map(attemptOf), next: { cursor } };
  },
});
