import { request } from 'node:http';
import { connect } from 'node:net';
import { EventSource } from 'eventsource';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createSecondApp } from './support/app.js';
import { delay, nextMillisecond } from './support/delay.js';
import { openStream, type StreamClient } from './support/event-stream.js';
import { type Network, startNetwork } from './support/network.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';

let network: Network;
let seeded: Seeded;
beforeAll(async () => {
  network = await startNetwork();
  seeded = await seedBasics((items) => network.app.core.ingest.submit(items, { source: 'hub', announce: true }));
});
afterAll(() => network.stop());

const open: StreamClient[] = [];
afterEach(() => {
  for (const client of open.splice(0)) client.close();
});

const PATH = '/v2/social/stream/';
const stream = async (query: Record<string, string> = {}, headers: Record<string, string> = {}, path = PATH) => {
  const url = `${network.url}${path}?${new URLSearchParams(query)}`;
  const client = await openStream(url, { 'x-api-key': network.apiKey, ...headers });
  open.push(client);
  return client;
};
const subscription = (filters: object): string => JSON.stringify(filters);
const texts = ({ events }: Pick<StreamClient, 'events'>): string[] => events.map(({ data }) => data.text);

let counter = 0;
/** Casts of Erin, and their texts. */
const castSome = async (count: number): Promise<string[]> => {
  const names = Array.from({ length: count }, (_, index) => `streamed ${counter + index}`);
  counter += count;
  await seeded.send(...names.map((text) => seeded.erin.cast({ text })));
  return names;
};
const ERIN = subscription({ 'cast.created': { author_fids: [FIDS.erin] } });

test('a stream sends what happens from now on, as webhooks have it, with its id', async () => {
  const client = await stream({ subscription: ERIN }, { origin: 'https://app.example' });
  expect(client.status).toBe(200);
  expect(client.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'access-control-allow-origin': '*',
    'x-compute-units': '100',
  });
  await expect.poll(() => client.blocks).toHaveLength(1);
  expect(client.blocks[0]).toMatchObject({ id: expect.stringMatching(/^\d+$/), data: undefined });
  await seeded.send(seeded.bob.cast({ text: 'not for the stream' }));
  const cast = seeded.erin.cast({ text: ['For ', FIDS.bob, ' 🍅\nin two lines\u2028'] });
  await seeded.send(cast);
  await expect.poll(() => client.events).toHaveLength(1);
  const hash = `0x${Buffer.from(cast.hash).toString('hex')}`;
  const page = await network.get(`/v2/social/cast/?type=hash&identifier=${hash}`);
  const [event] = client.events;
  const data = { ...page.body.cast, event_timestamp: expect.stringMatching(/^\d{4}-.*Z$/) };
  expect(event).toEqual({ id: event.id, type: 'cast.created', created_at: event.created_at, data });
  expect(client.blocks.find(({ data }) => data === event)?.id).toBe(event.id);
});

test('without filters, everything is sent in the order of the log', async () => {
  const client = await stream();
  await seeded.send(seeded.dan.follow(FIDS.grace), seeded.grace.react('like', seeded.casts.hello));
  await seeded.send(seeded.dan.unfollow(FIDS.grace), seeded.dan.userData(2, 'Dan D.'));
  await expect
    .poll(() => client.events.map(({ type }) => type))
    .toEqual(expect.arrayContaining(['follow.created', 'reaction.created', 'follow.deleted', 'user.updated']));
  const ids = client.events.map(({ id }) => Number(id.split('-')[0]));
  expect(ids).toEqual([...ids].sort((a, b) => a - b));
  expect(client.events.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['follow.created', 'reaction.created', 'follow.deleted', 'user.updated']),
  );
});

