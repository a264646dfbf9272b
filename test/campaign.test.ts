import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { changeApp } from '../src/access/app.js';
import { DEFAULT_APP_ID } from '../src/access/key.js';
import { deleteOldCampaignRecipients } from '../src/store/miniapp/campaign.js';
import { createSecondApp } from './support/app.js';
import {
  answerLists,
  type CampaignNetwork,
  type FakeHost,
  SEND_PATH,
  startCampaignNetwork,
  startHost,
} from './support/campaign.js';
import type { Network } from './support/network.js';
import { type Receiver, startReceiver } from './support/receiver.js';
import { FIDS, seedBasics } from './support/seed.js';
import { approvedSigner } from './support/signer.js';

const CLIENT = 9_152;
const NOBODY = { success_count: 0, failure_count: 0, not_attempted_count: 0, retryable_fids: [] };
let front: Receiver;
let world: CampaignNetwork;
let network: Network;
let host: FakeHost;
/** Milliseconds that the service's clock is ahead. */
let ahead = 0;

beforeAll(async () => {
  // The address that tokens contain: a proxy in front of the service.
  front = await startReceiver(async ({ method, path, body }, response) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${network.url}${path}`, { method, headers, body });
    response.writeHead(answer.status, headers).end(await answer.text());
  });
  world = await startCampaignNetwork({ PUBLIC_URL: front.url }, { clock: () => Date.now() + ahead });
  network = world.network;
  await seedBasics((items) => network.load(items));
  host = await startHost(({ tokens }, response) => answerLists(response, { successfulTokens: tokens }));
});
afterAll(async () => {
  await world.stop();
  await host.stop();
  await front.stop();
});
beforeEach(async () => {
  await network.sql('delete from mini_app_token');
  ahead += 60_000;
});

const tokenOf = (fid: number) => `token of ${fid}`;
const storeUsers = (...fids: number[]) =>
  world.storeTokens(
    CLIENT,
    `${host.url}/notify`,
    fids.map((fid) => [fid, tokenOf(fid)]),
  );
/** @returns the accounts that the host was asked to notify, by the latest campaign. */
const reached = async (more: object): Promise<number[]> => {
  const before = host.heard.length;
  const { status, body } = await world.publish(more);
  expect([status, body.message]).toEqual([200, undefined]);
  ahead += 60_000;
  return host.heard
    .slice(before)
    .flatMap(({ tokens }) => tokens)
    .map((token) => Number(token.split(' ').at(-1)))
    .sort((a, b) => a - b);
};

test('a user of this host adds the mini app, and its backend notifies the user through this host', async () => {
  const url = `${front.url}/hook`;
  await changeApp(network.app.core.db, {
    id: DEFAULT_APP_ID,
    webhook: { url, masterKey: network.config.masterKey },
    now: new Date(),
  });
  const { uuid, fid } = await approvedSigner(network, FIDS.alice);
  const send = async (event: string) => {
    const body = { signer_uuid: uuid, fid, event, app_domain: world.miniApp.domain };
    const answer = await network.send('POST', '/v2/social/app_host/user/event/', body);
    expect([answer.status, answer.body.message]).toEqual([200, expect.stringContaining('delivered')]);
  };
  await send('notifications_enabled');
  const sent = await world.publish();
  expect(sent).toMatchObject({ status: 200, body: { ...NOBODY, success_count: 1 } });
  const { notifications } = (await network.get(`/v2/social/app_host/user/notifications/?fid=${fid}`)).body;
  expect(notifications).toMatchObject([
    {
      notification_id: sent.body.campaign_id,
      title: 'Hello',
      body: 'World',
      target_url: `http://${world.miniApp.domain}/thing`,
    },
  ]);
  // The host pushes it to its own server.
  await expect.poll(() => front.received.filter(({ path }) => path === '/hook').length).toBe(1);
  const push = JSON.parse(front.received.find(({ path }) => path === '/hook')?.body ?? '{}');
  expect(push).toMatchObject({ fid, notification_id: sent.body.campaign_id });

  // Sooner than the host allows: it is not even asked.
  const calls = () => front.received.filter(({ path }) => path.includes('/notify')).length;
  const before = calls();
  expect((await world.publish()).body).toMatchObject({ success_count: 0, failure_count: 1, retryable_fids: [fid] });
  expect(calls()).toBe(before);
  await send('notifications_disabled');
  ahead += 60_000;
  expect((await world.publish()).body).toMatchObject({ ...NOBODY, not_attempted_count: 1 });
  await send('notifications_enabled');
  expect((await world.publish()).body).toMatchObject({ success_count: 1, not_attempted_count: 0 });
  await changeApp(network.app.core.db, { id: DEFAULT_APP_ID, webhook: null, now: new Date() });
});

