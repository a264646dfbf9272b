import { setWebhookActive } from '../../event/webhook/webhook.js';
import { WebhookPatchReqBody, WebhookResponse } from '../../schema/event/webhook.js';
import { EXAMPLE_UUID } from '../../schema/example.js';
import { operation } from '../http/operation.js';
import { webhookResponse } from './webhook-response.js';

export const updateWebhookActiveStatus = operation({
  id: 'update-webhook-active-status',
  method: 'PATCH',
  path: '/v2/social/webhook/',
  tags: ['Webhook'],
  title: 'Switch a webhook on or off',
  summary: 'Switch a webhook on or off; it is not told afterwards what happened while it was off.',
  cost: { fixed: 10 },
  scope: 'webhook',
  body: WebhookPatchReqBody,
  bodyExample: { webhook_id: EXAMPLE_UUID, active: 'false' },
  bodyExampleNote: 'Put the id of a webhook of yours into `webhook_id`.',
  response: WebhookResponse,
  errors: [400, 404],
  handle: async ({ body, caller }, { webhooks }) => {
    const active = body.active === 'true';
    const own = await setWebhookActive(webhooks, caller.appId, body.webhook_id, active);
    return webhookResponse(own, active ? 'The webhook is active.' : 'The webhook is switched off.');
  },
});
