import { sendSample } from '../../event/webhook/sample-event.js';
import { readWebhook } from '../../event/webhook/webhook.js';
import { deliveryMeter } from '../../metric.js';
import { WebhookTestReqBody, WebhookTestResponse } from '../../schema/event/webhook-log.js';
import { EXAMPLE_UUID } from '../../schema/example.js';
import { operation } from '../http/operation.js';

export const testWebhook = operation({
  id: 'test-webhook',
  method: 'POST',
  path: '/v2/social/webhook/test/',
  tags: ['Webhook'],
  title: 'Send a sample event',
  summary: 'Own extension: call a webhook now with a signed sample of an event that did not happen.',
  cost: { fixed: 10 },
  scope: 'webhook',
  waitsOutside: true,
  body: WebhookTestReqBody,
  bodyExample: { webhook_id: EXAMPLE_UUID, type: 'cast.created' },
  bodyExampleNote: 'Put the id of a webhook of yours into `webhook_id`.',
  response: WebhookTestResponse,
  errors: [400, 404],
  handle: async ({ body, caller }, { webhooks, reads, outbound, metrics, tracer }) => {
    const own = await readWebhook(webhooks, caller.appId, body.webhook_id);
    const meter = deliveryMeter(metrics, tracer);
    const sent = await sendSample({ ...webhooks, reads, outbound, meter }, own, body.type);
    const { status, latencyMs, failure } = sent;
    return { success: failure === null, status, latency_ms: latencyMs, error: failure, body: sent.body };
  },
});
