import { WebhookInboxResponse } from '../../schema/event/webhook-inbox.js';
import { operation } from '../http/operation.js';

export const fetchWebhookInbox = operation({
  id: 'fetch-webhook-inbox',
  path: '/portal/webhook-inbox',
  tags: ['portal'],
  title: 'List what the inbox received',
  summary:
    'In development: list what webhooks of the app sent to the address of the service itself, which is in `url`.',
  cost: { fixed: 0 },
  scope: 'webhook',
  needsApp: true,
  response: WebhookInboxResponse,
  errors: [400, 403],
  handle: async ({ caller: { appId } }, { webhookInbox, publicUrl }) => ({
    url: webhookInbox === undefined ? null : `${publicUrl}/portal/webhook-inbox/${appId}`,
    requests: (webhookInbox?.of(appId) ?? []).map(({ at, headers, body, webhook }) => ({
      received_at: at.toISOString(),
      headers,
      body,
      webhook_id: webhook?.id ?? null,
      webhook_title: webhook?.title ?? null,
    })),
  }),
});
