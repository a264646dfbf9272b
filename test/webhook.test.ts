import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { rotateSecret } from '../src/event/webhook/rotation.js';
import { createSecondApp, keyWith } from './support/app.js';
import { delay } from './support/delay.js';
import { type Network, startNetwork } from './support/network.js';
import { type Received, type Receiver, startReceiver } from './support/receiver.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';

let network: Network;
let seeded: Seeded;
/** Milliseconds by which the service's clock is ahead. */
let ahead = 0;
beforeAll(async () => {
  network = await startNetwork({ CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true' }, undefined, {
    clock: () => Date.now() + ahead,
  });
  seeded = await seedBasics((items) => network.app.core.ingest.submit(items, { source: 'hub', announce: true }));
});
afterAll(() => network.stop());

let receiver: Receiver;
let answer: (response: ServerResponse, request: Received) => void;
beforeEach(async () => {
  answer = (response) => void response.end();
  receiver = await startReceiver((request, response) => answer(response, request));
});
afterEach(async () => {
  for (const { webhook_id } of (await network.get('/v2/social/webhook/list/')).body.webhooks) {
    await network.send('DELETE', PATH, { webhook_id });
  }
  await receiver.stop();
});

const PATH = '/v2/social/webhook/';
const make = async (subscription: object, path = PATH, more: object = {}) => {
  const body = { name: 'a test', url: `${receiver.url}/hook`, subscription, ...more };
  const made = await network.send('POST', path, body);
  expect(made).toMatchObject({ status: 200, body: { success: true, webhook: { active: true } } });
  return made.body.webhook;
};
const bodies = () => receiver.received.map(({ body }) => JSON.parse(body));
const hmac = (key: string, body: string): string => createHmac('sha512', key).update(body).digest('hex');
const states = async (id: string): Promise<string[]> => {
  const rows = await network.app.core.db.run<{ state: string }>(
    'select state from webhook_delivery where webhook_id = $1 order by log_id, part',
    [id],
  );
  return rows.map(({ state }) => state);
};

test('a cast is sent as its page shows it, signed, under a stable delivery id', async () => {
  const webhook = await make({ 'cast.created': { author_fids: [FIDS.alice] } });
  const cast = seeded.alice.cast({ text: ['For ', FIDS.bob, ' 🍅'], embeds: ['https://news.example/a'] });
  await seeded.send(seeded.bob.cast({ text: 'not for the hook' }), cast);
  await expect.poll(bodies).toHaveLength(1);
  const [{ headers, body, method, path }] = receiver.received as [Received];
  expect([method, path, headers['content-type']]).toEqual(['POST', '/hook', 'application/json']);
  expect(headers['x-service-signature']).toBe(hmac(webhook.secrets[0].value, body));
  expect(headers['x-service-delivery']).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers['x-service-attempt']).toBe('1');
  const page = await network.get(`/v2/social/cast/?type=hash&identifier=0x${Buffer.from(cast.hash).toString('hex')}`);
  const event = JSON.parse(body);
  const data = { ...page.body.cast, event_timestamp: expect.stringMatching(/^\d{4}-.*Z$/) };
  expect(event).toEqual({ type: 'cast.created', created_at: event.created_at, data });
  expect(Math.abs(event.created_at - Date.now() / 1000)).toBeLessThan(60);
  await expect.poll(() => states(webhook.webhook_id)).toEqual(['delivered']);
});

test('the path that creates a webhook decides the dialect of its events', async () => {
  const filters = { 'follow.created': {}, 'follow.deleted': {} };
  const webhook = await make(filters, '/v2/farcaster/webhook/');
  await seeded.send(seeded.heidi.follow(FIDS.alice), seeded.heidi.unfollow(FIDS.alice));
  await expect.poll(bodies).toHaveLength(2);
  const sent = bodies().sort((a, b) => a.type.localeCompare(b.type));
  expect(sent).toMatchObject([
    { type: 'follow.created', data: { object: 'follow', user: { fid: FIDS.heidi }, target_user: { fid: FIDS.alice } } },
    { type: 'follow.deleted', data: { object: 'unfollow', user: { fid: FIDS.heidi } } },
  ]);
  const [{ headers, body }] = receiver.received as [Received];
  expect(headers['x-neynar-signature']).toBe(hmac(webhook.secrets[0].value, body));
  expect(headers['x-service-signature']).toBeUndefined();
});

