import Type from 'typebox';
import { ask, CallError, read } from '../call.js';
import { choice, cursor, flag, input, limit, optional, text } from '../input.js';
import { listPages } from '../list.js';
import { type Cut, listResult, pageOfAll, withinBudget } from '../result.js';
import { readTool, writeTool } from '../tool.js';

interface Webhook {
  readonly webhook_id: string;
  readonly title: string;
  readonly target_url: string;
  readonly active: boolean;
  readonly created_at: string;
  readonly subscription?: { readonly filters?: unknown };
}

interface Attempt {
  readonly event_id: string;
  readonly type: string;
  readonly attempt: number;
  readonly attempted_at: string;
  readonly status: number | null;
  readonly error: string | null;
}

/** Without its secrets, which no conversation should hold. */
const viewWebhook = (webhook: Webhook, cut: Cut) => ({
  webhook_id: webhook.webhook_id,
  name: cut(webhook.title),
  url: cut(webhook.target_url),
  active: webhook.active,
  created_at: webhook.created_at,
  filters: cut(JSON.stringify(webhook.subscription?.filters ?? {})),
});

const webhookId = text(64, 'The webhook, as list_webhooks shows it.');

export const listWebhooks = readTool({
  name: 'list_webhooks',
  title: 'List webhooks',
  description:
    'List the webhooks of the app, or, with webhook_id, the attempts to deliver events to one, newest first. Secrets are never shown.',
  scope: 'webhook',
  input: input({ webhook_id: optional(webhookId), limit: optional(limit(25, 10)), cursor: optional(cursor) }),
  run: ({ webhook_id, limit: most = 10, cursor: after }, call) => {
    if (webhook_id === undefined)
      return listResult({
        load: async (count) => {
          const { webhooks } = await read<{ webhooks: Webhook[] }>(call, '/v2/social/webhook/list/', {});
          return pageOfAll(webhooks, after, count);
        },
        limit: most,
        view: viewWebhook,
        what: 'webhooks',
      });
    return listPages({
      call,
      path: '/v2/social/webhook/deliveries/',
      query: { webhook_id, cursor: after },
      itemsOf: (body: { readonly attempts: readonly Attempt[] }) => body.attempts,
      limit: most,
      view: ({ event_id, type, attempt, attempted_at: at, status, error }, cut) => ({
        ...{ event_id, type, attempt, at, status },
        error: error === null ? undefined : cut(error),
      }),
      what: 'attempts',
    });
  },
});

const PATH = '/v2/social/webhook/';

const filters = Type.Object(
  {},
  {
    description:
      'Filters by kind of event, like {"cast.created": {"mentioned_fids": [1]}}; docs/webhooks.md has them all. An update replaces all of them.',
  },
);

export const manageWebhook = writeTool({
  name: 'manage_webhook',
  title: 'Manage a webhook',
  description:
    'Create, update, switch on or off, test or delete a webhook of the app, which sends events to an address. Ask the user before events go to an address.',
  scope: 'webhook',
  destructive: true,
  idempotent: false,
  input: input({
    action: choice(['create', 'update', 'set_active', 'test', 'delete'], 'What is done.'),
    webhook_id: optional(webhookId),
    name: optional(text(200, 'For create and update.')),
    url: optional(text(2_000, 'Where events are sent, for create and update.')),
    filters: optional(filters),
    active: optional(flag('For set_active.')),
    event: optional(text(40, 'For test: the kind of event that is sent, like cast.created.')),
  }),
  run: async ({ action, webhook_id, name, url, filters: subscription, active, event }, call) => {
    const need = <Value>(value: Value | undefined, member: string): Value => {
      if (value !== undefined) return value;
      throw new CallError(400, 'InvalidField', `${action} needs ${member}.`);
    };
    const target = action === 'create' ? '' : need(webhook_id, 'webhook_id');
    if (action === 'delete') {
      await ask(call, { method: 'DELETE', path: PATH, body: { webhook_id: target } });
      return `Deleted webhook ${target}.`;
    }
    if (action === 'test') {
      const body = { webhook_id: target, type: need(event, 'event') };
      const sent = await ask<{ success: boolean; status: number | null; error: string | null }>(call, {
        method: 'POST',
        path: `${PATH}test/`,
        body,
      });
      return withinBudget(
        sent.success ? 'The receiver took the event.' : 'The receiver did not take the event.',
        (cut) => ({
          status: sent.status,
          error: cut(sent.error ?? ''),
        }),
      ) as string;
    }
    const described = () => ({
      name: need(name, 'name'),
      url: need(url, 'url'),
      ...(subscription !== undefined && { subscription }),
    });
    const request = {
      create: () => ({ method: 'POST', body: described() }) as const,
      update: () => ({ method: 'PUT', body: { webhook_id: target, ...described() } }) as const,
      set_active: () =>
        ({ method: 'PATCH', body: { webhook_id: target, active: String(need(active, 'active')) } }) as const,
    }[action]();
    const { webhook } = await ask<{ webhook: Webhook }>(call, { ...request, path: PATH });
    const secret = action === 'create' ? ` Its secret is not shown here: GET ${PATH} has it.` : '';
    return withinBudget(`The webhook as it is now.${secret}`, (cut) => viewWebhook(webhook, cut)) as string;
  },
});
