import { sendNotificationResponseSchema } from '@farcaster/miniapp-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MiniApp, startMiniApp } from './support/mini-app.js';
import { type Network, startNetwork } from './support/network.js';
import { approvedSigner, registerAccount } from './support/signer.js';

const OWNER = 8_501;
let nextFid = 8_600;
let network: Network;
let miniApp: MiniApp;
beforeAll(async () => {
  network = await startNetwork({
    CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true',
    CASTELLAN_RATE_LIMIT_PER_MINUTE: '60',
    CASTELLAN_TRUSTED_PROXIES: '127.0.0.1',
  });
  miniApp = await startMiniApp(network, OWNER);
});
afterAll(async () => {
  await miniApp.stop();
  await network.stop();
});

const run = (sql: string, params: (string | number)[] = []) => network.app.core.db.run(sql, params);

/** @returns a user whose notifications are on, and what the mini app was told of it. */
const enabledUser = async (app = miniApp) => {
  const fid = nextFid++;
  await registerAccount(network, fid);
  const { uuid } = await approvedSigner(network, fid);
  const send = (event: string) =>
    network.send('POST', '/v2/social/app_host/user/event/', { signer_uuid: uuid, fid, event, app_domain: app.domain });
  expect((await send('notifications_enabled')).status).toBe(200);
  const details = app.heard.at(-1)?.event.notificationDetails;
  return { fid, send, token: details?.token as string, url: details?.url as string };
};

/** Sends as a mini app's server does: without a key, from an address that the test chooses through a header. */
const notify = async (tokens: readonly string[], more: object = {}, from = '198.51.100.1') => {
  const response = await fetch(`${network.url}/v2/social/app_host/notify/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    body: JSON.stringify({
      notificationId: 'one',
      title: 'Hello',
      body: 'Something happened',
      targetUrl: `http://${miniApp.domain}/thing`,
      tokens,
      ...more,
    }),
  });
  return { status: response.status, body: (await response.json()) as { code?: string } };
};
const result = async (tokens: readonly string[], more: object = {}) => {
  const { status, body } = await notify(tokens, more);
  expect(status).toBe(200);
  return sendNotificationResponseSchema.parse(body).result;
};
const list = async (fid: number, more = '') =>
  (await network.get(`/v2/social/app_host/user/notifications/?fid=${fid}${more}`)).body;

test('a mini app notifies a user with the token it got, at the address it got', async () => {
  const { fid, token, url } = await enabledUser();
  expect(url).toBe(`${network.config.publicUrl}/v2/social/app_host/notify/`);
  expect(await result([token])).toEqual({ successfulTokens: [token], invalidTokens: [], rateLimitedTokens: [] });
  expect((await list(fid)).notifications).toEqual([
    {
      object: 'app_host_notification',
      id: expect.any(String),
      domain: miniApp.domain,
      notification_id: 'one',
      title: 'Hello',
      body: 'Something happened',
      target_url: `http://${miniApp.domain}/thing`,
      created_at: expect.stringMatching(/Z$/),
    },
  ]);
});

test('a repeated notification is delivered once, and another one too soon is rejected', async () => {
  const { fid, token } = await enabledUser();
  await result([token]);
  expect(await result([token], { title: 'Again' })).toMatchObject({ successfulTokens: [token] });
  expect(await result([token], { notificationId: 'two' })).toMatchObject({ rateLimitedTokens: [token] });
  expect((await list(fid)).notifications).toMatchObject([{ title: 'Hello' }]);
  await run("update host_token set last_at = now() - interval '31 seconds' where fid = $1", [fid]);
  expect(await result([token, token], { notificationId: 'two' })).toEqual({
    successfulTokens: [token],
    invalidTokens: [],
    rateLimitedTokens: [],
  });
  await run("update host_token set last_at = now() - interval '31 seconds', day_count = 100 where fid = $1", [fid]);
  expect(await result([token], { notificationId: 'three' })).toMatchObject({ rateLimitedTokens: [token] });
  await run("update host_token set day_from = now() - interval '25 hours' where fid = $1", [fid]);
  expect(await result([token], { notificationId: 'three' })).toMatchObject({ successfulTokens: [token] });
  expect(await run('select day_count from host_token where fid = $1', [fid])).toEqual([{ day_count: 1 }]);
  // A day later the id is free again.
  await run("update host_notification set created_at = now() - interval '25 hours' where fid = $1", [fid]);
  await run("update host_token set last_at = now() - interval '31 seconds' where fid = $1", [fid]);
  expect(await result([token], { title: 'Again' })).toMatchObject({ successfulTokens: [token] });
  expect((await list(fid)).notifications[0]).toMatchObject({ notification_id: 'one', title: 'Again' });
});