test('changes of a profile within five seconds are one event', async () => {
  await make({ 'user.updated': { fids: [FIDS.carol] }, 'cast.created': { author_fids: [FIDS.carol] } });
  await seeded.send(seeded.carol.userData(2, 'Carol C.'), seeded.carol.userData(3, 'Reads and writes'));
  await seeded.send(seeded.carol.cast({ text: 'later in the log, and told first' }));
  await expect.poll(bodies).toMatchObject([{ type: 'cast.created' }]);
  ahead += 6_000;
  await expect.poll(bodies).toHaveLength(2);
  expect(bodies().slice(1)).toMatchObject([
    { type: 'user.updated', data: { display_name: 'Carol C.', profile: { bio: { text: 'Reads and writes' } } } },
  ]);
});

test('rows of the log that cannot be decoded or shown hold up nothing', async () => {
  await make({ 'cast.created': { author_fids: [FIDS.erin, FIDS.grace] } });
  await network.sql("update account set registered_at = 'infinity' where fid = $1", [FIDS.grace]);
  await network.sql("insert into hub_event (fid, type, body) values (1, 1, '\\x0fff')");
  await seeded.send(seeded.grace.cast({ text: 'cannot be shown' }), seeded.erin.cast({ text: 'comes through' }));
  await expect.poll(bodies).toHaveLength(1);
  expect(bodies()[0].data.text).toBe('comes through');
  await network.sql('update account set registered_at = now() where fid = $1', [FIDS.grace]);
});

test('a failed delivery is tried again with the same bytes, 4xx too', async () => {
  const webhook = await make({ 'reaction.created': { target_fids: [FIDS.alice] } });
  answer = (response) => void response.writeHead(receiver.received.length === 1 ? 404 : 200).end();
  await seeded.send(seeded.grace.react('like', seeded.casts.hello));
  await expect.poll(bodies).toHaveLength(1);
  await expect.poll(() => attemptsOf(webhook.webhook_id)).toEqual([1]);
  expect(await states(webhook.webhook_id)).toEqual(['pending']);
  ahead += 13_000;
  await expect.poll(() => states(webhook.webhook_id)).toEqual(['delivered']);
  const [first, second] = receiver.received as [Received, Received];
  expect(second.body).toBe(first.body);
  expect(second.headers['x-service-delivery']).toBe(first.headers['x-service-delivery']);
  expect([first, second].map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '2']);
});

const attemptsOf = async (id: string): Promise<number[]> => {
  const rows = await network.app.core.db.run<{ attempts: number }>(
    'select attempts from webhook_delivery where webhook_id = $1 order by log_id, part',
    [id],
  );
  return rows.map(({ attempts }) => attempts);
};

test('a new address is called as soon as it is set, also while events keep coming', async () => {
  const { webhook_id } = await make({ 'cast.created': { author_fids: [FIDS.bob] } });
  answer = (response) => void setTimeout(() => response.end(), 300);
  let isOver = false;
  const casting = (async () => {
    while (!isOver) {
      await seeded.send(seeded.bob.cast({ text: 'one of many' }));
      await delay(50);
    }
  })();
  await expect.poll(() => receiver.received.length).toBeGreaterThan(20);
  await network.send('PUT', PATH, {
    webhook_id,
    name: 'moved',
    url: `${receiver.url}/new`,
    subscription: { 'cast.created': { author_fids: [FIDS.bob] } },
  });
  await expect
    .poll(() => new Set(receiver.received.slice(-10).map(({ path }) => path)))
    .toEqual(new Set(['/new']))
    .finally(() => {
      isOver = true;
    });
  await casting;
});

test('a 410 from the former URL does not switch a moved webhook off', async () => {
  const { webhook_id } = await make({ 'cast.created': { author_fids: [FIDS.bob] } });
  const { db } = network.app.core;
  let end: (() => void) | undefined;
  answer = (response) => {
    end = () => void response.writeHead(410).end();
  };
  const failing = async () => {
    const [row] = await db.run<{ since: Date | null }>('select failing_since as since from webhook where id = $1', [
      webhook_id,
    ]);
    return row?.since;
  };
  await db.run('update webhook set failing_since = now() where id = $1', [webhook_id]);
  await seeded.send(seeded.bob.cast({ text: 'to the old address' }));
  await expect.poll(() => end).toBeDefined();
  await network.send('PUT', PATH, { webhook_id, name: 'a test', url: `${receiver.url}/hook` });
  expect(await failing()).toBeInstanceOf(Date);
  await network.send('PUT', PATH, { webhook_id, name: 'moved', url: `${receiver.url}/new` });
  expect(await failing()).toBeNull();
  end?.();
  await expect.poll(() => attemptsOf(webhook_id)).toEqual([1]);
  // If the webhook had been switched off, this would be given up.
  answer = (response) => void response.end();
  ahead += 13_000;
  await expect.poll(() => states(webhook_id)).toEqual(['delivered']);
  const { body } = await network.get(`${PATH}?webhook_id=${webhook_id}`);
  expect(body.webhook).toMatchObject({ active: true });
});

