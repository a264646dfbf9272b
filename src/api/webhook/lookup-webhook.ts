import Type from 'typebox';
import { readWebhook } from '../../event/webhook/webhook.js';
import { WebhookResponse } from '../../schema/event/webhook.js';
import { operation } from '../http/operation.js';
import { webhookResponse } from './webhook-response.js';

export const lookupWebhook = operation({
  id: 'lookup-webhook',
  path: '/v2/social/webhook/',
  tags: ['Webhook'],
  title: 'Read a webhook',
  summary: 'Read one webhook of the calling app, with its secrets.',
  cost: { fixed: 2 },
  scope: 'webhook',
  query: Type.Object({ webhook_id: Type.String() }),
  response: WebhookResponse,
  errors: [404],
  handle: async ({ query, caller }, { webhooks }) => {
    const own = await readWebhook(webhooks, caller.appId, query.webhook_id);
    return webhookResponse(own, own.webhook.active ? 'The webhook is active.' : 'The webhook is switched off.');
  },
});