test('without users nothing is sent, and the campaign is completed', async () => {
  const { status, body } = await world.publish();
  expect({ status, body }).toEqual({
    status: 200,
    body: { ...NOBODY, campaign_id: expect.any(String), notification_deliveries: [] },
  });
  expect(await world.stats(body.campaign_id)).toEqual({
    id: body.campaign_id,
    title: 'Hello',
    body: 'World',
    status: 'completed',
    created_at: expect.any(String),
    queued_at: expect.any(String),
    completed_at: expect.any(String),
    stats: {
      intended_recipient_notification_token_count: 0,
      intended_recipient_app_fids: [],
      successful_sends: 0,
      successful_sends_by_app_fid: {},
      total_opens: 0,
      total_opens_by_app_fid: {},
      unique_opens: 0,
      unique_opens_by_app_fid: {},
      error_breakdown: { delivery_errors: {}, http_errors: {} },
    },
  });
});

test('target_fids and filters choose users, and all must match', async () => {
  const { alice, bob, carol, dan, erin } = FIDS;
  await storeUsers(alice, bob, carol, dan, erin);
  await network.sql('update account set score = 0.7 where fid = any($1::bigint[])', [[alice, bob, carol]]);
  await network.sql('update account set score = 0.2 where fid = any($1::bigint[])', [[dan, erin]]);
  expect(await reached({})).toEqual([alice, bob, carol, dan, erin]);
  expect(await reached({ target_fids: [] })).toEqual([alice, bob, carol, dan, erin]);
  expect(await reached({ target_fids: [bob, 77_777] })).toEqual([bob]);
  expect(await reached({ filters: { exclude_fids: [alice, erin] } })).toEqual([bob, carol, dan]);
  // bob, carol and dan follow alice; carol does not follow bob any more.
  expect(await reached({ filters: { following_fid: alice } })).toEqual([bob, carol, dan]);
  expect(await reached({ filters: { following_fid: bob } })).toEqual([alice]);
  expect(await reached({ filters: { minimum_user_score: 0.7 } })).toEqual([alice, bob, carol]);
  expect(await reached({ filters: { minimum_user_score: 0.71 } })).toEqual([]);
  const lisbon = { latitude: 38.72, longitude: -9.14 };
  const near = (more: object) => reached({ filters: { near_location: { ...lisbon, ...more } } });
  expect(await near({})).toEqual([alice]);
  expect(await near({ radius: 0 })).toEqual([alice]);
  // 0.4 degrees of latitude are 44 km, 0.5 are 56 km.
  expect(await near({ latitude: 39.12 })).toEqual([alice]);
  expect(await near({ latitude: 39.22 })).toEqual([]);
  // Berlin is 2,310 km away. Users without a location are nowhere.
  expect(await near({ radius: 2_200_000 })).toEqual([alice]);
  expect(await near({ radius: 2_400_000 })).toEqual([alice, bob]);
  expect(await near({ radius: 30_000_000 })).toEqual([alice, bob, dan]);
  const all = { following_fid: alice, minimum_user_score: 0.5, exclude_fids: [carol] };
  expect(await reached({ filters: all, target_fids: [bob, carol, dan] })).toEqual([bob]);
});

test('a uuid stands for one request', async () => {
  await storeUsers(1, 2);
  const uuid = randomUUID();
  const first = await world.publish({ target_fids: [1] }, { uuid });
  expect(first).toMatchObject({ status: 200, body: { success_count: 1 } });
  const calls = host.heard.length;
  expect(await world.publish({ target_fids: [1] }, { uuid: uuid.toUpperCase() })).toMatchObject({ status: 200 });
  expect(await world.publish({ target_fids: [1] }, { uuid })).toMatchObject({ status: 200, body: first.body });
  expect(await world.publish({ target_fids: [2] }, { uuid })).toMatchObject({
    status: 400,
    body: { errors: [{ path: ['notification', 'uuid'] }] },
  });
  expect(host.heard.length).toBe(calls);
  // Another app has its own.
  const other = await createSecondApp(network);
  await changeApp(network.app.core.db, { id: other.id, miniAppDomain: world.miniApp.domain, now: new Date() });
  const body = JSON.parse(
    JSON.stringify({ notification: { title: 'a', body: 'b', target_url: `http://${world.miniApp.domain}/`, uuid } }),
  );
  const theirs = await network.send('POST', SEND_PATH, body, other.headers);
  expect(theirs.status).toBe(200);
  expect(theirs.body.campaign_id).not.toBe(first.body.campaign_id);
});

