import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Network, startNetwork } from './support/network.js';
import { seedBasics } from './support/seed.js';

const PATH = '/v2/social/webhook/';
let network: Network;
let webhookId: string;
beforeAll(async () => {
  network = await startNetwork({ CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true' });
  await seedBasics((items) => network.load(items));
  const body = { name: 'casts', url: 'http://127.0.0.1:9/', subscription: { 'cast.created': {} } };
  webhookId = (await network.send('POST', PATH, body)).body.webhook.webhook_id;
});
afterAll(() => network.stop());

const replay = (body: object) => network.send('POST', `${PATH}replay/`, { webhook_id: webhookId, ...body });

test('a time that cannot be read is named, whatever RFC 3339 allows', async () => {
  for (const from_time of ['2026-11-30T12:00:00+00', '2016-12-31T23:59:60Z', 'yesterday'])
    expect(await replay({ from_time }), from_time).toMatchObject({ status: 400, body: { property: 'from_time' } });
  const now = new Date().toISOString();
  for (const from_time of [now, now.replace('Z', '+00:00')]) expect((await replay({ from_time })).status).toBe(200);
});

test('a webhook that is not there is named', async () => {
  const none = await replay({ webhook_id: '00000000-0000-0000-0000-000000000000', failed: true });
  expect(none).toMatchObject({ status: 404, body: { property: 'webhook_id' } });
});
