import { removeWebhook } from '../../event/webhook/webhook.js';
import { WebhookDeleteReqBody, WebhookResponse } from '../../schema/event/webhook.js';
import { operation } from '../http/operation.js';
import { webhookResponse } from './webhook-response.js';

export const deleteWebhook = operation({
  id: 'delete-webhook',
  method: 'DELETE',
  path: '/v2/social/webhook/',
  tags: ['Webhook'],
  summary: 'Delete a webhook; what waits for it is not sent.',
  scope: 'webhook',
  body: WebhookDeleteReqBody,
  response: WebhookResponse,
  errors: [404],
  handle: async ({ body, caller }, { webhooks }) =>
    webhookResponse(await removeWebhook(webhooks, caller.appId, body.webhook_id), 'The webhook is deleted.'),
});
