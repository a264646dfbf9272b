import { readFilters } from '../../event/filter.js';
import { createWebhook } from '../../event/webhook/webhook.js';
import { WebhookPostReqBody, WebhookResponse } from '../../schema/event/webhook.js';
import { operation } from '../http/operation.js';
import { webhookResponse } from './webhook-response.js';

export const publishWebhook = operation({
  id: 'publish-webhook',
  method: 'POST',
  path: '/v2/social/webhook/',
  tags: ['Webhook'],
  title: 'Make a webhook',
  summary: 'Make a webhook: an address that is told what happens, in the names of the path that it is made with.',
  cost: { fixed: 10 },
  scope: 'webhook',
  body: WebhookPostReqBody,
  bodyExample: {
    name: 'Mentions',
    url: 'https://bot.example/events',
    subscription: { 'cast.created': { mentioned_fids: [1] } },
  },
  response: WebhookResponse,
  errors: [400, 402, 404],
  handle: async ({ body, caller }, { webhooks, dialect }) => {
    const filters = readFilters(body.subscription);
    const input = { title: body.name, targetUrl: body.url, filters };
    return webhookResponse(await createWebhook(webhooks, caller.appId, dialect, input), 'The webhook is active.');
  },
});
