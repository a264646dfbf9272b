import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { sendNotificationResponseSchema } from '@farcaster/miniapp-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { changeApp, makeApp } from '../src/access/app.js';
import { DEFAULT_APP_ID } from '../src/access/key.js';
import { MasterKey } from '../src/config/secret.js';
import { createLog } from '../src/log.js';
import { signBody } from '../src/miniapp/host-webhook.js';
import { selectOtherKeySealCount } from '../src/store/access/sealed-column.js';
import { resealSecrets } from '../src/store/access/secret-rotation.js';
import { insertHostPushes, selectHostPushes, updateHostPushesDue } from '../src/store/miniapp/push.js';
import { selectAppsWithWebhook } from '../src/store/miniapp/webhook.js';
import { startSecondService } from './support/app.js';
import { type MiniApp, startMiniApp } from './support/mini-app.js';
import { type Network, startNetwork } from './support/network.js';
import { type Received, type Receiver, startReceiver } from './support/receiver.js';
import { approvedSigner, registerAccount } from './support/signer.js';

const OWNER = 8_801;
const UNKNOWN = '00000000-0000-4000-8000-00000000abcd';
const DAY_MS = 86_400_000;
let nextFid = 8_900;
let network: Network;
let miniApp: MiniApp;
const lines: string[] = [];
beforeAll(async () => {
  const log = createLog('trace', { write: (line) => lines.push(line) });
  network = await startNetwork({ CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true' }, log, { timings: { pollMs: 100 } });
  miniApp = await startMiniApp(network, OWNER);
});
afterAll(async () => {
  await miniApp.stop();
  await network.stop();
});

/** The host app's own server, and what it answers. */
let host: Receiver;
let answer: (response: ServerResponse, request: Received) => void;
let secret: string;
beforeEach(async () => {
  answer = (response) => void response.end();
  host = await startReceiver((request, response) => answer(response, request));
  secret = await setWebhook(`${host.url}/hook`);
});
afterEach(async () => {
  await setWebhook(null);
  await host.stop();
});

const db = () => network.app.core.db;
const now = () => new Date();
const run = (sql: string, params: (string | number | Date)[] = []) => db().run<Record<string, unknown>>(sql, params);
const setWebhook = async (url: string | null, id = DEFAULT_APP_ID): Promise<string> => {
  const webhook = url === null ? null : { url, masterKey: network.config.masterKey };
  return (await changeApp(db(), { id, webhook, now: now() })).webhookSecret ?? '';
};
const waiting = () => selectHostPushes(db(), 'pending', 500);
const dead = () => selectHostPushes(db(), 'dead', 500);
const tryAgain = (id?: string) =>
  updateHostPushesDue(db(), id, { now: now(), expiresAt: new Date(Date.now() + DAY_MS) });
const pushed = (receiver = host) => receiver.received.map(({ body }) => JSON.parse(body));

/** @returns the token of a user whose notifications are on. */
const enabledUser = async (): Promise<{ fid: number; token: string }> => {
  const fid = nextFid++;
  await registerAccount(network, fid);
  const { uuid } = await approvedSigner(network, fid);
  const body = { signer_uuid: uuid, fid, event: 'notifications_enabled', app_domain: miniApp.domain };
  expect((await network.send('POST', '/v2/social/app_host/user/event/', body)).status).toBe(200);
  return { fid, token: miniApp.heard.at(-1)?.event.notificationDetails?.token as string };
};
const notify = async (tokens: readonly string[], more: object = {}) => {
  const { body } = await network.send('POST', '/v2/social/app_host/notify/', {
    notificationId: 'one',
    title: 'Hello',
    body: 'Zażółć 🍅',
    targetUrl: `http://${miniApp.domain}/thing`,
    tokens,
    ...more,
  });
  return sendNotificationResponseSchema.parse(body).result;
};
const hmac = (key: string, body: string): string => createHmac('sha512', key).update(body, 'utf8').digest('hex');

test('a notification is pushed once, signed, with the content of the list', async () => {
  const { fid, token } = await enabledUser();
  expect((await notify([token])).successfulTokens).toEqual([token]);
  expect((await notify([token], { title: 'Again' })).successfulTokens).toEqual([token]);
  await expect.poll(waiting).toEqual([]);
  expect(host.received).toMatchObject([
    { method: 'POST', path: '/hook', headers: { 'content-type': 'application/json' } },
  ]);
  const [{ body, headers }] = host.received as [Received];
  expect(secret).toMatch(/^whs_[\w-]{43}$/);
  expect(headers['x-service-signature']).toBe(hmac(secret, body));
  const list = await network.get(`/v2/social/app_host/user/notifications/?fid=${fid}`);
  const { delivery_id, ...rest } = JSON.parse(body);
  expect(delivery_id).toMatch(/^[0-9a-f-]{36}$/);
  expect(rest).toEqual({ fid, ...list.body.notifications[0] });
  expect(rest).toMatchObject({ title: 'Hello', body: 'Zażółć 🍅', domain: miniApp.domain });
});

test('the sender of a notification does not wait for the push', async () => {
  const { token } = await enabledUser();
  let held: ServerResponse | undefined;
  answer = (response) => {
    held = response;
  };
  expect((await notify([token])).successfulTokens).toEqual([token]);
  await expect.poll(() => held).toBeDefined();
  expect(await waiting()).toHaveLength(1);
  held?.end();
  await expect.poll(waiting).toEqual([]);
});

test('a failed push is retried under its own id and expires after a day', async () => {
  const { fid, token } = await enabledUser();
  answer = (response) => void response.writeHead(503).end();
  await notify([token]);
  await expect.poll(async () => (await waiting())[0]?.attempts).toBe(1);
  const [first] = await waiting();
  expect(first).toMatchObject({ fid, domain: miniApp.domain, failure: expect.stringContaining('answered 503') });
  const delay = (first?.nextAt.getTime() ?? 0) - Date.now();
  expect(delay).toBeGreaterThan(5_000);
  expect(delay).toBeLessThan(12_100);
  await tryAgain(first?.id);
  await expect.poll(async () => (await waiting())[0]?.attempts).toBe(2);
  expect(((await waiting())[0]?.nextAt.getTime() ?? 0) - Date.now()).toBeGreaterThan(10_000);
  await run("update host_push set expires_at = now(), next_at = now() - interval '1 second'");
  await expect.poll(dead).toMatchObject([{ id: first?.id, attempts: 3 }]);
  answer = (response) => void response.writeHead(204).end();
  expect(await tryAgain()).toBe(1);
  await expect.poll(async () => [...(await waiting()), ...(await dead())]).toEqual([]);
  expect(pushed().map(({ delivery_id }) => delivery_id)).toEqual(Array(4).fill(first?.id));
  expect(new Set(host.received.map(({ body }) => body)).size).toBe(1);
});

test('a push that is retried by hand during an attempt is sent again when the attempt fails', async () => {
  const { token } = await enabledUser();
  answer = (response) => void response.writeHead(503).end();
  await notify([token]);
  await expect.poll(async () => (await waiting())[0]?.attempts).toBe(1);
  // The next delay would be an hour.
  await run('update host_push set attempts = 10');
  const [push] = await waiting();
  let held: ServerResponse | undefined;
  answer = (response) => {
    held = response;
  };
  await tryAgain(push?.id);
  await expect.poll(() => held).toBeDefined();
  answer = (response) => void response.end();
  await tryAgain(push?.id);
  held?.writeHead(503).end();
  await expect.poll(waiting).toEqual([]);
});

test.each([
  ['a redirect', 302],
  ['a refusal', 410],
])('%s counts as a failure', async (_name, status) => {
  const { token } = await enabledUser();
  answer = (response) => void response.writeHead(status, { location: `${host.url}/elsewhere` }).end();
  await notify([token]);
  await expect.poll(async () => (await waiting())[0]?.failure).toContain(`answered ${status}`);
  expect(host.received).toHaveLength(1);
});

test('without a webhook nothing is queued; deleting it deletes pending pushes', async () => {
  const { token } = await enabledUser();
  answer = (response) => void response.writeHead(503).end();
  await notify([token]);
  await expect.poll(async () => (await waiting())[0]?.attempts).toBe(1);
  await setWebhook(null);
  expect(await waiting()).toEqual([]);
  const other = await enabledUser();
  expect((await notify([other.token])).successfulTokens).toHaveLength(1);
  expect(await waiting()).toEqual([]);
  expect(host.received).toHaveLength(1);
});

const blocked = () =>
  db().run(`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);

test('a webhook cannot be deleted between its lookup and the insertion of a push', async () => {
  let cleared = false;
  let clearing: Promise<unknown> = Promise.resolve();
  await db().transaction(async (session) => {
    expect(await selectAppsWithWebhook(session, [DEFAULT_APP_ID, UNKNOWN])).toEqual(new Set([DEFAULT_APP_ID]));
    clearing = setWebhook(null).then(() => {
      cleared = true;
    });
    // An embedded database has one connection, so nothing can be done there before the transaction ends.
    if (process.env.TEST_DATABASE_URL !== undefined) await expect.poll(blocked).toHaveLength(1);
    const row = { id: UNKNOWN, appId: DEFAULT_APP_ID, fid: 1, domain: 'a.example', body: '{}' };
    await insertHostPushes(session, [row], { now: now(), expiresAt: now() });
    expect(cleared).toBe(false);
  });
  await clearing;
  expect(await waiting()).toEqual([]);
});

test('a new webhook gets pending pushes, signed with its own secret', async () => {
  const { token } = await enabledUser();
  answer = (response) => void response.writeHead(503).end();
  await notify([token]);
  await expect.poll(async () => (await waiting())[0]?.attempts).toBe(1);
  const next = await startReceiver();
  try {
    const fresh = await setWebhook(`${next.url}/other`);
    expect(fresh).not.toBe(secret);
    await tryAgain((await waiting())[0]?.id);
    await expect.poll(() => next.received.length).toBe(1);
    const [{ path, headers, body }] = next.received as [Received];
    expect([path, headers['x-service-signature']]).toEqual(['/other', hmac(fresh, body)]);
    await expect.poll(waiting).toEqual([]);
  } finally {
    await next.stop();
  }
});

test('a slow host app does not delay the others', async () => {
  const slow = await startReceiver(() => undefined);
  const { app } = await makeApp(db(), {
    name: 'slow',
    webhook: { url: slow.url, masterKey: network.config.masterKey },
    now: now(),
  });
  try {
    await run(
      `insert into host_push (id, app_id, fid, domain, body, state, next_at, expires_at, created_at)
       select gen_random_uuid(), $1, 1, 'a.example', '{}', 'pending', now(), now() + interval '1 day', now()
         from generate_series(1, 40)`,
      [app.id],
    );
    await expect.poll(() => slow.received.length).toBe(8);
    const { token } = await enabledUser();
    const began = performance.now();
    await notify([token]);
    await expect.poll(() => host.received.length).toBe(1);
    expect(performance.now() - began).toBeLessThan(8_000);
    expect(slow.received).toHaveLength(8);
  } finally {
    await setWebhook(null, app.id);
    await slow.stop();
  }
});

test.runIf(process.env.TEST_DATABASE_URL)('two processes push each notification once', async () => {
  const second = await startSecondService(network);
  try {
    const users: Awaited<ReturnType<typeof enabledUser>>[] = [];
    while (users.length < 12) users.push(await enabledUser());
    const tokens = users.map(({ token }) => token);
    await notify(tokens);
    await expect.poll(waiting).toEqual([]);
    const fids = pushed().map(({ fid }) => fid);
    expect(fids.sort()).toEqual(users.map(({ fid }) => fid).sort());
  } finally {
    await second.stop();
  }
});

test('the webhook secret is re-encrypted with a new master key and is not logged', async () => {
  const old = network.config.masterKey;
  const fresh = MasterKey.parse(MasterKey.generate()) as MasterKey;
  const { token } = await enabledUser();
  await notify([token]);
  await expect.poll(waiting).toEqual([]);
  const before = await selectOtherKeySealCount(db(), [fresh.id]);
  const [{ signers }] = (await run('select count(*)::integer as signers from managed_signer')) as [{ signers: number }];
  expect(before).toBe(signers + 1);
  const progress = { progress: () => undefined, signal: new AbortController().signal };
  const read = async () =>
    (await run('select sealed_secret from host_webhook where app_id = $1', [DEFAULT_APP_ID]))[0]
      ?.sealed_secret as Buffer;
  expect(await resealSecrets(db(), fresh.following(old), progress)).toBe(before);
  expect(await selectOtherKeySealCount(db(), [fresh.id])).toBe(0);
  const signed = { appId: DEFAULT_APP_ID, sealedSecret: await read(), body: 'x' };
  expect(signBody(fresh, signed)).toBe(hmac(secret, 'x'));
  // This service does not know the new key: what it cannot sign is not sent, and says why.
  await run('update host_token set last_at = null');
  await notify([token], { notificationId: 'two' });
  await expect.poll(async () => (await waiting())[0]?.failure).toContain('does not open');
  await resealSecrets(db(), old.following(fresh), progress);
  await tryAgain((await waiting())[0]?.id);
  await expect.poll(waiting).toEqual([]);
  expect(host.received).toHaveLength(2);
  const logged = lines.join('');
  for (const text of [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64')]) {
    expect(logged.includes(text)).toBe(false);
  }
  expect(logged.length).toBeGreaterThan(0);
});

test.each(['ftp://a.example/', 'https://10.0.0.1/hook', 'https://me:pw@a.example/', 'nowhere', 'http://a.example/'])(
  'a webhook at %s is refused',
  async (url) => {
    await expect(setWebhook(url)).rejects.toMatchObject({ kind: 'invalid', property: 'notification_webhook' });
    await expect(
      makeApp(db(), { name: 'x', webhook: { url, masterKey: network.config.masterKey }, now: now() }),
    ).rejects.toMatchObject({ kind: 'invalid' });
    expect(await run("select from app where name = 'x'")).toEqual([]);
  },
);
