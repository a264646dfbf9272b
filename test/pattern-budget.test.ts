import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createSecondApp } from './support/app.js';
import { openStream, type StreamClient } from './support/event-stream.js';
import { type Network, startNetwork } from './support/network.js';
import { type Seeded, seedBasics } from './support/seed.js';

let network: Network;
let seeded: Seeded;
beforeAll(async () => {
  network = await startNetwork({ CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true' });
  seeded = await seedBasics((items) => network.app.core.ingest.submit(items, { source: 'hub', announce: true }));
});
afterAll(() => network.stop());

/** Some 240 instructions each, all different. */
const largePattern = (index: number): string => `(?:ab){115}${index}`;

describe('streams', () => {
  const open: StreamClient[] = [];
  afterEach(async () => {
    for (const client of open.splice(0)) client.close();
    await expect.poll(() => network.app.services.streams.size).toBe(0);
  });
  const stream = async (text: string, headers: Record<string, string> = {}) => {
    const subscription = JSON.stringify({ 'cast.created': { text } });
    const url = `${network.url}/v2/social/stream/?${new URLSearchParams({ subscription })}`;
    const client = await openStream(url, { 'x-api-key': network.apiKey, ...headers });
    if (client.status === 200) open.push(client);
    return client;
  };
  const openUntilRefused = async (headers?: Record<string, string>): Promise<StreamClient> => {
    for (;;) {
      const client = await stream(largePattern(open.length), headers);
      if (client.status !== 200) return client;
    }
  };

  test('of an app have so many instructions together, in words when there are more', async () => {
    const refused = await openUntilRefused();
    expect(open.length).toBeGreaterThan(10);
    expect(open.length).toBeLessThan(100);
    await expect.poll(() => refused.text).toContain('20000 instructions');
    expect([refused.status, Number(refused.headers['retry-after'])]).toEqual([503, expect.any(Number)]);
    // What is searched for already costs nothing more, nor does a stream without regular expressions.
    expect((await stream(largePattern(0))).status).toBe(200);
    const other = await openStream(`${network.url}/v2/social/stream/`, { 'x-api-key': network.apiKey });
    open.push(other);
    expect(other.status).toBe(200);
    // Another app has room, and so has this one when it closes some.
    const app = await createSecondApp(network);
    expect((await stream(largePattern(999), app.headers)).status).toBe(200);
    for (const client of open.splice(0, 2)) client.close();
    await expect.poll(async () => (await stream(largePattern(1000))).status).toBe(200);
  });

  test('of all apps have so many together', async () => {
    await openUntilRefused();
    await openUntilRefused((await createSecondApp(network)).headers);
    const refused = await stream(largePattern(2000), (await createSecondApp(network)).headers);
    expect(refused.status).toBe(503);
    await expect.poll(() => refused.text).toContain('of all streams');
  });

  test('find what their regular expressions ask for', async () => {
    const client = await stream('(?i)tomato(es)?\\b');
    await seeded.send(seeded.bob.cast({ text: 'potatoes' }), seeded.erin.cast({ text: 'Tomatoes!' }));
    await expect.poll(() => client.events.map(({ data }) => data.text)).toEqual(['Tomatoes!']);
  });
});

describe('webhooks', () => {
  const PATH = '/v2/social/webhook/';
  const body = (text: string, more: object = {}) => ({
    name: 'a test',
    url: 'https://app.example/hook',
    subscription: { 'cast.created': text === '' ? {} : { text, embeds: `${text}x` } },
    ...more,
  });
  const makeUntilRefused = async (headers?: Record<string, string>) => {
    const made = [];
    for (;;) {
      const response = await network.send('POST', PATH, body(largePattern(made.length)), headers);
      if (response.status !== 200) return { made, refused: response };
      made.push(response.body.webhook.webhook_id as string);
    }
  };

  test('of an app, and of all, have so many instructions together', async () => {
    const { made, refused } = await makeUntilRefused();
    expect(made.length).toBeGreaterThan(10);
    expect(refused).toMatchObject({ status: 400, body: { property: 'subscription' } });
    expect(refused.body.message).toContain('at most 20000');
    const replaced = await network.send('PUT', PATH, body(largePattern(500), { webhook_id: made[0] }));
    expect(replaced.status).toBe(200);
    const larger = await network.send(
      'PUT',
      PATH,
      body(largePattern(1), {
        webhook_id: made[0],
        subscription: {
          'cast.created': { text: largePattern(501), embeds: largePattern(502) },
          'cast.deleted': { text: largePattern(503), embeds: largePattern(504) },
        },
      }),
    );
    expect(larger).toMatchObject({ status: 400, body: { property: 'subscription' } });

    const second = await createSecondApp(network);
    await makeUntilRefused(second.headers);
    const third = await createSecondApp(network);
    const { made: few, refused: last } = await makeUntilRefused(third.headers);
    expect(few.length).toBeLessThan(10);
    expect(last).toMatchObject({ status: 400, body: { property: 'subscription' } });
    expect(last.body.message).toContain('of all webhooks');
    expect((await network.send('POST', PATH, body(''), third.headers)).status).toBe(200);
    // What is deleted takes no room.
    for (const webhook_id of made) await network.send('DELETE', PATH, { webhook_id });
    expect((await network.send('POST', PATH, body(largePattern(1)), third.headers)).status).toBe(200);
  });
});
