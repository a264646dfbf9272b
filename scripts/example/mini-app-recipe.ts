import { DEFAULT_APP_ID } from '../../src/access/key.js';
import { toHex } from '../../src/hex.js';
import { author, SAMPLE_SEED } from '../../src/sample/author.js';
import { signerKey } from '../../src/sample/key.js';
import { derive } from '../../src/sample/random.js';
import { EXAMPLE_SIGNER_UUID } from '../../src/schema/example.js';
import { associate } from '../../test/support/mini-app.js';
import { type Receiver, startReceiver } from '../../test/support/receiver.js';
import { once, type Recipes, until } from './recipe.js';
import type { SampleService } from './sample-service.js';

const ENABLED = 'notifications_enabled';
/** The account that claims the domain of the mini app. */
const OWNER = 29;

/** Where this service takes events of hosts about users of its own app. */
export const eventUrl = (host: string): string => `http://${host}/f/app/${DEFAULT_APP_ID}/event`;

/**
 * A server of somebody else: it has a mini app's manifest, takes actions, and answers everything else with `{}`.
 * @param webhookUrl where hosts send events about users of the mini app; by default to the server itself
 */
export const startOtherServer = async (webhookUrl?: string): Promise<Receiver> => {
  let manifest = '';
  const receiver = await startReceiver(({ path }, response) => {
    const bodies: Record<string, string> = {
      '/.well-known/farcaster.json': manifest,
      '/api/farcaster/action': '{"message":"Shared."}',
    };
    response.setHeader('content-type', 'application/json').end(bodies[path] ?? '{}');
  });
  const domain = `localhost:${receiver.port}`;
  const miniapp = {
    version: '1',
    name: 'Game',
    homeUrl: `http://${domain}/`,
    webhookUrl: webhookUrl ?? `http://${domain}/events`,
  };
  const { account } = author({ seed: SAMPLE_SEED, fid: OWNER }).custody;
  manifest = JSON.stringify({ accountAssociation: await associate(account, OWNER, domain), miniapp });
  return receiver;
};

const base64url = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64url');

/**
 * Mini apps and their host, which is this service.
 * @param own the server of a mini app whose backend is this service, too
 * @param other the server of a mini app with a backend of its own
 */
export const miniAppRecipes = ({ send, run }: SampleService, own: Receiver, other: Receiver): Recipes => {
  const domain = `localhost:${own.port}`;
  const target_url = `http://${domain}/game/1`;
  /** Account 1 lets the mini app notify it: the service as its host tells the service as the mini app's backend. */
  const enabled = once(async () => {
    await run('app', 'set', DEFAULT_APP_ID, '--miniapp', domain);
    const event = { signer_uuid: EXAMPLE_SIGNER_UUID, app_domain: domain, fid: 1, event: ENABLED };
    return send('app-host-post-event', { body: event });
  });
  const tokens = once(async () => {
    await enabled();
    return until(
      () => send('fetch-notification-tokens', { query: { fids: '1' } }),
      ({ body }) => body.notification_tokens.length > 0,
    );
  });
  const published = once(async () => {
    await tokens();
    const notification = { title: 'Your move', body: 'Somebody answered you.', target_url };
    return send('publish-frame-notifications', { body: { notification, target_fids: [1] } });
  });
  const campaign = async () => (await published()).body.campaign_id as string;

  return {
    'app-host-post-event': enabled,
    'app-host-get-user-state': async () => {
      await enabled();
      return send('app-host-get-user-state');
    },
    'fetch-notification-tokens': tokens,
    'publish-frame-notifications': published,
    'get-notification-campaign-stats': async () => {
      const query = { campaign_id: await campaign() };
      return send('get-notification-campaign-stats', { query });
    },
    'app-host-get-user-notifications': async () => {
      await published();
      return until(
        () => send('app-host-get-user-notifications'),
        ({ body }) => body.notifications.length > 0,
      );
    },
    'app-host-notify': async () => {
      const targetUrl = `http://localhost:${other.port}/game/1`;
      await send('app-host-post-event', {
        body: { signer_uuid: EXAMPLE_SIGNER_UUID, app_domain: `localhost:${other.port}`, fid: 1, event: ENABLED },
      });
      const event = other.received.find(({ path }) => path === '/events');
      const { payload } = JSON.parse(event?.body ?? '{}') as { payload: string };
      const { token } = JSON.parse(Buffer.from(payload, 'base64url').toString()).notificationDetails as {
        token: string;
      };
      const text = { title: 'Your move', body: 'Somebody answered you.' };
      return send('app-host-notify', {
        body: { notificationId: 'daily-2026-11-22', ...text, targetUrl, tokens: [token] },
      });
    },
    'miniapp-opened': async () =>
      send('miniapp-opened', { body: { notification_id: await campaign(), fid: 1, client_fid: 1 } }),
    'open-notification': async () =>
      send('open-notification', { body: { campaign_id: await campaign(), fid: 1, app_fid: 1 } }),
    'miniapp-event': async () => {
      await published();
      const key = signerKey(derive(SAMPLE_SEED, 'signer', 2, 0));
      const header = base64url(JSON.stringify({ fid: 2, type: 'app_key', key: toHex(key.publicKey) }));
      const payload = base64url(JSON.stringify({ event: 'miniapp_added' }));
      const signature = base64url(key.sign(Buffer.from(`${header}.${payload}`)));
      return send('miniapp-event', { params: { app_id: DEFAULT_APP_ID }, body: { header, payload, signature } });
    },
    'publish-social-action': () => {
      const action = { type: 'share', payload: { text: 'Hello' } };
      const body = { signer_uuid: EXAMPLE_SIGNER_UUID, base_url: `http://${domain}`, action };
      return send('publish-social-action', { body });
    },
  };
};