test('a repeated request gets its first response even after the recipients were deleted', async () => {
  await storeUsers(1);
  await world.storeTokens(CLIENT, 'http://127.0.0.1:1/', [[2, 'of a host that is gone']]);
  const uuid = randomUUID();
  const first = await world.publish({}, { uuid });
  expect(first).toMatchObject({ status: 200, body: { success_count: 1, failure_count: 1, retryable_fids: [2] } });
  const stats = await world.stats(first.body.campaign_id);
  const recipients = async () =>
    (await network.sql('select fid from campaign_recipient where campaign_id = $1', [first.body.campaign_id])).length;
  const { db } = network.app.core;
  await deleteOldCampaignRecipients(db, new Date(Date.now() + ahead - 3_600_000));
  expect(await recipients()).toBe(2);
  await deleteOldCampaignRecipients(db, new Date(Date.now() + ahead + 1));
  expect(await recipients()).toBe(0);
  const { notification_deliveries: deliveries, ...lasting } = first.body;
  expect(deliveries).toMatchObject([
    { object: 'notification_delivery', fid: 1, status: 'success' },
    { object: 'notification_delivery', fid: 2, status: 'failed' },
  ]);
  expect((await world.publish({}, { uuid })).body).toEqual(lasting);
  expect(await world.stats(first.body.campaign_id)).toEqual(stats);
});

test('simultaneous requests with a uuid are one campaign', async () => {
  await storeUsers(1, 2, 3);
  const uuid = randomUUID();
  const calls = host.heard.length;
  const answers = await Promise.all(Array.from({ length: 6 }, () => world.publish({}, { uuid })));
  for (const { status, body } of answers) expect({ status, body }).toEqual({ status: 200, body: answers[0]?.body });
  expect(answers[0]?.body.success_count).toBe(3);
  expect(host.heard.length).toBe(calls + 1);
});

test('the target must be on the domain of the mini app', async () => {
  const { domain } = world.miniApp;
  const targets = [
    'https://other.example/',
    `http://${domain}.evil.example/`,
    `http://evil.example/@${domain}`,
    `http://${domain}@evil.example/`,
    'http://localhost:1/',
  ];
  for (const target_url of targets) {
    const { status, body } = await world.publish({}, { target_url });
    expect([target_url, status, body.errors[0].path]).toEqual([target_url, 400, ['notification', 'target_url']]);
  }
  expect((await world.publish({}, { target_url: 'nothing' })).status).toBe(400);
});

test.each([
  [{}, { title: '' }],
  [{}, { title: 'x'.repeat(33) }],
  [{}, { body: 'x'.repeat(129) }],
  [{}, { uuid: 'one' }],
  [{ target_fids: Array(101).fill(1) }, {}],
  [{ target_fids: [0] }, {}],
  [{ filters: { minimum_user_score: 2 } }, {}],
  [{ filters: { near_location: { latitude: 91, longitude: 0 } } }, {}],
  [{ filters: { near_location: { latitude: 1 } } }, {}],
])('input is checked: %j %j', async (more, notification) => {
  expect((await world.publish(more, notification)).status).toBe(400);
});

test('an app without a mini app, and one without a valid manifest, send nothing', async () => {
  const other = await createSecondApp(network);
  const body = { notification: { title: 'a', body: 'b', target_url: `http://${world.miniApp.domain}/` } };
  const none = await network.send('POST', SEND_PATH, body, other.headers);
  expect(none).toMatchObject({ status: 404, body: { message: expect.stringContaining('--miniapp') } });
  const empty = await startReceiver((_request, response) => void response.writeHead(404).end());
  try {
    const domain = `localhost:${empty.port}`;
    await changeApp(network.app.core.db, { id: other.id, miniAppDomain: domain, now: new Date() });
    const target_url = `http://${domain}/`;
    const broken = await network.send(
      'POST',
      SEND_PATH,
      { notification: { ...body.notification, target_url } },
      other.headers,
    );
    expect(broken).toMatchObject({ status: 422, body: { message: expect.stringContaining('manifest') } });
  } finally {
    await empty.stop();
  }
});