test('what fails for a day is given up, and a receiver that fails for three days is called no more', async () => {
  const webhook = await make({ 'cast.created': { author_fids: [FIDS.dan] } });
  answer = (response) => void response.writeHead(500).end();
  await seeded.send(seeded.dan.cast({ text: 'to nobody' }));
  await expect.poll(() => attemptsOf(webhook.webhook_id)).toEqual([1]);
  ahead += 25 * 3_600_000;
  await expect.poll(() => states(webhook.webhook_id)).toEqual(['dead']);
  ahead += 48 * 3_600_000;
  await seeded.send(seeded.dan.cast({ text: 'to nobody again' }));
  await expect.poll(() => states(webhook.webhook_id)).toEqual(['dead', 'dead']);
  const { body } = await network.get(`${PATH}?webhook_id=${webhook.webhook_id}`);
  expect(body.webhook).toMatchObject({ active: false, description: expect.stringContaining('three days') });
});

test('a webhook that is switched off is told nothing, and not afterwards either', async () => {
  const { webhook_id } = await make({ 'cast.created': {} });
  const off = await network.send('PATCH', PATH, { webhook_id, active: 'false' });
  expect(off.body.webhook.active).toBe(false);
  await seeded.send(seeded.erin.cast({ text: 'while it was off' }));
  await network.send('PATCH', PATH, { webhook_id, active: 'true' });
  await seeded.send(seeded.erin.cast({ text: 'while it was on' }));
  await expect.poll(bodies).toHaveLength(1);
  expect(bodies()[0].data.text).toBe('while it was on');
});

test('accounts that the app banned are in no event of it', async () => {
  await make({ 'cast.created': {} });
  await network.send('POST', '/v2/social/ban/', { fids: [FIDS.frank] });
  await seeded.send(seeded.frank.cast({ text: 'banned' }), seeded.erin.cast({ text: 'not banned' }));
  await expect.poll(bodies).toHaveLength(1);
  expect(bodies()[0].data.text).toBe('not banned');
  await network.send('DELETE', '/v2/social/ban/', { fids: [FIDS.frank] });
});

const attempts = async (id: string, more = '') =>
  (await network.get(`${PATH}deliveries/?webhook_id=${id}${more}`)).body;

test('attempts are listed, and events are sent again under their id, with their bytes', async () => {
  const { webhook_id } = await make({ 'cast.created': { author_fids: [FIDS.grace] } });
  await seeded.send(...['one', 'two', 'three'].map((text) => seeded.grace.cast({ text })));
  await expect.poll(() => states(webhook_id)).toEqual(['delivered', 'delivered', 'delivered']);
  const first = await attempts(webhook_id, '&limit=2');
  expect(first.attempts).toHaveLength(2);
  const rest = await attempts(webhook_id, `&limit=2&cursor=${first.next.cursor}`);
  const all = [...first.attempts, ...rest.attempts];
  expect(all).toHaveLength(3);
  expect(all).toMatchObject(all.map(() => ({ type: 'cast.created', attempt: 1, status: 200, error: null })));
  expect(rest.next.cursor).toBeNull();
  const sent = receiver.received.map(({ body }) => body);
  const [second] = [...receiver.received].filter(({ body }) => body.includes('"text":"two"')) as [Received];
  const from_event_id = second.headers['x-service-event-id'];
  const replay = await network.send('POST', `${PATH}replay/`, { webhook_id, from_event_id });
  expect(replay.body).toMatchObject({ success: true, count: 2, next_event_id: null });
  await expect.poll(() => receiver.received.length).toBe(5);
  const again = receiver.received.slice(3);
  expect(again.every(({ body }) => sent.includes(body))).toBe(true);
  expect(again.map(({ headers }) => headers['x-service-delivery'])).toContain(second.headers['x-service-delivery']);
});