test('the path of a stream decides the dialect of its events', async () => {
  const types = { types: 'cast.created' };
  const [neutral, ecosystem] = [await stream(types), await stream(types, {}, '/v2/farcaster/stream/')];
  await castSome(1);
  for (const client of [neutral, ecosystem]) await expect.poll(() => client.events).toHaveLength(1);
  expect(neutral.events[0].data.author).toHaveProperty('score');
  const [members, others] = [neutral, ecosystem].map(({ events }) =>
    Object.keys(events[0].data.author.experimental ?? {}),
  );
  expect([members, others]).toEqual([
    ['deprecation_notice', 'service_user_score'],
    ['deprecation_notice', 'neynar_user_score'],
  ]);
});

test('a client that comes back gets what it missed, and then what is new, once each', async () => {
  const first = await stream({ subscription: ERIN });
  const seen = await castSome(2);
  await expect.poll(() => texts(first)).toEqual(seen);
  const { id } = first.events[0];
  first.close();
  const missed = await castSome(3);
  const byHeader = await stream({ subscription: ERIN, since: '0' }, { 'last-event-id': id });
  const byQuery = await stream({ subscription: ERIN, since: id });
  await expect.poll(() => texts(byQuery)).toEqual([seen[1], ...missed]);
  const fresh = await castSome(2);
  for (const client of [byHeader, byQuery]) {
    await expect.poll(() => texts(client)).toEqual([seen[1], ...missed, ...fresh]);
  }
});

test('a stream from a time, or from the beginning of the log', async () => {
  const before = await castSome(1);
  await nextMillisecond();
  const since = new Date().toISOString();
  const after = await castSome(2);
  const [timed, whole] = [
    await stream({ subscription: ERIN, since }),
    await stream({ subscription: ERIN, since: '0' }),
  ];
  await expect.poll(() => texts(timed)).toEqual(after);
  await expect.poll(() => texts(whole)).toEqual(expect.arrayContaining([...before, ...after]));
  expect(new Set(texts(whole)).size).toBe(whole.events.length);
});

test('an event with several parts is resumed between them', async () => {
  const fids = [FIDS.alice, FIDS.bob, FIDS.carol];
  await seeded.send(...fids.map((fid) => seeded.frank.follow(fid)));
  const subscribed = subscription({ 'follow.deleted': { fids: [FIDS.frank] } });
  const client = await stream({ subscription: subscribed });
  await seeded.send(seeded.frank.compactLinks('follow', [FIDS.dan]));
  await expect.poll(() => client.events).toHaveLength(3);
  const [first, ...others] = client.events;
  const again = await stream({ subscription: subscribed, since: first.id });
  await expect.poll(() => again.events).toEqual(others);
});

test('EventSource reads a stream with a ticket, which works once', async () => {
  const { status, body } = await network.send('POST', `${PATH}ticket/`, undefined);
  expect([status, Date.parse(body.expires_at) > Date.now()]).toEqual([200, true]);
  const url = `${network.url}${PATH}?${new URLSearchParams({ ticket: body.ticket, subscription: ERIN })}`;
  const source = new EventSource(url);
  const received: string[] = [];
  source.onmessage = ({ data }) => received.push(JSON.parse(data).data.text);
  await new Promise((resolve) => (source.onopen = resolve));
  const sent = await castSome(2);
  await expect.poll(() => received).toEqual(sent);
  source.close();
  const again = await openStream(url);
  expect(again.status).toBe(401);
  await again.closed;
  expect(JSON.parse(again.text)).toMatchObject({ code: 'Unauthorized', property: 'ticket' });
});

test('a ticket ends with its key', async () => {
  const app = await createSecondApp(network);
  const made = await network.send('POST', `${PATH}ticket/`, undefined, app.headers);
  await network.sql('update api_key set revoked_at = now() where app_id = $1', [app.id]);
  const client = await openStream(`${network.url}${PATH}?ticket=${made.body.ticket}`);
  expect(client.status).toBe(401);
});

