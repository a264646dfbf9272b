import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startSecondService } from './support/app.js';
import { openStream } from './support/event-stream.js';
import { type Network, startNetwork } from './support/network.js';
import { startReceiver } from './support/receiver.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';

const onServer = process.env.TEST_DATABASE_URL !== undefined;
/** Nothing is looked for during the tests that was not announced. */
const timings = { pollMs: 3_600_000 };
/** Milliseconds in which an announced event has arrived, on a busy machine, too. */
const SOON = { timeout: 5_000 };

let network: Network;
let seeded: Seeded;
beforeAll(async () => {
  network = await startNetwork({ CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true' }, undefined, { timings });
  seeded = await seedBasics((items) => network.app.core.ingest.submit(items, { source: 'hub', announce: true }));
});
afterAll(() => network.stop());

const followEvents = async (url: string) => {
  const client = await openStream(`${url}/v2/social/stream/?types=cast.created`, { 'x-api-key': network.apiKey });
  onTestFinished(() => client.close());
  await expect.poll(() => client.blocks).toHaveLength(1);
  return () => client.events.map(({ data }) => data.text);
};

const openWebhook = async () => {
  const receiver = await startReceiver();
  const subscription = { 'cast.created': { author_fids: [FIDS.erin] } };
  const body = { name: 'a test', url: `${receiver.url}/hook`, subscription };
  const { webhook } = (await network.send('POST', '/v2/social/webhook/', body)).body;
  onTestFinished(async () => {
    await network.send('DELETE', '/v2/social/webhook/', { webhook_id: webhook.webhook_id });
    await receiver.stop();
  });
  return () => receiver.received.map((received) => JSON.parse(received.body).data.text);
};

test('a cast reaches webhooks and streams by its commit, without a poll', async () => {
  const [received, streamed] = [await openWebhook(), await followEvents(network.url)];
  for (const text of ['first', 'second']) {
    await seeded.send(seeded.erin.cast({ text }));
    await expect.poll(() => received().at(-1), SOON).toBe(text);
    await expect.poll(() => streamed().at(-1), SOON).toBe(text);
  }
});

test('profiles that changed are announced once they have not changed for a while, without a poll', async () => {
  const receiver = await startReceiver();
  const body = { name: 'a test', url: `${receiver.url}/hook`, subscription: { 'user.updated': { fids: [FIDS.erin] } } };
  const { webhook } = (await network.send('POST', '/v2/social/webhook/', body)).body;
  onTestFinished(async () => {
    await network.send('DELETE', '/v2/social/webhook/', { webhook_id: webhook.webhook_id });
    await receiver.stop();
  });
  await seeded.send(seeded.erin.userData(1, 'https://pictures.example/erin.png'));
  await expect.poll(() => receiver.received, { timeout: 15_000 }).toHaveLength(1);
});

test.runIf(onServer)('what another process commits wakes streams and webhooks, and is in the next page', async () => {
  const second = await startSecondService(network, Date.now, timings);
  onTestFinished(second.stop);
  const [received, streamed] = [await openWebhook(), await followEvents(network.url)];
  for (const text of ['from elsewhere', 'and again']) {
    await second.submit([seeded.erin.cast({ text }).item]);
    await expect.poll(() => received().at(-1), SOON).toBe(text);
    await expect.poll(() => streamed().at(-1), SOON).toBe(text);
    const feed = await network.get(`/v2/social/feed/user/casts/?fid=${FIDS.erin}&limit=1`);
    expect(feed.body.casts[0].text).toBe(text);
  }
});
