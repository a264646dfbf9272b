import Type from 'typebox';
import { FailingWebhooksResponse } from '../../schema/operator/webhook.js';
import { selectFailingWebhooks } from '../../store/event/backlog.js';
import { operation } from '../http/operation.js';
import { cutRows, pageOf, pageQuery } from './operator-page.js';

export const listFailingWebhooks = operation({
  id: 'list-failing-webhooks',
  path: '/operator/webhooks',
  tags: ['operator'],
  title: 'List failing webhooks',
  summary:
    'List the webhooks of all organizations whose receivers fail, which the service switched off, or of which events were given up.',
  cost: { fixed: 0 },
  scope: 'operator',
  query: Type.Object(pageQuery),
  response: FailingWebhooksResponse,
  errors: [400, 403],
  handle: async ({ query }, { db }) => {
    const { rows, next } = cutRows(await selectFailingWebhooks(db, pageOf(query)), query);
    return {
      webhooks: rows.map((row) => ({
        webhook_id: row.id,
        title: row.title,
        host: new URL(row.targetUrl).host,
        organization: { uuid: row.organizationId, name: row.organizationName },
        app: { uuid: row.appId, name: row.appName },
        active: row.active,
        inactive_reason: row.inactiveReason,
        failing_since: row.failingSince?.toISOString() ?? null,
        waiting: row.waiting,
        dead: row.dead,
      })),
      next,
    };
  },
});
