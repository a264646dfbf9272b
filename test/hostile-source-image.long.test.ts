import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_ORGANIZATION_ID } from '../src/access/key.js';
import { makeWallet } from '../src/onchain/transaction/wallet.js';
import { hostileDocuments } from './support/hostile-document.js';
import { expectOutcome, type HostileServer, startHostileServer, survive } from './support/hostile-feed.js';
import { json } from './support/mini-app-zoo.js';
import { type Network, startNetwork } from './support/network.js';
import { type Receiver, startReceiver } from './support/receiver.js';

let network: Network;
let server: HostileServer;
let model: Receiver;
let wallet: string;
let pixels: Buffer;

beforeAll(async () => {
  pixels = await sharp({ create: { width: 16, height: 16, channels: 3, background: '#aa3311' } })
    .png()
    .toBuffer();
  server = await startHostileServer();
  server.sound = (_, response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(pixels);
  model = await startReceiver((_, response) => json(response, { data: [{ b64_json: pixels.toString('base64') }] }));
  network = await startNetwork({
    CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true',
    CASTELLAN_IMAGE_URL: `${model.url}/v1`,
    CASTELLAN_IMAGE_MODEL: 'plain',
    CASTELLAN_MEDIA_QUOTA_MB: '64',
  });
  const made = { organizationId: DEFAULT_ORGANIZATION_ID, name: 'test', now: new Date() };
  wallet = (await makeWallet(network.app.core.db, network.config.masterKey, made)).id;
});
afterAll(async () => {
  await network.stop();
  await model.stop();
  await server.stop();
});

test('a source image of a stranger', async () => {
  const draw = () =>
    network.send(
      'POST',
      '/v2/social/nft/image/',
      { prompt: 'x', width: 16, height: 16, source_image_urls: [`${server.url}/source`] },
      { 'x-wallet-id': wallet },
    );
  function* answers() {
    for (const { name, type, body } of hostileDocuments()) yield { name, body, headers: { 'content-type': type } };
  }
  const count = await survive(
    {
      serve: server.serve,
      read: async () => expectOutcome(await draw(), [200, 'InvalidField']),
      recover: async () => expect((await draw()).status).toBe(200),
    },
    answers,
  );
  expect(count).toBeGreaterThan(200);
}, 600_000);