test('a replay renders events that had no delivery, and those that were given up are sent on request', async () => {
  const from_time = new Date(Date.now() - 1_000).toISOString();
  await seeded.send(seeded.heidi.cast({ text: 'before the webhook' }));
  const { webhook_id } = await make({ 'cast.created': { author_fids: [FIDS.heidi] } });
  answer = (response) => void response.writeHead(503).end();
  const replay = await network.send('POST', `${PATH}replay/`, { webhook_id, from_time });
  expect(replay.body).toMatchObject({ count: 1 });
  await expect.poll(() => attemptsOf(webhook_id)).toEqual([1]);
  ahead += 25 * 3_600_000;
  await expect.poll(() => states(webhook_id)).toEqual(['dead']);
  answer = (response) => void response.end();
  expect((await network.send('POST', `${PATH}replay/`, { webhook_id, failed: true })).body.count).toBe(1);
  await expect.poll(() => states(webhook_id)).toEqual(['delivered']);
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  for (const body of [{}, { failed: true, from_time }, { from_event_id: 'x' }]) {
    const wrong = await network.send('POST', `${PATH}replay/`, { webhook_id, ...body });
    expect(wrong).toMatchObject({ status: 400, body: { property: 'from_event_id' } });
  }
});

test('a replay sends each change of a profile that was an event of its own', async () => {
  const { webhook_id } = await make({ 'user.updated': { fids: [FIDS.heidi] } });
  const ids = () => receiver.received.map(({ headers }) => headers['x-service-event-id']);
  for (const [index, name] of ['Heidi A.', 'Heidi B.'].entries()) {
    // The log has the time of the database.
    await network.sql("update hub_event set at = at - interval '1 minute'");
    await seeded.send(seeded.heidi.userData(2, name));
    ahead += 6_000;
    await expect.poll(ids).toHaveLength(index + 1);
  }
  const sent = ids() as [string, string];
  const { body } = await network.send('POST', `${PATH}replay/`, { webhook_id, from_event_id: sent[0] });
  expect(body.count).toBe(2);
  await expect.poll(ids).toHaveLength(4);
  expect(ids().slice(2).sort()).toEqual(sent.sort());
});

test('a sample of each event is sent at once, signed', async () => {
  const { webhook_id, secrets } = await make({});
  const types = ['cast', 'user', 'follow', 'reaction'].flatMap((what) =>
    what === 'user' ? ['user.created', 'user.updated'] : [`${what}.created`, `${what}.deleted`],
  );
  for (const type of types) {
    const { body } = await network.send('POST', `${PATH}test/`, { webhook_id, type });
    expect(body).toMatchObject({ success: true, status: 200, error: null });
    const { headers, body: sent } = receiver.received.at(-1) as Received;
    expect(sent).toBe(body.body);
    expect(JSON.parse(sent)).toMatchObject({ type });
    expect(headers['x-service-signature']).toBe(hmac(secrets[0].value, sent));
  }
  answer = (response) => void response.writeHead(418).end();
  const failed = await network.send('POST', `${PATH}test/`, { webhook_id, type: 'cast.created' });
  expect(failed.body).toMatchObject({ success: false, status: 418, error: expect.stringContaining('418') });
});

test('a webhook tells why it matches a cast or not', async () => {
  const subscription = {
    'cast.created': { mentioned_fids: [FIDS.bob], text: 'potato', exclude_author_fids: [FIDS.dan] },
  };
  const { webhook_id } = await make(subscription);
  const ask = async (cast: { readonly hash: Uint8Array }) =>
    (await network.get(`${PATH}match/?webhook_id=${webhook_id}&hash=0x${Buffer.from(cast.hash).toString('hex')}`)).body;
  expect(await ask(seeded.casts.hello)).toMatchObject({
    matches: true,
    reason: expect.stringContaining('mentioned_fids'),
    checks: expect.arrayContaining([
      expect.objectContaining({ filter: 'mentioned_fids', kind: 'alternative', matches: true }),
      expect.objectContaining({ filter: 'text', kind: 'alternative', matches: false }),
      expect.objectContaining({ filter: 'exclude_author_fids', kind: 'condition', matches: true }),
    ]),
  });
  expect(await ask(seeded.casts.emoji)).toMatchObject({ matches: false, reason: expect.stringContaining('excluded') });
  expect(await ask(seeded.casts.reply)).toMatchObject({ matches: false });
  const unknown = await network.get(`${PATH}match/?webhook_id=${webhook_id}&hash=0x${'00'.repeat(20)}`);
  expect(unknown.status).toBe(404);
});

