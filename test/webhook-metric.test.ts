import type { ServerResponse } from 'node:http';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureDefaultAccess } from '../src/access/key.js';
import { createMetricsServer, type MetricsServer } from '../src/api/metrics-server.js';
import { createEventMetrics } from '../src/app/event-metric.js';
import { type EventBacklog, selectEventBacklog } from '../src/store/event/backlog.js';
import { openTestDatabase } from './support/database.js';
import { openStream } from './support/event-stream.js';
import { type Network, startNetwork } from './support/network.js';
import { explainReads, planNodes } from './support/plan.js';
import { type Receiver, startReceiver } from './support/receiver.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';

let network: Network;
let seeded: Seeded;
let receiver: Receiver;
let server: MetricsServer;
let metricsUrl: string;
let answer: (response: ServerResponse) => void = (response) => void response.end();
/** Milliseconds by which the service's clock is ahead. */
let ahead = 0;

beforeAll(async () => {
  receiver = await startReceiver((_request, response) => answer(response));
  network = await startNetwork({ CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true' }, undefined, {
    clock: () => Date.now() + ahead,
  });
  seeded = await seedBasics((items) => network.app.core.ingest.submit(items, { source: 'hub', announce: true }));
  server = createMetricsServer(network.app.services.metrics.registry);
  metricsUrl = `http://127.0.0.1:${await server.listen({ host: '127.0.0.1', port: 0 })}/metrics`;
});
afterAll(async () => {
  await server.stop();
  await network.stop();
  await receiver.stop();
});

/** @returns the value of a metric as Prometheus gets it; undefined if it is not there */
const metric = async (name: string): Promise<number | undefined> => {
  const text = await (await fetch(metricsUrl)).text();
  const line = text.split('\n').find((one) => one.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length));
};

test('pending deliveries, their age and failed attempts are counted', async () => {
  await expect.poll(() => metric('castellan_webhook_waiting')).toBe(0);
  await expect.poll(() => metric('castellan_webhook_oldest_seconds')).toBe(0);
  const subscription = { 'cast.created': { author_fids: [FIDS.alice] } };
  const body = { name: 'counted', url: `${receiver.url}/hook`, subscription };
  const { webhook_id } = (await network.send('POST', '/v2/social/webhook/', body)).body.webhook;
  const failures = `castellan_webhook_failures_total{webhook="${webhook_id}"}`;
  answer = (response) => void response.writeHead(500).end();
  await seeded.send(seeded.alice.cast({ text: 'to a receiver that is down' }));
  await expect.poll(() => metric(failures)).toBe(1);
  await expect.poll(() => metric('castellan_webhook_waiting')).toBe(1);
  await expect.poll(() => metric('castellan_webhook_oldest_seconds')).toBeLessThan(60);
  ahead += 3_600_000;
  await expect.poll(() => metric(failures)).toBe(2);
  await expect.poll(() => metric('castellan_webhook_oldest_seconds')).toBeGreaterThan(3_590);
  answer = (response) => void response.end();
  ahead += 3_600_000;
  await expect.poll(() => metric('castellan_webhook_waiting')).toBe(0);
  await expect.poll(() => metric('castellan_webhook_oldest_seconds')).toBe(0);
  expect(await metric(failures)).toBe(2);
});

test('the backlog is what the dispatcher has not read, and open streams are counted', async () => {
  await expect.poll(() => metric('castellan_event_log_backlog')).toBe(0);
  expect(await metric('castellan_streams')).toBe(0);
  const stream = await openStream(`${network.url}/v2/social/stream/?types=follow.created`, {
    'x-api-key': network.apiKey,
  });
  expect(stream.status).toBe(200);
  await expect.poll(() => metric('castellan_streams')).toBe(1);
  stream.close();
  await expect.poll(() => metric('castellan_streams')).toBe(0);
});

test('the backlog reads pending deliveries only, however many were delivered', async () => {
  const { db, drop } = await openTestDatabase();
  await ensureDefaultAccess(db, undefined, new Date());
  await db.run(
    `insert into webhook (id, app_id, title, target_url, filters, subscription_id, dialect, active, after_log_id,
                          created_at, updated_at, subscription_updated_at)
     select gen_random_uuid(), id, 'a', 'https://a.example/', '{}', gen_random_uuid(), 'neutral', true, 0,
            now(), now(), now()
       from app`,
  );
  await db.run(
    `insert into webhook_delivery (id, webhook_id, log_id, part, type, state, next_at, expires_at, created_at)
     select gen_random_uuid(), w.id, n, 0, 'cast.created', case when n % 1000 = 0 then 'pending' else 'delivered' end,
            now(), now() + interval '1 day', now()
       from webhook w, generate_series(1, 20000) n`,
  );
  await db.run("insert into hub_event (fid, type, body) select 1, 1, '\\x00' from generate_series(1, 7)");
  await db.script('analyze webhook_delivery, webhook');
  expect(await selectEventBacklog(db)).toMatchObject({ logIds: 7, waiting: 20 });
  for (const { custom, generic } of await explainReads(db, selectEventBacklog)) {
    for (const nodes of [planNodes(custom), planNodes(generic)]) {
      expect(nodes.map((node) => node['Index Name'])).toContain('webhook_delivery_pending');
      const whole = nodes.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name']);
      expect(whole).not.toContain('webhook_delivery');
      expect(whole).not.toContain('hub_event');
    }
  }
  await drop();
});

test('without the database the other metrics are answered, and these have no value', async () => {
  const { db, drop } = await openTestDatabase();
  const registry = new Registry();
  createEventMetrics(registry, { backlog: () => selectEventBacklog(db), streams: () => 3, clock: Date.now });
  await db.run("insert into hub_event (fid, type, body) values (1, 1, '\\x00')");
  await expect.poll(() => registry.metrics()).toMatch(/^castellan_event_log_backlog 1$/m);
  await drop();
  await expect.poll(() => registry.metrics()).not.toMatch(/^castellan_event_log_backlog /m);
  expect(await registry.metrics()).toContain('castellan_streams 3');
});

test('a slow database delays no metric; what it has not told yet has no value rather than 0', async () => {
  const registry = new Registry();
  const answers: ((backlog: EventBacklog) => void)[] = [];
  const backlog = () => new Promise<EventBacklog>((resolve) => answers.push(resolve));
  createEventMetrics(registry, { backlog, streams: () => 3, clock: Date.now });
  const unknown = await registry.metrics();
  expect(unknown).toContain('castellan_streams 3');
  expect(unknown).not.toMatch(/^castellan_(event_log_backlog|webhook_waiting|webhook_oldest_seconds) /m);
  answers[0]?.({ logIds: 4, waiting: 2, firstExpiresAt: null });
  // The next query is as slow: the last answer counts.
  const known = await registry.metrics();
  expect(known).toMatch(/^castellan_event_log_backlog 4$/m);
  expect(known).toMatch(/^castellan_webhook_waiting 2$/m);
});
