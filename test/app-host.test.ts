import { compact } from '@farcaster/jfs';
import { createJsonFarcasterSignature } from '@farcaster/miniapp-node';
import { ed25519 } from '@noble/curves/ed25519';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { updateHostDeliveriesDue } from '../src/store/miniapp/delivery.js';
import { hostUser } from './support/host-user.js';
import { type MiniApp, startMiniApp } from './support/mini-app.js';
import { type Network, startNetwork, type TestResponse } from './support/network.js';
import { approvedSigner, registerAccount } from './support/signer.js';

const HOST = 8_000;
const OWNER = 8_001;
let nextFid = 8_100;
let network: Network;
let miniApp: MiniApp;
beforeAll(async () => {
  network = await startNetwork({ CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true' }, undefined, {
    timings: { pollMs: 100 },
  });
  await run('update app set fid = $1', [HOST]);
});
afterAll(() => network.stop());
beforeEach(async () => {
  miniApp = await startMiniApp(network, OWNER);
});
afterEach(() => miniApp.stop());

const run = (sql: string, params: (string | number | Date)[] = []) =>
  network.app.core.db.run<Record<string, unknown>>(sql, params);

const newUser = ({ requestFid = HOST } = {}) => hostUser(network, nextFid++, requestFid);

const PATH = '/v2/social/app_host/user';
const eventFor = (fid: number, event: string, domain = miniApp.domain): Promise<TestResponse> =>
  network.get(`${PATH}/event/?app_domain=${domain}&fid=${fid}&event=${event}`);
const post = (body: object): Promise<TestResponse> =>
  network.send('POST', `${PATH}/event/`, { app_domain: miniApp.domain, ...body });
const enabled = async (fid: number): Promise<string[]> =>
  (await network.get(`${PATH}/state/?fid=${fid}`)).body.notifications_enabled.map(
    (one: { domain: string }) => one.domain,
  );
const hear = (app: MiniApp) => app.heard.map(({ fid, event }) => `${fid} ${event.event}`);

test('a host signs an event itself: it is delivered, its token works, and switching off disables the token', async () => {
  const { fid, sign } = await newUser();
  const built = await eventFor(fid, 'notifications_enabled');
  expect(built).toMatchObject({
    status: 200,
    body: {
      event: 'notifications_enabled',
      notificationDetails: {
        url: `${network.config.publicUrl}/v2/social/app_host/notify/`,
        token: expect.stringMatching(/^[\w-]{43}$/),
      },
    },
  });
  expect(await enabled(fid)).toEqual([]);
  expect(await post({ signed_message: compact(sign(built.body)) })).toMatchObject({
    status: 200,
    body: { success: true },
  });
  expect(miniApp.heard).toMatchObject([
    {
      fid,
      appFid: HOST,
      event: { event: 'notifications_enabled', notificationDetails: built.body.notificationDetails },
    },
  ]);
  expect(await enabled(fid)).toEqual([miniApp.domain]);
  const state = (await network.get(`${PATH}/state/?fid=${fid}`)).body.notifications_enabled[0];
  expect(state).toEqual({ domain: miniApp.domain, status: 'valid', updated_at: expect.stringMatching(/Z$/) });
  const off = await eventFor(fid, 'notifications_disabled');
  expect(off.body.notificationDetails).toBeUndefined();
  expect((await post({ signed_message: sign(off.body) })).status).toBe(200);
  expect(await enabled(fid)).toEqual([]);
  expect(hear(miniApp)).toEqual([`${fid} notifications_enabled`, `${fid} notifications_disabled`]);
  expect(await run('select hash from host_token where fid = $1', [fid])).toEqual([]);
});

test('the service signs for a host with the user’s signer', async () => {
  const fid = nextFid++;
  await registerAccount(network, fid);
  const { uuid } = await approvedSigner(network, fid);
  const send = (event: string) => post({ signer_uuid: uuid, fid, event });
  for (const event of ['frame_added', 'notifications_enabled', 'notifications_disabled', 'frame_removed']) {
    expect(await send(event)).toMatchObject({ status: 200, body: { success: true } });
  }
  const heard = ['miniapp_added', 'notifications_enabled', 'notifications_disabled', 'miniapp_removed'];
  expect(hear(miniApp)).toEqual(heard.map((one) => `${fid} ${one}`));
  // The newer names are the same events.
  for (const event of heard) expect(await send(event)).toMatchObject({ status: 200 });
  expect(hear(miniApp)).toEqual([...heard, ...heard].map((one) => `${fid} ${one}`));
  expect(await post({ signer_uuid: uuid, fid: fid + 1, event: 'frame_added' })).toMatchObject({
    status: 400,
    body: { property: 'fid' },
  });
});

