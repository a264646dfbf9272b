import type { ServerResponse } from 'node:http';
import { changeApp } from '../../src/access/app.js';
import { DEFAULT_APP_ID } from '../../src/access/key.js';
import type { AppOptions } from '../../src/app/app-options.js';
import { type MiniApp, startMiniApp } from './mini-app.js';
import { type Network, startNetwork, type TestResponse } from './network.js';
import { type Receiver, startReceiver } from './receiver.js';

/** The address of a mini app's backend, for events of hosts. */
export const EVENT_PATH = `/f/app/${DEFAULT_APP_ID}/event`;
export const SEND_PATH = '/v2/social/frame/notifications/';
const TOKENS_PATH = '/v2/social/frame/notification_tokens/';
const OWNER = 8_301;

/** A service whose default app has a mini app, and the server of that mini app, which only has the manifest. */
export interface CampaignNetwork {
  readonly network: Network;
  readonly miniApp: MiniApp;
  /** Sends a notification. @param more members of the body @param notification members of `notification` */
  publish(more?: object, notification?: object): Promise<TestResponse>;
  /** Reads the statistics of one campaign. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read members of whatever came
  stats(campaignId: string): Promise<any>;
  /** Stores tokens as if events of a host had brought them. */
  storeTokens(clientFid: number, url: string, users: readonly (readonly [fid: number, token: string])[]): Promise<void>;
  /** @returns status by token */
  tokens(): Promise<Record<string, string>>;
  stop(): Promise<void>;
}

/** @param environment variables of the service @param options its clock, and times that are shorter */
export const startCampaignNetwork = async (
  environment: Record<string, string> = {},
  options: Pick<AppOptions, 'clock' | 'timings'> = {},
): Promise<CampaignNetwork> => {
  const network = await startNetwork({ CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true', ...environment }, undefined, options);
  const miniApp = await startMiniApp(network, OWNER, `${network.url}${EVENT_PATH}`);
  await changeApp(network.app.core.db, { id: DEFAULT_APP_ID, miniAppDomain: miniApp.domain, now: new Date() });
  return {
    network,
    miniApp,
    publish: (more = {}, notification = {}) =>
      network.send('POST', SEND_PATH, {
        notification: { title: 'Hello', body: 'World', target_url: `http://${miniApp.domain}/thing`, ...notification },
        ...more,
      }),
    stats: async (campaignId) =>
      (await network.get(`${SEND_PATH}?campaign_id=${campaignId}`)).body.notificationCampaigns[0],
    storeTokens: async (clientFid, url, users) => {
      await network.app.core.db.run(
        `insert into mini_app_token (app_id, fid, client_fid, url, token, status, digests, created_at, updated_at)
         select $1, u.fid, $2, $3, u.token, 'enabled', '{}', date_trunc('second', now()), now()
           from unnest($4::bigint[], $5::text[]) as u(fid, token)`,
        [DEFAULT_APP_ID, clientFid, url, users.map(([fid]) => fid), users.map(([, token]) => token)],
      );
    },
    tokens: async () => {
      const { body } = await network.get(`${TOKENS_PATH}?limit=100`);
      const rows = body.notification_tokens as { token: string; status: string }[];
      return Object.fromEntries(rows.map(({ token, status }) => [token, status]));
    },
    stop: async () => {
      await miniApp.stop();
      await network.stop();
    },
  };
};

/** A notification as a host gets it. */
export interface SentNotification {
  readonly notificationId: string;
  readonly title: string;
  readonly body: string;
  readonly targetUrl: string;
  readonly tokens: readonly string[];
}

/** A host of another make, which answers as the test says. */
export interface FakeHost extends Receiver {
  readonly heard: readonly SentNotification[];
}

export const startHost = async (
  answer: (sent: SentNotification, response: ServerResponse) => void | Promise<void>,
): Promise<FakeHost> => {
  const heard: SentNotification[] = [];
  const receiver = await startReceiver(({ body }, response) => {
    const sent = JSON.parse(body) as SentNotification;
    heard.push(sent);
    return answer(sent, response);
  });
  return { ...receiver, heard };
};

/** Answers with lists of tokens, as the specification says. */
export const answerLists = (
  response: ServerResponse,
  lists: {
    readonly successfulTokens?: readonly string[];
    readonly invalidTokens?: readonly string[];
    readonly rateLimitedTokens?: readonly string[];
  },
): void => {
  const result = { successfulTokens: [], invalidTokens: [], rateLimitedTokens: [], ...lists };
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ result }));
};
