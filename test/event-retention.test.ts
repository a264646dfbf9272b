import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStream } from './support/event-stream.js';
import { runJob } from './support/job.js';
import { type Network, startNetwork } from './support/network.js';
import { type Receiver, startReceiver } from './support/receiver.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';

let network: Network;
let receiver: Receiver;
let seeded: Seeded;
/** Milliseconds by which the service's clock is ahead. */
let ahead = 0;
beforeAll(async () => {
  receiver = await startReceiver((_request, response) => void response.end());
  const settings = { CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true', CASTELLAN_EVENT_RETENTION_DAYS: '3' };
  network = await startNetwork(settings, undefined, { clock: () => Date.now() + ahead });
  seeded = await seedBasics((items) => network.app.core.ingest.submit(items, { source: 'hub', announce: true }));
});
afterAll(async () => {
  await network.stop();
  await receiver.stop();
});

const DAY_MS = 86_400_000;
const forget = () => runJob(network, 'forget-events');
const count = async (table: string): Promise<number> =>
  ((await network.sql<{ count: number }>(`select count(*)::integer as count from ${table}`))[0] as { count: number })
    .count;
/** Waits until the dispatcher has read the whole log. */
const dispatched = () =>
  expect
    .poll(() => network.sql('select 1 from webhook_cursor where log_id = (select max(id) from hub_event)'))
    .toHaveLength(1);

test('deliveries, attempts and bodies are kept for seven days, the log as the setting says', async () => {
  const subscription = { 'cast.created': { author_fids: [FIDS.alice] } };
  const body = { name: 'kept', url: `${receiver.url}/hook`, subscription };
  const { webhook } = (await network.send('POST', '/v2/social/webhook/', body)).body;
  await seeded.send(seeded.alice.cast({ text: 'kept for a while' }));
  await expect.poll(() => count("webhook_delivery where state = 'delivered'")).toBe(1);
  await dispatched();
  const first = await count('hub_event');
  expect(first).toBeGreaterThan(10);

  ahead = 2 * DAY_MS;
  await forget();
  expect(await count('hub_event')).toBe(first);

  await network.sql('update webhook_cursor set log_id = 1 where log_id > 1');
  ahead = 4 * DAY_MS;
  await forget();
  // What is not yet handed to webhooks stays, however old it is.
  expect(await count('hub_event')).toBe(first - 1);
  await dispatched();
  await forget();
  expect([await count('hub_event'), await count('webhook_delivery'), await count('webhook_event')]).toEqual([1, 1, 1]);

  const headers = { 'x-api-key': network.apiKey };
  const since = (id: string) => openStream(`${network.url}/v2/social/stream/?since=${id}`, headers);
  // A reader of the last row that was deleted may have only some of its events.
  for (const id of ['3-0', `${first - 1}-0`]) expect((await since(id)).status).toBe(410);
  // One of the newest row has missed nothing, however old that is.
  for (const id of [`${first - 1}`, `${first}-0`, '0']) {
    const current = await since(id);
    expect(current.status).toBe(200);
    current.close();
  }
  const replay = { webhook_id: webhook.webhook_id, from_event_id: '3-0' };
  expect(await network.send('POST', '/v2/social/webhook/replay/', replay)).toMatchObject({
    status: 410,
    body: { code: 'Gone', property: 'from_event_id' },
  });

  const stream = await openStream(`${network.url}/v2/social/stream/?types=cast.created`, headers);
  await seeded.send(seeded.alice.cast({ text: 'after all that' }));
  await expect.poll(() => stream.events.map(({ data }) => data.text)).toEqual(['after all that']);
  stream.close();

  await expect.poll(() => count("webhook_delivery where state = 'delivered'")).toBe(2);
  ahead = 7.5 * DAY_MS;
  await network.sql("update webhook_delivery set ended_at = now() + interval '5 days' where log_id > $1", [first]);
  await network.sql("update webhook_event set created_at = now() + interval '5 days' where log_id > $1", [first]);
  await forget();
  expect([await count('webhook_delivery'), await count('webhook_event')]).toEqual([1, 1]);
});
