import { removeWebhook } from '../../event/webhook/webhook.js';
import { WebhookDeleteReqBody, WebhookResponse } from '../../schema/event/webhook.js';
import { EXAMPLE_UUID } from '../../schema/example.js';
import { operation } from '../http/operation.js';
import { webhookResponse } from './webhook-response.js';

export const deleteWebhook = operation({
  id: 'delete-webhook',
  method: 'DELETE',
  path: '/v2/social/webhook/',
  tags: ['Webhook'],
  title: 'Delete a webhook',
  summary: 'Delete a webhook; what waits for it is not sent.',
  cost: { fixed: 10 },
  scope: 'webhook',
  body: WebhookDeleteReqBody,
  bodyExample: { webhook_id: EXAMPLE_UUID },
  bodyExampleNote: 'Put the id of a webhook of yours into `webhook_id`.',
  response: WebhookResponse,
  errors: [404],
  handle: async ({ body, caller }, { webhooks }) =>
    webhookResponse(await removeWebhook(webhooks, caller.appId, body.webhook_id), 'The webhook is deleted.'),
});
