import { setWebhookActive } from '../../event/webhook/webhook.js';
import { WebhookPatchReqBody, WebhookResponse } from '../../schema/event/webhook.js';
import { operation } from '../http/operation.js';
import { webhookResponse } from './webhook-response.js';

export const updateWebhookActiveStatus = operation({
  id: 'update-webhook-active-status',
  method: 'PATCH',
  path: '/v2/social/webhook/',
  tags: ['Webhook'],
  summary: 'Switch a webhook on or off; it is not told afterwards what happened while it was off.',
  scope: 'webhook',
  body: WebhookPatchReqBody,
  response: WebhookResponse,
  errors: [400, 404],
  handle: async ({ body, caller }, { webhooks }) => {
    const active = body.active === 'true';
    const own = await setWebhookActive(webhooks, caller.appId, body.webhook_id, active);
    return webhookResponse(own, active ? 'The webhook is active.' : 'The webhook is switched off.');
  },
});