test('a WebSocket gets the same events as messages', async () => {
  const socket = new WebSocket(
    `${network.url.replace('http', 'ws')}${PATH}?${new URLSearchParams({ subscription: ERIN })}`,
    { headers: { 'x-api-key': network.apiKey } },
  );
  // biome-ignore lint/suspicious/noExplicitAny: whatever came
  const messages: any[] = [];
  socket.on('message', (data, isBinary) => messages.push([isBinary, JSON.parse(data.toString())]));
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const beside = await stream({ subscription: ERIN });
  await castSome(2);
  await expect.poll(() => messages).toHaveLength(3);
  await expect.poll(() => beside.events).toHaveLength(2);
  expect(messages[0]).toEqual([false, { type: 'heartbeat', id: expect.stringMatching(/^\d+$/) }]);
  expect(messages.slice(1)).toEqual(beside.events.map((event) => [false, event]));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.close();
  await closed;
  await expect.poll(() => network.app.services.streams.size).toBe(1);
});

test('clients that stop reading for a while get everything, in order', async () => {
  const client = await stream({ types: 'cast.created' });
  const url = `${network.url.replace('http', 'ws')}${PATH}?types=cast.created`;
  const socket = new WebSocket(url, { headers: { 'x-api-key': network.apiKey } });
  const received: string[] = [];
  socket.on('message', (data) => {
    const { type, data: cast } = JSON.parse(data.toString());
    if (type === 'cast.created') received.push(cast.hash);
  });
  await new Promise((resolve) => socket.once('open', resolve));
  client.pause();
  socket.pause();
  // More than the operating system takes for a connection.
  const casts = Array.from({ length: 3_000 }, (_, index) => seeded.bob.cast({ text: `${index} ${'x'.repeat(310)}` }));
  const source = { source: 'hub', announce: true } as const;
  await network.app.core.ingest.submit(
    casts.map(({ item }) => item),
    source,
  );
  // Neither reads while the buffers of the connections fill up.
  await delay(300);
  client.resume();
  socket.resume();
  const sent = casts.map(({ hash }) => `0x${Buffer.from(hash).toString('hex')}`);
  await expect.poll(() => [client.events.length, received.length]).toEqual([sent.length, sent.length]);
  expect(client.events.map(({ data }) => data.hash)).toEqual(sent);
  expect(received).toEqual(sent);
  socket.terminate();
});

test('a WebSocket without a key is refused before it opens', async () => {
  const socket = new WebSocket(`${network.url.replace('http', 'ws')}${PATH}`);
  const status = await new Promise((resolve) =>
    socket.once('unexpected-response', (_request, response) => resolve(response.statusCode)),
  );
  socket.on('error', () => undefined);
  socket.terminate();
  expect(status).toBe(401);
});

test('requests that offer HTTP/2 keep their body, and other routes answer a WebSocket as always', async () => {
  const offer = { 'x-api-key': network.apiKey, connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c' };
  const status = await new Promise((resolve, reject) => {
    const headers = { ...offer, 'content-type': 'application/json', 'http2-settings': 'AAMAAABkAAQAAP__' };
    const asked = request(`${network.url}/v2/social/mute/`, { method: 'POST', headers }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode));
    });
    asked.once('error', reject).end(JSON.stringify({ fid: FIDS.grace, muted_fid: FIDS.heidi }));
  });
  expect(status).toBe(200);
  const socket = new WebSocket(`${network.url.replace('http', 'ws')}/v2/social/user/bulk/?fids=1`, {
    headers: { 'x-api-key': network.apiKey },
  });
  const refused = await new Promise((resolve) =>
    socket.once('unexpected-response', (_request, response) => resolve(response.statusCode)),
  );
  socket.on('error', () => undefined);
  socket.terminate();
  expect(refused).toBe(200);
});

test('a HEAD request opens no stream', async () => {
  const headers = { 'x-api-key': network.apiKey };
  const response = await fetch(`${network.url}${PATH}`, { method: 'HEAD', headers });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  expect(network.app.services.streams.size).toBe(0);
});