test('the event of a deleted cast shows what it was', async () => {
  await make({ 'cast.deleted': { root_parent_urls: ['https://channel.example/~/channel/garden'], text: '@alice' } });
  const reply = seeded.heidi.cast({
    text: ['Dear ', FIDS.alice],
    parent: seeded.casts.channel,
    embeds: ['https://news.example/b', seeded.casts.hello],
  });
  await seeded.send(reply, seeded.heidi.removeCast(reply.hash));
  await expect.poll(bodies).toHaveLength(1);
  expect(bodies()[0]).toMatchObject({
    type: 'cast.deleted',
    data: {
      text: 'Dear @alice',
      author: { fid: FIDS.heidi },
      parent_hash: `0x${Buffer.from(seeded.casts.channel.hash).toString('hex')}`,
      root_parent_url: 'https://channel.example/~/channel/garden',
      mentioned_profiles: [{ fid: FIDS.alice }],
      embeds: [{ url: 'https://news.example/b' }, { cast: { author: { fid: FIDS.alice } } }],
    },
  });
});

test('after a rotation the old secret signs for a day, and the new one beside it', async () => {
  const { webhook_id, secrets } = await make({});
  const { core } = network.app;
  const added = await rotateSecret(core.db, network.config.masterKey, webhook_id, new Date(Date.now() + ahead));
  const send = async (): Promise<Received> => {
    await network.send('POST', `${PATH}test/`, { webhook_id, type: 'user.updated' });
    return receiver.received.at(-1) as Received;
  };
  const during = await send();
  expect(during.headers['x-service-signature']).toBe(hmac(secrets[0].value, during.body));
  expect(during.headers['x-service-signature-next']).toBe(hmac(added.value, during.body));
  ahead += 25 * 3_600_000;
  const after = await send();
  expect(after.headers['x-service-signature']).toBe(hmac(added.value, after.body));
  expect(after.headers['x-service-signature-next']).toBeUndefined();
});

test('webhooks are read, replaced, listed and deleted by their app alone', async () => {
  const made = await make({ 'cast.created': { text: '(?i)tomato', parent_hashes: ['AB'.repeat(20)] } });
  const filters = { 'cast.created': { text: '(?i)tomato', parent_hashes: [`0x${'ab'.repeat(20)}`] } };
  expect(made.subscription.filters).toEqual(filters);
  const { webhook_id } = made;
  expect((await network.get(`${PATH}?webhook_id=${webhook_id}`)).body.webhook).toEqual(made);
  const other = await createSecondApp(network);
  expect((await network.get(`${PATH}?webhook_id=${webhook_id}`, other.headers)).status).toBe(404);
  expect((await network.get(`${PATH}list/`, other.headers)).body).toEqual({ webhooks: [] });
  const url = `${receiver.url}/other`;
  const replaced = await network.send('PUT', PATH, { webhook_id, name: 'new', url });
  expect(replaced.body.webhook).toMatchObject({ title: 'new', target_url: url, secrets: made.secrets });
  expect(replaced.body.webhook.subscription.filters).toEqual({});
  const deleted = await network.send('DELETE', PATH, { webhook_id });
  expect(deleted.body.webhook.deleted_at).toMatch(/Z$/);
  expect((await network.send('DELETE', PATH, { webhook_id })).status).toBe(404);
  expect((await network.send('PUT', PATH, { webhook_id, name: 'new', url })).status).toBe(404);
  expect((await network.send('PATCH', PATH, { webhook_id, active: 'true' })).status).toBe(404);
});

test.each([
  ['url', { url: 'ftp://a.example/' }],
  ['url', { url: 'https://user:pass@a.example/' }],
  ['url', { url: 'https://10.0.0.1/' }],
  ['url', { url: `https://a.example/${'x'.repeat(2048)}` }],
  ['url', { url: 'no address' }],
  ['name', { name: ' ' }],
  ['subscription.cast.made', { subscription: { 'cast.made': {} } }],
  ['subscription.cast.created.authors', { subscription: { 'cast.created': { authors: [1] } } }],
  ['subscription.cast.created.text', { subscription: { 'cast.created': { text: '(' } } }],
])('a faulty %s is told', async (property, more) => {
  const body = { name: 'a test', url: 'https://a.example/hook', ...more };
  expect(await network.send('POST', PATH, body)).toMatchObject({ status: 400, body: { property } });
});

test('a key needs the scope webhook', async () => {
  const headers = await keyWith(network, 'read', 'write');
  expect((await network.get(`${PATH}list/`, headers)).status).toBeGreaterThanOrEqual(401);
});