test('a body must have one of the two forms; the error names what is missing', async () => {
  const fid = nextFid++;
  await registerAccount(network, fid);
  const { uuid } = await approvedSigner(network, fid);
  const unsigned = { signer_uuid: uuid, fid, event: 'frame_added' };
  const { fid: _, ...nobody } = unsigned;
  const cases: [object, string, string][] = [
    [{ ...unsigned, signed_message: 'a.b.c' }, 'event', 'event must be left out beside signed_message'],
    [{ signed_message: 'a.b.c', fid }, 'fid', 'fid must be left out beside signed_message'],
    [nobody, 'fid', 'fid is required'],
    [{ fid }, 'event', 'event is required'],
    [{}, 'body', 'the body must be one of {signed_message}, {event, fid, signer_uuid}'],
    [{ signed_message: 5 }, 'signed_message', 'signed_message must be a string or an object'],
    [{ signed_message: { header: 'a' } }, 'signed_message', 'signed_message.payload is required'],
  ];
  for (const [body, property, message] of cases) {
    expect(await post(body)).toMatchObject({
      status: 400,
      body: { property, message: expect.stringContaining(message) },
    });
  }
  expect(hear(miniApp)).toEqual([]);
});

test('concurrent requests for the same event create one event', async () => {
  const fid = nextFid++;
  await registerAccount(network, fid);
  const { uuid } = await approvedSigner(network, fid);
  const working = miniApp.answer;
  miniApp.answer = (response) => void setTimeout(() => response.end(), 500);
  const send = () => post({ signer_uuid: uuid, fid, event: 'frame_added' });
  const answers = await Promise.all(Array.from({ length: 5 }, send));
  miniApp.answer = working;
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 502, 502, 502, 502]);
  expect(miniApp.heard).toHaveLength(1);
  expect(await run('select state from host_delivery where fid = $1', [fid])).toEqual([{ state: 'delivered' }]);
});

test('a mini app has one token per user, the latest', async () => {
  const { fid, sign } = await newUser();
  for (let turn = 0; turn < 2; turn++) {
    await post({ signed_message: sign((await eventFor(fid, 'notifications_enabled')).body) });
  }
  expect(await run('select hash from host_token where fid = $1', [fid])).toHaveLength(1);
});

test('an event is forwarded only if it is signed by this user with a key of this host, and only once', async () => {
  const { fid, sign } = await newUser();
  const other = await newUser();
  const foreign = await newUser({ requestFid: 9_999 });
  const on = (await eventFor(fid, 'notifications_enabled')).body;
  const good = sign(on);
  const cases: unknown[] = [
    'a.b',
    { ...good, payload: other.sign({ event: 'frame_added' }).payload },
    { ...good, signature: other.sign(on).signature },
    other.sign(on),
    foreign.sign({ event: 'frame_added' }),
    createJsonFarcasterSignature({
      fid,
      type: 'app_key',
      privateKey: ed25519.utils.randomPrivateKey(),
      payload: Buffer.from('{"event":"frame_added"}'),
    }),
    sign({ event: 'frame_eaten' }),
    sign({ event: 'notifications_enabled' }),
    sign({ event: 'frame_removed', notificationDetails: on.notificationDetails }),
    sign({ ...on, notificationDetails: { ...on.notificationDetails, token: 'made-up' } }),
    sign({ ...on, notificationDetails: { ...on.notificationDetails, url: 'https://evil.example/' } }),
    sign([1]),
  ];
  for (const signed_message of cases) {
    expect(await post({ signed_message })).toMatchObject({ status: 400, body: { property: 'signed_message' } });
  }
  expect(miniApp.received).toEqual([]);
  expect((await post({ signed_message: good })).status).toBe(200);
  expect(await post({ signed_message: good })).toMatchObject({ status: 400, body: { property: 'signed_message' } });
  expect(miniApp.heard).toHaveLength(1);
});

test('a signature is valid for one domain; the same bytes may be signed for off, on and off again', async () => {
  const { fid, sign } = await newUser();
  const second = await startMiniApp(network, OWNER);
  try {
    const off = sign({ event: 'notifications_disabled' });
    const on = async () => sign((await eventFor(fid, 'notifications_enabled')).body);
    expect((await post({ signed_message: off })).status).toBe(200);
    expect((await post({ signed_message: off, app_domain: second.domain })).status).toBe(400);
    const first = await on();
    expect((await post({ signed_message: first, app_domain: second.domain })).status).toBe(400);
    expect((await post({ signed_message: first })).status).toBe(200);
    expect((await post({ signed_message: off })).status).toBe(200);
    expect(hear(miniApp).map((one) => one.split('_')[1])).toEqual(['disabled', 'enabled', 'disabled']);
    expect(second.received).toEqual([]);
  } finally {
    await second.stop();
  }
});