test('a notification URL that other parsers read as another domain is stored as it was parsed here', async () => {
  const { fid, token } = await enabledUser();
  const { successfulTokens } = await result([token], { targetUrl: `http://${miniApp.domain}\\@evil.example/` });
  expect(successfulTokens).toEqual([token]);
  expect((await list(fid)).notifications).toMatchObject([{ target_url: `http://${miniApp.domain}/@evil.example/` }]);
});

test('concurrent repetitions are delivered once, too', async () => {
  const { fid, token } = await enabledUser();
  const all = await Promise.all(Array.from({ length: 8 }, (_, n) => result([token], { notificationId: `n${n}` })));
  expect(all.filter(({ successfulTokens }) => successfulTokens.length > 0)).toHaveLength(1);
  expect((await list(fid)).notifications).toHaveLength(1);
});

test('only tokens that will never work again are reported as invalid', async () => {
  const other = await startMiniApp(network, OWNER + 1);
  try {
    const foreign = await enabledUser(other);
    const ended = await enabledUser();
    await ended.send('frame_removed');
    const inert = (
      await network.get(
        `/v2/social/app_host/user/event/?app_domain=${miniApp.domain}&fid=5&event=notifications_enabled`,
      )
    ).body.notificationDetails.token;
    const tokens = ['unknown', foreign.token, ended.token, inert];
    const { body } = await notify(tokens);
    expect(body).toEqual({
      result: {
        successfulTokens: [],
        invalidTokens: ['unknown', ended.token],
        rateLimitedTokens: [],
        failedTokens: expect.arrayContaining([foreign.token, inert]),
      },
    });
    // Senders delete invalid tokens for good, so a wrong address must not make one of any.
    const wrong = await notify([foreign.token, 'unknown']);
    expect(wrong).toMatchObject({ status: 400, body: { property: 'targetUrl' } });
    // One mini app's id does not stand in another's way.
    const mine = await enabledUser();
    expect((await result([foreign.token], { targetUrl: `http://${other.domain}/` })).successfulTokens).toHaveLength(1);
    expect((await result([mine.token])).successfulTokens).toHaveLength(1);
  } finally {
    await other.stop();
  }
});

test('a user who switched off is not notified, even before the mini app receives the event', async () => {
  const { token, send } = await enabledUser();
  const working = miniApp.answer;
  miniApp.answer = (response) => void response.writeHead(503).end();
  expect((await send('notifications_disabled')).status).toBe(502);
  miniApp.answer = working;
  expect((await result([token])).invalidTokens).toEqual([token]);
});

test.each([
  [{ notificationId: 'x'.repeat(129) }, 'notificationId'],
  [{ notificationId: '' }, 'notificationId'],
  [{ title: 'x'.repeat(33) }, 'title'],
  [{ body: 'x'.repeat(129) }, 'body'],
  [{ targetUrl: `https://a.example/${'x'.repeat(1024)}` }, 'targetUrl'],
  [{ targetUrl: 'a.example' }, 'targetUrl'],
  [{ targetUrl: 'javascript:alert(1)' }, 'targetUrl'],
  [{ targetUrl: 'http://a.example/' }, 'targetUrl'],
  [{ tokens: [] }, 'tokens'],
  [{ tokens: Array(101).fill('x') }, 'tokens'],
  [{ tokens: [1] }, 'tokens'],
])('invalid input is rejected with the property: %j', async (more, property) => {
  expect(await notify(['x'], more)).toMatchObject({ status: 400, body: { property } });
});

test('the list comes in pages, each notification once', async () => {
  const { fid, token } = await enabledUser();
  for (let n = 0; n < 5; n++) {
    await run('update host_token set last_at = null where fid = $1', [fid]);
    await result([token], { notificationId: `n${n}` });
  }
  const seen: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page = await list(fid, `&limit=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    seen.push(...page.notifications.map((one: { notification_id: string }) => one.notification_id));
    cursor = page.next.cursor;
  }
  expect(seen).toEqual(['n4', 'n3', 'n2', 'n1', 'n0']);
  const first = await list(fid, '&limit=2');
  const other = await network.get(
    `/v2/social/app_host/user/notifications/?fid=${fid + 1}&cursor=${encodeURIComponent(first.next.cursor)}`,
  );
  expect(other).toMatchObject({ status: 400, body: { property: 'cursor' } });
});

test('the rate limit by address applies before tokens are looked up', async () => {
  const guess = (from: string) => notify(['guess'], {}, from);
  let last = await guess('198.51.100.2');
  for (let n = 0; n < 70 && last.status !== 429; n++) last = await guess('198.51.100.2');
  expect(last).toMatchObject({ status: 429, body: { code: 'TooManyRequests' } });
  expect((await guess('198.51.100.3')).status).toBe(200);
  // One machine has all addresses of an IPv6 network.
  let count = 0;
  do last = await guess(`2001:db8:0:1::${(++count).toString(16)}`);
  while (count < 70 && last.status !== 429);
  expect([count, last.status]).toEqual([61, 429]);
  expect((await guess('2001:db8:0:2::1')).status).toBe(200);
});