test.each([
  [{ types: 'cast.create' }, 400, 'types'],
  [{ subscription: '{' }, 400, 'subscription'],
  [{ subscription: '{}' }, 400, 'subscription'],
  [{ subscription: '[]' }, 400, 'subscription'],
  [
    { subscription: subscription({ 'cast.created': { author_fid: [3] } }) },
    400,
    'subscription.cast.created.author_fid',
  ],
  [{ subscription: subscription({ 'cast.created': { author_fids: '3' } }) }, 400, 'subscription'],
  [{ subscription: subscription({ 'cast.created': { text: '(' } }) }, 400, 'subscription.cast.created.text'],
  [{ subscription: subscription({ 'trade.created': { fid: [3] } }) }, 400, 'subscription.trade.created.fid'],
  [{ types: 'cast.created', subscription: ERIN }, 400, 'types'],
  [{ since: 'yesterday' }, 400, 'since'],
  [{ since: '-1' }, 400, 'since'],
  [{ since: '999999999-0' }, 400, 'since'],
  [{ ticket: 'x'.repeat(43) }, 401, 'ticket'],
] as const)('%j answers %i and names %s', async (query, status, property) => {
  const client = await stream(query);
  await client.closed;
  expect([client.status, JSON.parse(client.text)]).toMatchObject([status, { property }]);
});

test('an app gets nothing of accounts that it banned', async () => {
  const client = await stream({ types: 'cast.created' });
  await network.send('POST', '/v2/social/ban/', { fids: [FIDS.erin] });
  await castSome(2);
  await seeded.send(seeded.bob.cast({ text: 'by somebody else' }));
  await expect.poll(() => texts(client)).toEqual(['by somebody else']);
  await network.send('DELETE', '/v2/social/ban/', { fids: [FIDS.erin] });
});

test('what is older than what is kept answers 410, and says what is kept', async () => {
  const [first] = (await network.sql<{ id: number }>('select min(id)::integer as id from hub_event')) as [
    { id: number },
  ];
  await network.sql('update event_log_start set log_id = $1, at = (select at from hub_event where id = $1)', [
    first.id + 1,
  ]);
  for (const since of [`${first.id}-0`, '2020-01-01T00:00:00Z']) {
    const client = await stream({ since });
    await client.closed;
    expect([client.status, JSON.parse(client.text)]).toMatchObject([
      410,
      { code: 'Gone', property: 'since', message: expect.stringContaining(`after ${first.id + 1} `) },
    ]);
  }
  const all = await stream({ since: '0' });
  await expect.poll(() => all.events.length).toBeGreaterThan(0);
  expect(all.events.every(({ id }) => Number(id.split('-')[0]) > first.id + 1)).toBe(true);
  await network.sql('update event_log_start set log_id = 0, at = null');
});

test('a reader that breaks its connection is forgotten', async () => {
  await stream();
  await expect.poll(() => network.app.services.streams.size).toBe(1);
  const { hostname, port } = new URL(network.url);
  const raw = connect({ host: hostname, port: Number(port) });
  raw.write(`GET ${PATH} HTTP/1.1\r\nhost: ${hostname}\r\nx-api-key: ${network.apiKey}\r\n\r\n`);
  await expect.poll(() => network.app.services.streams.size).toBe(2);
  raw.resetAndDestroy();
  await expect.poll(() => network.app.services.streams.size).toBe(1);
});

test('a reader that leaves while its stream is being opened is forgotten', async () => {
  const { db, streams } = network.app.services;
  await expect.poll(() => streams.size).toBe(0);
  // The key is in the cache afterwards, so only the end of the log is looked up.
  await network.get('/v2/social/user/bulk/?fids=1');
  const { hostname, port } = new URL(network.url);
  await db.transaction(async (session) => {
    await session.run('lock table hub_event in access exclusive mode');
    const raw = connect({ host: hostname, port: Number(port) });
    raw.write(`GET ${PATH} HTTP/1.1\r\nhost: ${hostname}\r\nx-api-key: ${network.apiKey}\r\n\r\n`);
    // Until the request waits for the lock, and then until the service can know that the reader left.
    const { work, outside } = network.app.services.admission;
    await expect.poll(() => work.load.inWork + outside.load.inWork).toBe(1);
    raw.resetAndDestroy();
    await delay(100);
  });
  // Opened after it, so the database has answered both.
  await stream();
  await expect.poll(() => streams.size).toBe(1);
});