test('a token expires after an hour', async () => {
  const { fid, sign } = await newUser();
  const on = (await eventFor(fid, 'notifications_enabled')).body;
  await run("update host_token set lapses_at = now() - interval '1 second' where fid = $1", [fid]);
  expect((await post({ signed_message: sign(on) })).status).toBe(400);
});

test('a webhook that recovers gets the failed events once and in order', async () => {
  const { fid, sign } = await newUser();
  let failures = 5;
  const working = miniApp.answer;
  miniApp.answer = (response, heard) =>
    failures-- > 0 ? void response.writeHead(503).end() : working(response, heard);
  const first = await post({ signed_message: sign((await eventFor(fid, 'notifications_enabled')).body) });
  expect(first).toMatchObject({
    status: 502,
    body: { message: expect.stringMatching(/answered 503\. .* delivery [0-9a-f-]{36}/) },
  });
  const off = sign((await eventFor(fid, 'notifications_disabled')).body);
  const queued = await post({ signed_message: off });
  expect(queued).toMatchObject({ status: 502, body: { message: expect.stringMatching(/delivery [0-9a-f-]{36}/) } });
  const idOf = ({ body }: TestResponse) => /delivery ([0-9a-f-]{36})/.exec(body.message)?.[1];
  // The same event again is the one that waits.
  expect(idOf(await post({ signed_message: off }))).toBe(idOf(queued));
  expect(await enabled(fid)).toEqual([]);
  const attempts = async () =>
    (await run('select attempts from host_delivery where fid = $1 order by position limit 1', [fid]))[0]?.attempts;
  for (let turn = 2; turn <= 6; turn++) {
    await run("update host_delivery set next_at = now() where state = 'pending' and fid = $1", [fid]);
    await expect.poll(attempts).toBe(turn);
  }
  await expect.poll(() => run("select id from host_delivery where fid = $1 and state = 'pending'", [fid])).toEqual([]);
  expect(hear(miniApp)).toEqual([...Array(6).fill(`${fid} notifications_enabled`), `${fid} notifications_disabled`]);
  expect(await enabled(fid)).toEqual([]);
  expect(await run("select id from host_delivery where fid = $1 and message <> ''", [fid])).toEqual([]);
});

test('an event expires after a day, with the reason of its failure', async () => {
  const { fid, sign } = await newUser();
  miniApp.answer = (response) => void response.writeHead(500).end();
  expect((await post({ signed_message: sign({ event: 'frame_added' }) })).status).toBe(502);
  await run('update host_delivery set next_at = now(), expires_at = now() where fid = $1', [fid]);
  const dead = () => run("select failure, attempts from host_delivery where fid = $1 and state = 'dead'", [fid]);
  await expect.poll(dead).toEqual([{ failure: 'The target answered 500.', attempts: 2 }]);
  // An operator replays all that was given up.
  miniApp.answer = (response) => void response.end();
  const now = new Date();
  expect(await updateHostDeliveriesDue(network.app.core.db, undefined, { now, expiresAt: now })).toBe(1);
  const state = () => run('select state from host_delivery where fid = $1', [fid]);
  await expect.poll(state).toEqual([{ state: 'delivered' }]);
});

test.each([
  'https://app.example',
  'app.example/path',
  'user@app.example',
  '127.0.0.1',
  '2130706433',
  '0x7f.1',
  '[::1]',
  'app',
  '-a.example',
  'a..example',
  'app.example.',
  'app.example:0',
  'app.example:99999',
  `${'a'.repeat(64)}.example`,
  'ａpp.example',
  '',
])('"%s" is rejected as a domain', async (domain) => {
  const answer = await eventFor(1, 'frame_added', encodeURIComponent(domain));
  expect(answer).toMatchObject({ status: 400, body: { property: 'app_domain' } });
});

test('ports and loopback are accepted only in development', async () => {
  const closed = await startNetwork();
  try {
    for (const domain of ['localhost', 'localhost:3000', 'app.example:8443']) {
      const answer = await closed.get(`${PATH}/event/?app_domain=${domain}&fid=1&event=frame_added`);
      expect(answer).toMatchObject({ status: 400, body: { property: 'app_domain' } });
    }
    expect((await closed.get(`${PATH}/event/?app_domain=App.Example&fid=1&event=frame_added`)).status).toBe(200);
  } finally {
    await closed.stop();
  }
});
