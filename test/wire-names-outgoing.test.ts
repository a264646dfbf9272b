import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeApp } from '../src/access/app.js';
import { DEFAULT_APP_ID } from '../src/access/key.js';
import { type MiniApp, startMiniApp } from './support/mini-app.js';
import { type Network, startNetwork } from './support/network.js';
import { type Receiver, startReceiver } from './support/receiver.js';
import { approvedSigner, registerAccount } from './support/signer.js';

const [OWNER, USER] = [9_401, 9_402];
let network: Network;
let miniApp: MiniApp;
let host: Receiver;
let secret: string;
beforeAll(async () => {
  network = await startNetwork({ CASTELLAN_WIRE_NAMES: 'ecosystem', CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true' });
  miniApp = await startMiniApp(network, OWNER);
  host = await startReceiver((_request, response) => void response.end());
  const webhook = { url: `${host.url}/hook`, masterKey: network.config.masterKey };
  const changed = await changeApp(network.app.core.db, { id: DEFAULT_APP_ID, webhook, now: new Date() });
  secret = changed.webhookSecret ?? '';
  await registerAccount(network, USER);
});
afterAll(async () => {
  await host.stop();
  await miniApp.stop();
  await network.stop();
});

test('addresses are in the names of the path that was asked, tokens are good under either, calls carry the header', async () => {
  const { uuid } = await approvedSigner(network, USER);
  for (const prefix of ['/v2/farcaster/', '/v2/social/']) {
    const body = { signer_uuid: uuid, fid: USER, event: 'notifications_enabled', app_domain: miniApp.domain };
    expect((await network.send('POST', `${prefix}app_host/user/event/`, body)).status).toBe(200);
    const details = miniApp.heard.at(-1)?.event.notificationDetails;
    expect(details?.url).toBe(`${network.config.publicUrl}${prefix}app_host/notify/`);
    const notification = {
      notificationId: prefix,
      title: 'Hello',
      body: 'There',
      targetUrl: `http://${miniApp.domain}/thing`,
      tokens: [details?.token],
    };
    for (const path of ['/v2/social/app_host/notify/', '/v2/farcaster/app_host/notify/']) {
      const answer = await network.send('POST', path, notification);
      expect(answer.body.result.successfulTokens).toEqual([details?.token]);
    }
  }
  await expect.poll(() => host.received.length).toBe(2);
  for (const { body, headers } of host.received) {
    expect(headers['x-neynar-signature']).toBe(createHmac('sha512', secret).update(body, 'utf8').digest('hex'));
    expect(headers).not.toHaveProperty('x-service-signature');
  }
});