test('statistics are of the calling app, newest first', async () => {
  await storeUsers(1);
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) {
    ids.unshift((await world.publish({}, { title: `number ${n}` })).body.campaign_id);
    ahead += 60_000;
  }
  const seen: string[] = [];
  let cursor = '';
  for (let page = 0; page < 3; page++) {
    const { body } = await network.get(`${SEND_PATH}?limit=1${cursor && `&cursor=${cursor}`}`);
    seen.push(body.notificationCampaigns[0].id);
    cursor = body.next.cursor;
  }
  expect(seen).toEqual(ids);
  expect(await world.stats(ids[0] as string)).toMatchObject({
    status: 'completed',
    stats: {
      intended_recipient_notification_token_count: 1,
      intended_recipient_app_fids: [CLIENT],
      successful_sends: 1,
      successful_sends_by_app_fid: { [CLIENT]: 1 },
    },
  });
  expect(await world.stats(randomUUID())).toBeUndefined();
  const other = await createSecondApp(network);
  expect((await network.get(SEND_PATH, other.headers)).body).toEqual({
    notificationCampaigns: [],
    next: { cursor: null },
  });
  expect((await network.get(`${SEND_PATH}?campaign_id=${ids[0]}`, other.headers)).body.notificationCampaigns).toEqual(
    [],
  );
  expect((await network.get(`${SEND_PATH}?campaign_id=x`)).status).toBe(400);
  expect((await network.get(`${SEND_PATH}?limit=1001`)).status).toBe(400);
});

test('openings are counted for users who were notified', async () => {
  await storeUsers(1, 2);
  const { campaign_id } = (await world.publish()).body;
  const opened = (fid: number, client_fid = CLIENT) =>
    network.send('POST', `/f/app/${DEFAULT_APP_ID}/opened`, { notification_id: campaign_id, fid, client_fid });
  for (const fid of [1, 1, 2, 3]) expect((await opened(fid)).body).toEqual({ success: true });
  await opened(1, CLIENT + 1);
  expect((await world.stats(campaign_id)).stats).toMatchObject({
    total_opens: 3,
    total_opens_by_app_fid: { [CLIENT]: 3 },
    unique_opens: 2,
    unique_opens_by_app_fid: { [CLIENT]: 2 },
  });
  for (let n = 0; n < 110; n++) await opened(2);
  expect((await world.stats(campaign_id)).stats).toMatchObject({ total_opens: 102, unique_opens: 2 });
});

test('an opening is counted by its campaign alone, which the address names under the names of the ecosystem', async () => {
  await storeUsers(1, 2);
  const target_url = `http://${world.miniApp.domain}/thing?page=2`;
  const notification = { title: 'Hello', body: 'World', target_url };
  const neutral = await network.send('POST', SEND_PATH, { notification, target_fids: [1] });
  ahead += 60_000;
  const { body } = await network.send('POST', '/v2/farcaster/frame/notifications', { notification, target_fids: [1] });
  const targets = host.heard.slice(-2).map(({ targetUrl }) => targetUrl);
  expect(targets).toEqual([target_url, `${target_url}&utm_source=neynar&utm_campaign=${body.campaign_id}`]);
  expect(neutral.body.campaign_id).not.toBe(body.campaign_id);
  ahead += 60_000;
  const own = { ...notification, target_url: `${target_url}&utm_source=mine` };
  await network.send('POST', '/v2/farcaster/frame/notifications', { notification: own, target_fids: [1] });
  expect(host.heard.at(-1)?.targetUrl).toBe(own.target_url);

  const open = (fid: number, campaign_id: string) =>
    fetch(`${network.url}/v2/farcaster/frame/notifications/open`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ campaign_id, fid, app_fid: CLIENT }),
    });
  // Nobody learns who was sent the notification.
  for (const [fid, id] of [
    [1, body.campaign_id],
    [2, body.campaign_id],
    [1, randomUUID()],
  ] as const)
    expect(await (await open(fid, id)).json()).toEqual({ success: true });
  expect((await world.stats(body.campaign_id)).stats).toMatchObject({ total_opens: 1, unique_opens: 1 });
  expect((await open(1, 'no-uuid')).status).toBe(400);
});
