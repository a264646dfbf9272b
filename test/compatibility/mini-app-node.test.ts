import { createJsonFarcasterSignature } from '@farcaster/miniapp-node';
import { ed25519 } from '@noble/curves/ed25519';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hostUser } from '../support/host-user.js';
import { type MiniApp, startMiniApp } from '../support/mini-app.js';
import { type Network, startNetwork } from '../support/network.js';
import { approvedSigner, registerAccount } from '../support/signer.js';
import { recordRun } from './record.js';
import { answeredOf, runProgram } from './run-program.js';

const HOST = 8_000;
const OWNER = 8_001;
const USER = 8_002;
const EVENTS = ['miniapp_added', 'notifications_enabled', 'notifications_disabled', 'miniapp_removed'];

let network: Network;
let miniApp: MiniApp;
beforeAll(async () => {
  network = await startNetwork({ CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true', CASTELLAN_PUBLIC_READS: 'hub' }, undefined, {
    timings: { pollMs: 100 },
  });
  await network.sql('update app set fid = $1', [HOST]);
  miniApp = await startMiniApp(network, OWNER);
});
afterAll(async () => {
  await miniApp?.stop();
  await network?.stop();
});

const failing = (message: RegExp) => ({ error: expect.stringMatching(message) });

test('events of a host are accepted with the key and without, in each way to look up who signed', async () => {
  await registerAccount(network, USER);
  const { uuid } = await approvedSigner(network, USER);
  for (const event of EVENTS)
    await network.send('POST', '/v2/social/app_host/user/event/', {
      app_domain: miniApp.domain,
      signer_uuid: uuid,
      fid: USER,
      event,
    });
  // What the service sent to the webhook of the mini app, and one that a host signed with a key of its own.
  const events = miniApp.received.filter(({ path }) => path === '/webhook').map(({ body }) => JSON.parse(body));
  expect(events).toHaveLength(EVENTS.length);
  const { fid, sign } = await hostUser(network, USER + 1, HOST);
  const parsed = [
    // The account asked for its signer itself.
    ...EVENTS.map((event) => ({ fid: USER, appFid: USER, event: { event } })),
    { fid, appFid: HOST, event: { event: 'miniapp_removed' } },
  ];
  const input = { url: network.url, apiKey: network.apiKey, events: [...events, sign({ event: 'frame_removed' })] };
  const value = { value: parsed };
  const key = { NEYNAR_API_KEY: network.apiKey };
  const made = await runProgram('mini-app-node.mjs', network.url, input, key);
  expect(made).toMatchObject({
    verifyAppKeyWithNeynar: value,
    hubWithKey: value,
    hubWithoutKey: value,
  });
  recordRun('@farcaster/miniapp-node', answeredOf(made), { isOfProject: true });
  // A key that the account does not have.
  const privateKey = ed25519.utils.randomPrivateKey();
  const payload = Buffer.from(JSON.stringify({ event: 'miniapp_removed' }));
  const stranger = createJsonFarcasterSignature({ fid: USER, type: 'app_key', privateKey, payload });
  const refused = failing(/app key/i);
  expect(await runProgram('mini-app-node.mjs', network.url, { ...input, events: [stranger] }, key)).toEqual({
    verifyAppKeyWithNeynar: refused,
    hubWithKey: refused,
    hubWithoutKey: refused,
  });
});

test('where the hub asks for a key, a program without one gets an error of the look-up, not an accepted event', async () => {
  const closed = await startNetwork({ CASTELLAN_PUBLIC_READS: 'off' });
  try {
    const { sign } = await hostUser(closed, USER, HOST);
    const input = { url: closed.url, apiKey: closed.apiKey, events: [sign({ event: 'miniapp_removed' })] };
    expect(await runProgram('mini-app-node.mjs', closed.url, input)).toMatchObject({
      verifyAppKeyWithNeynar: failing(/Error verifying app key/),
      hubWithKey: { value: [{ fid: USER, appFid: HOST }] },
      hubWithoutKey: failing(/Error verifying app key/),
    });
  } finally {
    await closed.stop();
  }
});
