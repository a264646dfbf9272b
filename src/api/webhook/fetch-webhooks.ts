import { listWebhooks } from '../../event/webhook/webhook.js';
import { WebhookListResponse } from '../../schema/event/webhook.js';
import { operation } from '../http/operation.js';
import { webhookOf } from './webhook-response.js';

export const fetchWebhooks = operation({
  id: 'fetch-webhooks',
  path: '/v2/social/webhook/list/',
  tags: ['Webhook'],
  title: 'List webhooks',
  summary: 'List the webhooks of the calling app, newest first.',
  cost: { fixed: 10 },
  scope: 'webhook',
  response: WebhookListResponse,
  errors: [],
  handle: async ({ caller }, { webhooks }) => ({
    webhooks: (await listWebhooks(webhooks, caller.appId)).map(webhookOf),
  }),
});
