import { expect } from 'vitest';
import { FIDS } from '../support/seed.js';
import { type Case, type Clients, casesOf } from './case.js';
import type { Environment } from './environment.js';

const URL = 'https://hook.example/events';
const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const subscription = { 'cast.created': { author_fids: [FIDS.alice] } };
const NO_404 = { 404: 'What is made cannot be missing.' };

/** Makes a webhook with the network's own key, whatever key the operation under test is called with. */
const make = async ({ network }: Environment): Promise<string> => {
  const body = { name: 'made by a test', url: URL, subscription };
  return (await network.send('POST', '/v2/social/webhook/', body)).body.webhook.webhook_id;
};

const made = new WeakMap<Environment, Promise<string>>();

/** @returns the id of a webhook that no case deletes */
const lasting = (environment: Environment): Promise<string> => {
  const id = made.get(environment) ?? make(environment);
  made.set(environment, id);
  return id;
};

const absent = {
  404: ({ api }: Clients) => api.lookupWebhook({ webhookId: UNKNOWN }),
};

/** Webhooks of an app. What they send is seen in test/webhook.test.ts. */
export const webhookCases: readonly Case<Environment>[] = casesOf<Environment>()(
  {
    id: 'publish-webhook',
    does: 'makes a webhook with a secret, which is active at once',
    call: ({ api }) => api.publishWebhook({ name: 'made by a test', url: URL, subscription }),
    look: async (clients) => {
      const made = await clients.api.publishWebhook({ name: 'garden', url: URL, subscription });
      expect(made).toMatchObject({ success: true, webhook: { object: 'webhook', title: 'garden', target_url: URL } });
      expect(made.webhook?.secrets[0]?.value).toMatch(/^whs_/);
      expect(made.webhook?.subscription?.filters).toEqual(subscription);
    },
    beyond: NO_404,
  },
  {
    id: 'lookup-webhook',
    does: 'reads a webhook by its id',
    call: async ({ api }, environment) => api.lookupWebhook({ webhookId: await lasting(environment) }),
    look: async (clients, environment) => {
      const webhookId = await make(environment);
      const { webhook } = await clients.api.lookupWebhook({ webhookId });
      expect(webhook).toMatchObject({ webhook_id: webhookId, active: true, deleted_at: null });
    },
    errors: absent,
  },
  {
    id: 'fetch-webhooks',
    does: 'lists the webhooks of the app, newest first',
    call: ({ api }) => api.fetchWebhooks(),
    look: async (clients, environment) => {
      const webhookId = await make(environment);
      const { webhooks } = await clients.api.fetchWebhooks();
      expect(webhooks[0]?.webhook_id).toBe(webhookId);
    },
  },
  {
    id: 'update-webhook',
    does: 'replaces name, address and filters, and keeps the secret',
    call: async ({ api }, environment) =>
      api.updateWebhook({ webhookId: await lasting(environment), name: 'new', url: URL }),
    look: async (clients, environment) => {
      const webhookId = await make(environment);
      const before = await clients.api.lookupWebhook({ webhookId });
      const url = `${URL}/new`;
      const filters = { 'follow.created': { target_fids: [FIDS.bob] } };
      const changed = await clients.api.updateWebhook({ webhookId, name: 'new', url, subscription: filters });
      expect(changed.webhook).toMatchObject({ title: 'new', target_url: url, secrets: before.webhook?.secrets });
      expect(changed.webhook?.subscription?.filters).toEqual(filters);
    },
  },
  {
    id: 'update-webhook-active-status',
    does: 'switches a webhook off and on',
    call: async ({ api }, environment) =>
      api.updateWebhookActiveStatus({ webhookId: await lasting(environment), active: 'false' }),
    look: async (clients, environment) => {
      const webhookId = await make(environment);
      for (const active of ['false', 'true'] as const) {
        const { webhook } = await clients.api.updateWebhookActiveStatus({ webhookId, active });
        expect(webhook?.active).toBe(active === 'true');
      }
    },
  },
  {
    id: 'delete-webhook',
    does: 'deletes a webhook',
    call: async ({ api }, environment) =>
      api.deleteWebhook({ webhookId: await make(environment).catch(() => UNKNOWN) }),
    look: async (clients, environment) => {
      const webhookId = await make(environment);
      expect((await clients.api.deleteWebhook({ webhookId })).webhook?.deleted_at).toMatch(/Z$/);
      const { webhooks } = await clients.api.fetchWebhooks();
      expect(webhooks.map(({ webhook_id }) => webhook_id)).not.toContain(webhookId);
    },
    errors: { 404: ({ api }) => api.deleteWebhook({ webhookId: UNKNOWN }) },
  },
);
