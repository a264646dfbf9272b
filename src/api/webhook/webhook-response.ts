import { CALLS_PER_MINUTE } from '../../event/webhook/send-rate.js';
import type { OpenSecret } from '../../event/webhook/signature.js';
import type { OwnWebhook } from '../../event/webhook/webhook.js';
import type { Webhook, WebhookSubscriptionFilters } from '../../schema/event/webhook.js';

/** The contract has no word for a secret that does not end. */
const NEVER = '9999-12-31T23:59:59.000Z';

const secretOf = ({ id, value, createdAt, expiresAt }: OpenSecret): Webhook['secrets'][number] => ({
  uid: id,
  value,
  created_at: createdAt.toISOString(),
  updated_at: createdAt.toISOString(),
  expires_at: expiresAt?.toISOString() ?? NEVER,
  deleted_at: null,
});

/** @returns `Webhook` of the contract; `description` says why the service switched it off, if it did */
export const webhookOf = ({ webhook, secrets }: OwnWebhook): Webhook => ({
  object: 'webhook',
  webhook_id: webhook.id,
  developer_uuid: webhook.appId,
  target_url: webhook.targetUrl,
  title: webhook.title,
  description: webhook.inactiveReason ?? '',
  active: webhook.active,
  subscription: {
    object: 'webhook_subscription',
    subscription_id: webhook.subscriptionId,
    filters: webhook.filters as WebhookSubscriptionFilters,
    created_at: webhook.createdAt.toISOString(),
    updated_at: webhook.subscriptionUpdatedAt.toISOString(),
  },
  secrets: secrets.map(secretOf),
  http_timeout: '10s',
  rate_limit: CALLS_PER_MINUTE,
  rate_limit_duration: '1m0s',
  created_at: webhook.createdAt.toISOString(),
  updated_at: webhook.updatedAt.toISOString(),
  deleted_at: webhook.deletedAt?.toISOString() ?? null,
});

/** @returns `WebhookResponse` of the contract */
export const webhookResponse = (own: OwnWebhook, message: string) => ({
  message,
  success: true,
  webhook: webhookOf(own),
});
