import { randomUUID } from 'node:crypto';
import { createJsonFarcasterSignature } from '@farcaster/miniapp-node';
import { ed25519 } from '@noble/curves/ed25519';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeApp } from '../src/access/app.js';
import { DEFAULT_APP_ID } from '../src/access/key.js';
import { createSecondApp, keyWith } from './support/app.js';
import { type CampaignNetwork, EVENT_PATH, startCampaignNetwork } from './support/campaign.js';
import { hostUser } from './support/host-user.js';
import { type Network, startNetwork } from './support/network.js';
import { registerAccount, removeKey } from './support/signer.js';

const HOST = 9_152;
const URL = 'https://host.example/notify';
const TOKENS = '/v2/social/frame/notification_tokens/';
let nextFid = 40_000;
let world: CampaignNetwork;
let network: Network;
beforeAll(async () => {
  world = await startCampaignNetwork({
    CASTELLAN_RATE_LIMIT_PER_MINUTE: '200',
    CASTELLAN_TRUSTED_PROXIES: '127.0.0.1',
  });
  network = world.network;
});
afterAll(() => world.stop());

/** Sends as a host does: without a key. */
const post = async (event: unknown, path = EVENT_PATH, from = '198.51.100.1') => {
  const response = await fetch(`${network.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    body: typeof event === 'string' ? event : JSON.stringify(event),
  });
  return { status: response.status, body: (await response.json()) as { message?: string; property?: string } };
};
const user = (client = HOST) => hostUser(network, nextFid++, client);
const details = (token: string = randomUUID(), url = URL) => ({ notificationDetails: { url, token } });
const tokensOf = async (fid: number) => {
  const { status, body } = await network.get(`${TOKENS}?fids=${fid}`);
  expect(status).toBe(200);
  return body.notification_tokens as { token: string; status: string; url: string }[];
};
const statusOf = async (fid: number) => (await tokensOf(fid)).map(({ token, status }) => [token, status]);

test.each([
  ['miniapp_added', 'miniapp_removed'],
  ['frame_added', 'frame_removed'],
  ['notifications_enabled', 'notifications_disabled'],
])('%s brings a token, %s disables it', async (adds, removes) => {
  const { fid, sign } = await user();
  const event = { event: adds, ...details('first') };
  expect(await post(sign(event))).toEqual({ status: 200, body: { success: true } });
  expect(await tokensOf(fid)).toEqual([
    {
      object: 'notification_token',
      fid,
      url: URL,
      token: 'first',
      status: 'enabled',
      created_at: expect.any(String),
      updated_at: expect.any(String),
    },
  ]);
  expect((await post(sign({ event: removes }))).status).toBe(200);
  expect(await statusOf(fid)).toEqual([['first', 'disabled']]);
  expect((await post(sign({ event: adds, ...details('second') }))).status).toBe(200);
  expect(await statusOf(fid)).toEqual([['second', 'enabled']]);
});

test('a replayed event changes nothing, and an event without a token may come again', async () => {
  const { fid, sign } = await user();
  const [first, second] = [1, 2].map((n) => sign({ event: 'notifications_enabled', ...details(`replay ${n}`) }));
  const disabled = sign({ event: 'notifications_disabled' });
  await post(first);
  await post(disabled);
  expect(await post(first)).toEqual({ status: 200, body: { success: true } });
  expect(await statusOf(fid)).toEqual([['replay 1', 'disabled']]);
  await post(second);
  await post(first);
  expect(await statusOf(fid)).toEqual([['replay 2', 'enabled']]);
  // The bytes of an event without a token are always the same: the user switched off once more.
  await post(disabled);
  expect(await statusOf(fid)).toEqual([['replay 2', 'disabled']]);
  await post(second);
  expect(await statusOf(fid)).toEqual([['replay 2', 'disabled']]);
});

test('what is remembered of events is limited for each user', async () => {
  const { fid, sign } = await user();
  for (let n = 0; n < 40; n++) {
    const event = sign({ event: 'notifications_enabled', ...details(`many ${n}`) });
    expect((await post(event, EVENT_PATH, `203.0.113.${n}`)).status).toBe(200);
  }
  const [row] = await network.sql<{ n: number }>(
    'select cardinality(digests)::integer as n from mini_app_token where fid = $1',
    [fid],
  );
  expect(row?.n).toBe(32);
  expect(await statusOf(fid)).toEqual([['many 39', 'enabled']]);
});

test('a user has a token in each host', async () => {
  const fid = nextFid;
  const one = await user();
  nextFid = fid;
  const two = await user(HOST + 1);
  await post(one.sign({ event: 'miniapp_added', ...details('in one') }));
  await post(two.sign({ event: 'miniapp_added', ...details('in two', 'https://two.example/') }));
  await post(one.sign({ event: 'miniapp_removed' }));
  expect(await statusOf(fid)).toEqual([
    ['in one', 'disabled'],
    ['in two', 'enabled'],
  ]);
});

test('an added mini app without notifications has no token', async () => {
  const { fid, sign } = await user();
  expect((await post(sign({ event: 'miniapp_added' }))).status).toBe(200);
  expect((await post(sign({ event: 'notifications_disabled' }))).status).toBe(200);
  expect(await tokensOf(fid)).toEqual([]);
});

test('a notification token stays with the app that received it first', async () => {
  const other = await createSecondApp(network);
  await changeApp(network.app.core.db, { id: other.id, miniAppDomain: 'other.example', now: new Date() });
  const { fid, sign } = await user();
  const event = sign({ event: 'miniapp_added', ...details('of one app') });
  await post(event);
  expect(await post(event, `/f/app/${other.id}/event`)).toMatchObject({ status: 400, body: { property: 'payload' } });
  expect((await network.get(`${TOKENS}?fids=${fid}`, other.headers)).body.notification_tokens).toEqual([]);
});

test('only an active signer of the account signs for it', async () => {
  const { fid, sign } = await user();
  const event = { event: 'miniapp_added', ...details() };
  const signedBy = (privateKey: Uint8Array, of: number) =>
    createJsonFarcasterSignature({
      fid: of,
      type: 'app_key',
      privateKey,
      payload: Buffer.from(JSON.stringify(event)),
    });
  const own = ed25519.utils.randomPrivateKey();
  const foreign = await post(signedBy(own, fid));
  expect(foreign).toMatchObject({ status: 400, body: { property: 'header' } });
  expect(foreign.body.message).toContain(`no active signer of account ${fid}`);
  const unknown = await post(signedBy(own, 99_999_999));
  expect(unknown).toMatchObject({ status: 400, body: { property: 'header' } });
  expect(unknown.body.message).toContain('CASTELLAN_FIDS');
  const { header, payload } = sign(event);
  expect(await post({ ...sign({ event: 'miniapp_added', ...details() }), header, payload })).toMatchObject({
    status: 400,
    body: { property: 'signature' },
  });
  const key = JSON.parse(Buffer.from(header, 'base64url').toString()).key as string;
  await removeKey(network, fid, Buffer.from(key.slice(2), 'hex'));
  expect((await post(sign(event))).status).toBe(400);
  expect(await tokensOf(fid)).toEqual([]);
});

test('the custody address of a user does not speak for a host', async () => {
  const fid = nextFid++;
  const { account } = await registerAccount(network, fid);
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const header = part({ fid, type: 'custody', key: account.address });
  const payload = part({ event: 'miniapp_added', ...details() });
  const signed = await account.signMessage({ message: `${header}.${payload}` });
  const signature = Buffer.from(signed.slice(2), 'hex').toString('base64url');
  expect(await post({ header, payload, signature })).toMatchObject({ status: 400, body: { property: 'header' } });
});

test.each([
  ['an unknown event', { event: 'miniapp_loved' }],
  ['enabled without a token', { event: 'notifications_enabled' }],
  ['an empty token', { event: 'miniapp_added', ...details('') }],
  ['a long token', { event: 'miniapp_added', ...details('x'.repeat(513)) }],
  ['a private address', { event: 'miniapp_added', ...details('x', 'https://10.0.0.1/') }],
  ['an address without encryption', { event: 'miniapp_added', ...details('x', 'http://host.example/') }],
  ['no address', { event: 'miniapp_added', ...details('x', 'nowhere') }],
  ['an address with a password', { event: 'miniapp_added', ...details('x', 'https://a:b@host.example/') }],
])('%s is rejected', async (_what, event) => {
  const { fid, sign } = await user();
  expect(await post(sign(event))).toMatchObject({ status: 400, body: { property: 'payload' } });
  expect(await tokensOf(fid)).toEqual([]);
});

test('other bodies, large bodies and other addresses are rejected', async () => {
  const { sign } = await user();
  const event = sign({ event: 'miniapp_added', ...details() });
  expect(await post({ header: 'x' })).toMatchObject({ status: 400, body: { property: 'payload' } });
  expect(await post({ ...event, header: '!' })).toMatchObject({ status: 400, body: { property: 'header' } });
  expect(await post({ ...event, signature: '!' })).toMatchObject({ status: 400, body: { property: 'signature' } });
  expect((await post('{'.repeat(10))).status).toBe(400);
  expect((await post({ ...event, more: 'x'.repeat(16 * 1024) })).status).toBe(413);
  expect((await post(event, `/f/app/${randomUUID()}/event`)).status).toBe(404);
  expect(await post(event, '/f/app/none/event')).toMatchObject({ status: 400, body: { property: 'app_id' } });
});

test('only events over loopback are taken in development', async () => {
  const closed = await startNetwork();
  try {
    await changeApp(closed.app.core.db, { id: DEFAULT_APP_ID, miniAppDomain: 'app.example', now: new Date() });
    const { sign } = await hostUser(closed, 5, HOST);
    const event = sign({ event: 'miniapp_added', ...details('x', 'http://127.0.0.1:9/') });
    expect(await closed.send('POST', EVENT_PATH, event)).toMatchObject({ status: 400, body: { property: 'payload' } });
  } finally {
    await closed.stop();
  }
});

test('requests of one address are limited', async () => {
  let last = 200;
  let count = 0;
  while (last !== 429 && count < 300) {
    last = (await post({ header: 'x' }, EVENT_PATH, '198.51.100.77')).status;
    count += 1;
  }
  expect([count, last]).toEqual([201, 429]);
  expect((await post({ header: 'x' }, EVENT_PATH, '198.51.100.78')).status).toBe(400);
});

test('tokens come in pages in the same order, also while users change', async () => {
  const other = await createSecondApp(network);
  await changeApp(network.app.core.db, { id: other.id, miniAppDomain: 'paged.example', now: new Date() });
  const path = `/f/app/${other.id}/event`;
  const users = await Promise.all(Array.from({ length: 5 }, () => user()));
  for (const { sign } of users) await post(sign({ event: 'miniapp_added', ...details() }), path, '198.51.100.9');
  const seen: number[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { body } = await network.get(`${TOKENS}?limit=2${cursor && `&cursor=${cursor}`}`, other.headers);
    seen.push(...body.notification_tokens.map(({ fid }: { fid: number }) => fid));
    cursor = body.next.cursor;
    await post(users[0]?.sign({ event: 'miniapp_added', ...details() }), path, '198.51.100.9');
  }
  expect(seen).toEqual(users.map(({ fid }) => fid));
  expect((await network.get(`${TOKENS}?fids=${Array(101).fill(1)}`)).status).toBe(400);
  expect((await network.get(`${TOKENS}?limit=101`)).status).toBe(400);
  expect((await network.get(TOKENS, await keyWith(network, 'read'))).status).toBe(401);
});
