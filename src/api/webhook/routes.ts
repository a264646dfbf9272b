import type { Operation } from '../http/operation.js';
import { deleteWebhook } from './delete-webhook.js';
import { fetchWebhookDeliveries } from './fetch-webhook-deliveries.js';
import { fetchWebhooks } from './fetch-webhooks.js';
import { lookupWebhook } from './lookup-webhook.js';
import { matchWebhook } from './match-webhook.js';
import { publishWebhook } from './publish-webhook.js';
import { replayWebhook } from './replay-webhook.js';
import { testWebhook } from './test-webhook.js';
import { updateWebhook } from './update-webhook.js';
import { updateWebhookActiveStatus } from './update-webhook-active-status.js';

export const webhookRoutes: readonly Operation[] = [
  lookupWebhook,
  publishWebhook,
  updateWebhook,
  updateWebhookActiveStatus,
  deleteWebhook,
  fetchWebhooks,
  fetchWebhookDeliveries,
  replayWebhook,
  testWebhook,
  matchWebhook,
];
