import { readFilters } from '../../event/filter.js';
import { replaceWebhook } from '../../event/webhook/webhook.js';
import { WebhookPutReqBody, WebhookResponse } from '../../schema/event/webhook.js';
import { EXAMPLE_UUID } from '../../schema/example.js';
import { operation } from '../http/operation.js';
import { webhookResponse } from './webhook-response.js';

export const updateWebhook = operation({
  id: 'update-webhook',
  method: 'PUT',
  path: '/v2/social/webhook/',
  tags: ['Webhook'],
  title: 'Replace a webhook',
  summary: 'Replace name, address and filters of a webhook; without a subscription it is told nothing.',
  cost: { fixed: 10 },
  scope: 'webhook',
  body: WebhookPutReqBody,
  bodyExample: {
    name: 'Mentions',
    url: 'https://bot.example/events',
    subscription: { 'cast.created': { mentioned_fids: [1] } },
    webhook_id: EXAMPLE_UUID,
  },
  bodyExampleNote: 'Put the id of a webhook of yours into `webhook_id`.',
  response: WebhookResponse,
  errors: [400, 404],
  handle: async ({ body, caller }, { webhooks }) => {
    const input = { title: body.name, targetUrl: body.url, filters: readFilters(body.subscription) };
    const own = await replaceWebhook(webhooks, caller.appId, body.webhook_id, input);
    return webhookResponse(own, 'The webhook is changed.');
  },
});
