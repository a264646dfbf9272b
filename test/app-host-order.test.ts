import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createLog } from '../src/log.js';
import { updateHostDeliveriesDue } from '../src/store/miniapp/delivery.js';
import { createSecondApp, type SecondApp, startSecondService } from './support/app.js';
import { hostUser } from './support/host-user.js';
import { type MiniApp, startMiniApp } from './support/mini-app.js';
import { type Network, startNetwork, type TestResponse } from './support/network.js';
import { approvedSigner } from './support/signer.js';

/** What several events of one user come to, and what another app has of them. */
const HOST = 9_000;
const OWNER = 9_001;
const PATH = '/v2/social/app_host';
let nextFid = 9_100;
let network: Network;
let miniApp: MiniApp;
let other: SecondApp;
const lines: string[] = [];
beforeAll(async () => {
  const log = createLog('trace', { write: (line) => lines.push(line) });
  network = await startNetwork({ CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true' }, log, { timings: { pollMs: 100 } });
  await run('update app set fid = $1', [HOST]);
  other = await createSecondApp(network);
});
afterAll(() => network.stop());
beforeEach(async () => {
  miniApp = await startMiniApp(network, OWNER);
});
afterEach(() => miniApp.stop());

const run = (sql: string, params: (string | number)[] = []) =>
  network.app.core.db.run<Record<string, unknown>>(sql, params);
const newUser = () => hostUser(network, nextFid++, HOST);
const build = (fid: number, event: string, headers?: Record<string, string>): Promise<TestResponse> =>
  network.get(`${PATH}/user/event/?app_domain=${miniApp.domain}&fid=${fid}&event=${event}`, headers);
const post = (body: object, headers?: Record<string, string>): Promise<TestResponse> =>
  network.send('POST', `${PATH}/user/event/`, { app_domain: miniApp.domain, ...body }, headers);
const enabled = async (fid: number, headers?: Record<string, string>): Promise<unknown[]> =>
  (await network.get(`${PATH}/user/state/?fid=${fid}`, headers)).body.notifications_enabled;
const notify = async (token: string): Promise<TestResponse['body']> =>
  (
    await network.send('POST', `${PATH}/notify/`, {
      notificationId: 'one',
      title: 'Hello',
      body: 'Something happened',
      targetUrl: `http://${miniApp.domain}/`,
      tokens: [token],
    })
  ).body.result;
const hear = (): string[] => miniApp.heard.map(({ event }) => event.event.replace('notifications_', ''));

/** Lets the webhook refuse everything until the function that it hands back is called, which also makes all due. */
const breakDown = (fid: number) => {
  const working = miniApp.answer;
  miniApp.answer = (response) => void response.writeHead(503).end();
  return async (): Promise<void> => {
    miniApp.answer = working;
    const pending = () => run("select id from host_delivery where state = 'pending' and fid = $1", [fid]);
    await run("update host_delivery set next_at = now() where state = 'pending' and fid = $1", [fid]);
    await expect.poll(pending).toEqual([]);
  };
};
const giveUp = (fid: number) =>
  run("update host_delivery set state = 'dead', ended_at = now() where state = 'pending' and fid = $1", [fid]);

test('off, on, off: the last event counts, even if both "off" have the same bytes and all three are pending', async () => {
  const { fid, sign } = await newUser();
  const off = sign({ event: 'notifications_disabled' });
  const on = (await build(fid, 'notifications_enabled')).body;
  const recover = breakDown(fid);
  for (const signed_message of [off, sign(on), off]) expect((await post({ signed_message })).status).toBe(502);
  const waiting = () => run('select event from host_delivery where fid = $1 order by position', [fid]);
  expect(await waiting()).toHaveLength(3);
  // The last of them again is no fourth.
  expect((await post({ signed_message: off })).status).toBe(502);
  expect(await waiting()).toHaveLength(3);
  await recover();
  expect(hear().slice(-3)).toEqual(['disabled', 'enabled', 'disabled']);
  expect(await enabled(fid)).toEqual([]);
  expect(await notify(on.notificationDetails.token)).toMatchObject({ successfulTokens: [] });
});

test('an event that expired and was followed by another is not retried by an operator or by the host', async () => {
  const { fid, sign } = await newUser();
  const on = (await build(fid, 'notifications_enabled')).body;
  const recover = breakDown(fid);
  expect((await post({ signed_message: sign(on) })).status).toBe(502);
  await giveUp(fid);
  await recover();
  expect((await post({ signed_message: sign((await build(fid, 'notifications_disabled')).body) })).status).toBe(200);
  const now = new Date();
  expect(await updateHostDeliveriesDue(network.app.core.db, undefined, { now, expiresAt: now })).toBe(0);
  expect(await post({ signed_message: sign(on) })).toMatchObject({ status: 400, body: { property: 'signed_message' } });
  expect(await notify(on.notificationDetails.token)).toMatchObject({ successfulTokens: [] });
});

test('an event that was given up is not retried beside a later one that is being sent', async () => {
  const { fid, sign } = await newUser();
  const on = (await build(fid, 'notifications_enabled')).body;
  const recover = breakDown(fid);
  await post({ signed_message: sign(on) });
  await giveUp(fid);
  await recover();
  const [first] = await run('select id from host_delivery where fid = $1', [fid]);
  let held: ServerResponse | undefined;
  miniApp.answer = (response) => {
    held = response;
  };
  const off = post({ signed_message: sign((await build(fid, 'notifications_disabled')).body) });
  await expect.poll(() => held).toBeDefined();
  miniApp.answer = (response) => void response.end();
  const now = new Date();
  const due = { now, expiresAt: new Date(now.getTime() + 60_000) };
  const count = await updateHostDeliveriesDue(network.app.core.db, first?.id as string, due);
  held?.end();
  expect((await off).status).toBe(200);
  await expect.poll(() => run("select id from host_delivery where fid = $1 and state = 'pending'", [fid])).toEqual([]);
  expect([count, hear().at(-1), await enabled(fid)]).toEqual([0, 'disabled', []]);
});

test('a token whose event was pending when the user switched off never becomes valid', async () => {
  const { fid, sign } = await newUser();
  const on = (await build(fid, 'notifications_enabled')).body;
  const recover = breakDown(fid);
  await post({ signed_message: sign(on) });
  await post({ signed_message: sign((await build(fid, 'notifications_disabled')).body) });
  // "On" arrives at last; "off" was given up.
  await run("update host_delivery set state = 'dead', ended_at = now() where fid = $1 and event like '%disabled'", [
    fid,
  ]);
  await recover();
  expect(hear().at(-1)).toBe('enabled');
  expect(await notify(on.notificationDetails.token)).toMatchObject({ successfulTokens: [] });
});

test("an app cannot see or change the notifications of another app's users", async () => {
  const { fid, sign } = await newUser();
  const on = (await build(fid, 'notifications_enabled')).body;
  const foreign = await post({ signed_message: sign(on) }, other.headers);
  expect(foreign).toMatchObject({ status: 400, body: { property: 'signed_message' } });
  expect((await post({ signed_message: sign(on) })).status).toBe(200);
  expect(await notify(on.notificationDetails.token)).toMatchObject({ invalidTokens: [] });
  expect(await enabled(fid, other.headers)).toEqual([]);
  const list = `${PATH}/user/notifications/?fid=${fid}`;
  expect((await network.get(list, other.headers)).body.notifications).toEqual([]);
  expect((await network.get(list)).body.notifications).toHaveLength(1);
  const { uuid } = await approvedSigner(network, fid);
  const used = await post({ signer_uuid: uuid, fid, event: 'frame_removed' }, other.headers);
  expect([400, 403, 404]).toContain(used.status);
  expect(await enabled(fid)).toHaveLength(1);
});

test.runIf(process.env.TEST_DATABASE_URL)('two processes deliver each event once, and in order', async () => {
  const second = await startSecondService(network);
  const users = await Promise.all(Array.from({ length: 12 }, newUser));
  const working = miniApp.answer;
  miniApp.answer = (response) => void response.writeHead(503).end();
  try {
    for (const name of ['frame_added', 'notifications_disabled', 'frame_removed']) {
      await Promise.all(users.map(({ sign }) => post({ signed_message: sign({ event: name }) })));
    }
    const refused = miniApp.heard.length;
    miniApp.answer = working;
    await run("update host_delivery set next_at = now() where state = 'pending'");
    const pending = () => run("select id from host_delivery where state = 'pending'");
    await expect.poll(pending).toEqual([]);
    const heard = miniApp.heard.slice(refused);
    for (const { fid } of users) {
      const names = heard.filter((one) => one.fid === fid).map(({ event }) => event.event);
      expect(names).toEqual(['miniapp_added', 'notifications_disabled', 'miniapp_removed']);
    }
  } finally {
    await second.stop();
  }
});

test('a token is not logged, and stored only as a hash after its event arrived', async () => {
  const { fid, sign } = await newUser();
  const on = (await build(fid, 'notifications_enabled')).body;
  const { token } = on.notificationDetails;
  const signed = sign(on);
  const recover = breakDown(fid);
  expect(JSON.stringify((await post({ signed_message: signed })).body)).not.toContain(token);
  await recover();
  expect((await notify(token)).successfulTokens).toEqual([token]);
  const stored = JSON.stringify([
    await run('select * from host_token'),
    await run('select * from host_delivery where fid = $1', [fid]),
    await run('select * from host_notification'),
  ]);
  expect(lines.length).toBeGreaterThan(0);
  for (const text of [token, Buffer.from(token).toString('hex'), signed.payload]) {
    expect(lines.join('').includes(text)).toBe(false);
    expect(stored.includes(text)).toBe(false);
  }
});
