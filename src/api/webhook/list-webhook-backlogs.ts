import { WebhookBacklogResponse } from '../../schema/portal/webhook-backlog.js';
import { COUNTED_DELIVERIES, selectWebhookBacklogs } from '../../store/event/backlog.js';
import { operation } from '../http/operation.js';

export const listWebhookBacklogs = operation({
  id: 'list-webhook-backlogs',
  path: '/portal/webhooks',
  tags: ['portal'],
  title: 'List what webhooks have not delivered',
  summary: 'List the webhooks of the calling app: since when each fails, what waits, and what was given up.',
  cost: { fixed: 0 },
  scope: 'webhook',
  needsApp: true,
  response: WebhookBacklogResponse,
  errors: [403],
  handle: async ({ caller }, { db }) => ({
    webhooks: (await selectWebhookBacklogs(db, caller.appId, COUNTED_DELIVERIES + 1)).map((one) => ({
      webhook_id: one.id,
      title: one.title,
      active: one.active,
      inactive_reason: one.inactiveReason,
      failing_since: one.failingSince?.toISOString() ?? null,
      waiting: one.waiting,
      oldest_at: one.oldestAt?.toISOString() ?? null,
      dead: one.dead,
    })),
  }),
});
