import { createHmac } from 'node:crypto';
import { Configuration, NeynarAPIClient } from '@neynar/nodejs-sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Network, startNetwork } from '../support/network.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { FIDS, type Seeded, seedBasics } from '../support/seed.js';

// A bot that came from the vendor: its client makes the webhook, and its receiver checks events as the vendor documents.
let network: Network;
let seeded: Seeded;
let receiver: Receiver;
let secret: string | undefined;
const accepted: object[] = [];
const rejected: string[] = [];

beforeAll(async () => {
  network = await startNetwork({ CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true' });
  seeded = await seedBasics((items) => network.app.core.ingest.submit(items, { source: 'hub', announce: true }));
  receiver = await startReceiver(({ body, headers }, response) => {
    const received = headers['x-neynar-signature'];
    const generated = createHmac('sha512', secret as string)
      .update(body)
      .digest('hex');
    if (generated === received) accepted.push(JSON.parse(body));
    else rejected.push(body);
    response.end();
  });
});
afterAll(async () => {
  await network.stop();
  await receiver.stop();
});

test('events pass the verification that the vendor documents, in its names', async () => {
  const client = new NeynarAPIClient(new Configuration({ apiKey: network.apiKey, basePath: network.url }));
  const made = await client.publishWebhook({
    name: 'bot',
    url: `${receiver.url}/hook`,
    subscription: { 'cast.created': { mentioned_fids: [FIDS.alice] } },
  });
  secret = made.webhook?.secrets[0]?.value;
  await seeded.send(seeded.bob.cast({ text: ['Look, ', FIDS.alice, ': ✓ 🍅 "\\'] }));
  await expect.poll(() => accepted.length + rejected.length).toBe(1);
  expect(rejected).toEqual([]);
  expect(accepted).toMatchObject([
    {
      type: 'cast.created',
      data: { object: 'cast', author: { fid: FIDS.bob, experimental: { neynar_user_score: expect.any(Number) } } },
    },
  ]);

  // A changed byte is noticed, and so is another secret.
  const { webhooks } = await client.fetchWebhooks();
  expect(webhooks.map(({ webhook_id }) => webhook_id)).toEqual([made.webhook?.webhook_id]);
  secret = `${secret}x`;
  await seeded.send(seeded.bob.cast({ text: ['Again, ', FIDS.alice] }));
  await expect.poll(() => rejected).toHaveLength(1);
});

test('a webhook with the default score filter does not match everything', async () => {
  const client = new NeynarAPIClient(new Configuration({ apiKey: network.apiKey, basePath: network.url }));
  const { webhook } = await client.publishWebhook({
    name: 'scored',
    url: `${receiver.url}/scored`,
    subscription: { 'cast.created': { author_fids: [FIDS.dan], minimum_author_score: 0 } },
  });
  secret = webhook?.secrets[0]?.value;
  const before = accepted.length;
  await seeded.send(seeded.bob.cast({ text: 'by somebody else' }), seeded.dan.cast({ text: 'by Dan' }));
  await expect.poll(() => accepted.slice(before)).toMatchObject([{ data: { text: 'by Dan' } }]);
});
