import { expect } from 'vitest';
import { DEFAULT_APP_ID } from '../../src/access/key.js';
import { createSecondApp } from '../support/app.js';
import { answerLists, startHost } from '../support/campaign.js';
import { type Case, type Clients, casesOf } from './case.js';
import { ALICE, BOB, CAROL, type WriteEnvironment } from './write-environment.js';

const CLIENT = 9_152;
const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const EVERYBODY_ELSE = { exclude_fids: [ALICE], following_fid: BOB, minimum_user_score: 1 };

const prepared = new WeakMap<WriteEnvironment, Promise<unknown>>();

/** Gives the network's app the mini app of the environment, once. */
const prepare = (environment: WriteEnvironment): Promise<unknown> => {
  const { network, miniApp } = environment;
  const done =
    prepared.get(environment) ??
    network.sql('insert into mini_app (app_id, domain) values ($1, $2)', [DEFAULT_APP_ID, miniApp.domain]);
  prepared.set(environment, done);
  return done;
};

const notification = ({ miniApp }: WriteEnvironment) => ({
  title: 'Your move',
  body: 'Somebody answered you.',
  target_url: `http://${miniApp.domain}/game`,
});

const storeTokens = ({ network }: WriteEnvironment, url: string, from: number, to: number) =>
  network.sql(
    `insert into mini_app_token (app_id, fid, client_fid, url, token, status, digests, created_at, updated_at)
     select $1, n, $2, $3, 't' || n, 'enabled', '{}', date_trunc('second', now()), now() from generate_series($4::integer, $5::integer) n
     on conflict (app_id, fid, client_fid) do update set url = excluded.url`,
    [DEFAULT_APP_ID, CLIENT, url, from, to],
  );

/** Sends as an app of the same installation whose mini app is at a domain, if it has one. */
const asOther = async (environment: WriteEnvironment, domain?: string): Promise<unknown> => {
  const { network, clients } = environment;
  const other = await createSecondApp(network);
  if (domain !== undefined) {
    await network.sql('insert into mini_app (app_id, domain) values ($1, $2)', [other.id, domain]);
  }
  const text = { ...notification(environment), target_url: `http://${domain ?? environment.miniApp.domain}/` };
  return clients(other.headers['x-api-key']).api.publishFrameNotifications({ notification: text });
};

/** The backend of a mini app. The calls to hosts are seen in test/campaign-host.test.ts. */
export const campaignCases: readonly Case<WriteEnvironment>[] = casesOf<WriteEnvironment>()(
  {
    id: 'publish-frame-notifications',
    does: 'sends a notification to users of the mini app, at once or after the request',
    call: async ({ api }, environment) => {
      await prepare(environment);
      return api.publishFrameNotifications({
        notification: notification(environment),
        filters: EVERYBODY_ELSE,
        targetFids: [ALICE],
      });
    },
    look: async ({ api }, environment) => {
      const host = await startHost(({ tokens }, response) => answerLists(response, { successfulTokens: tokens }));
      try {
        await storeTokens(environment, `${host.url}/notify`, BOB, CAROL);
        const uuid = '00000000-0000-4000-8000-0000000000a1';
        const sent = await api.publishFrameNotifications({
          notification: { ...notification(environment), uuid },
          targetFids: [BOB, CAROL],
        });
        expect(sent).toMatchObject({ success_count: 2, failure_count: 0, not_attempted_count: 0, retryable_fids: [] });
        expect(host.heard).toMatchObject([{ notificationId: sent.campaign_id, title: 'Your move' }]);
        await storeTokens(environment, `${host.url}/notify`, 1_001, 1_150);
        const queued = await api.publishFrameNotifications({ notification: notification(environment) });
        expect(queued).toMatchObject({ status: 'queued' });
        const read = async () =>
          (await api.getNotificationCampaignStats({ campaignId: queued.campaign_id })).notificationCampaigns[0];
        await expect.poll(async () => (await read())?.status).toBe('completed');
        expect((await read())?.stats.successful_sends).toBe(150);
      } finally {
        await host.stop();
        await environment.network.sql('delete from mini_app_token');
      }
    },
    errors: {
      404: (_clients: Clients, environment) => asOther(environment),
      422: (_clients: Clients, environment) => asOther(environment, `localhost:${environment.target.port}`),
    },
  },
  {
    id: 'get-notification-campaign-stats',
    does: 'reads what became of notifications',
    call: ({ api }) => api.getNotificationCampaignStats({ campaignId: UNKNOWN }),
    look: async ({ api }, environment) => {
      await prepare(environment);
      for (const title of ['first', 'second']) {
        const text = { ...notification(environment), title };
        await api.publishFrameNotifications({ notification: text, targetFids: [ALICE] });
      }
      const first = await api.getNotificationCampaignStats({ limit: 1 });
      expect(first.notificationCampaigns).toMatchObject([{ title: 'second', status: 'completed' }]);
      const cursor = first.next.cursor as string;
      const next = await api.getNotificationCampaignStats({ limit: 1, cursor });
      expect(next.notificationCampaigns).toMatchObject([{ title: 'first' }]);
    },
  },
  {
    id: 'fetch-notification-tokens',
    does: 'lists the tokens of users',
    call: ({ api }) => api.fetchNotificationTokens({}),
    look: async ({ api }, environment) => {
      await storeTokens(environment, 'https://host.example/notify', 1_001, 1_003);
      const first = await api.fetchNotificationTokens({ fids: [1_001, 1_003], limit: 1 });
      expect(first.notification_tokens).toMatchObject([{ fid: 1_001, token: 't1001', status: 'enabled' }]);
      const cursor = first.next.cursor as string;
      const next = await api.fetchNotificationTokens({ fids: [1_001, 1_003], limit: 1, cursor });
      expect(next).toMatchObject({ notification_tokens: [{ fid: 1_003 }], next: { cursor: null } });
      await environment.network.sql('delete from mini_app_token');
    },
  },
);
