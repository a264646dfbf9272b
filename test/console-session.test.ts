import { request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createConsoleLink } from '../src/access/console-session.js';
import { keyWith } from './support/app.js';
import { type Network, startNetwork } from './support/network.js';
import { FIDS, seedBasics } from './support/seed.js';

let network: Network;
/** Milliseconds by which the service's clock is ahead. */
let ahead = 0;
beforeAll(async () => {
  network = await startNetwork({ CASTELLAN_PUBLIC_READS: 'off' }, undefined, { clock: () => Date.now() + ahead });
  await seedBasics((items) => network.load(items));
});
afterAll(() => network.stop());

const HEADER = { 'x-castellan-console': '1' };

const ask = async (
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  headers: Record<string, string> = {},
  body?: object,
) => {
  const answer = await request(`${network.url}${path}`, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.body.text();
  return {
    status: answer.statusCode,
    body: text.startsWith('{') ? JSON.parse(text) : text,
    cookie: String(answer.headers['set-cookie'] ?? ''),
    headers: answer.headers,
  };
};

/** @returns headers of a browser that is signed in */
const signIn = async (key: string) => {
  const { status, cookie, body } = await ask('POST', '/portal/session', {}, { api_key: key });
  expect(status).toBe(200);
  return { headers: { ...HEADER, cookie: cookie.split(';', 1)[0] as string }, cookie, session: body.session };
};

const users = `/v2/social/user/bulk/?fids=${FIDS.alice}`;

test('a key is exchanged for a cookie that no script can read, and that no other site can send', async () => {
  const { cookie, session } = await signIn(network.apiKey);
  expect(cookie).toMatch(/^castellan_session=[\w-]{43}; Path=\/; Max-Age=28800; HttpOnly; SameSite=Strict$/);
  expect(session).toMatchObject({ organization_name: 'default', scopes: expect.arrayContaining(['read', 'operator']) });
  expect(JSON.stringify(session)).not.toContain(network.apiKey);
  const stored = await network.sql<{ text: string }>('select encode(hash, $1) as text from console_session', [
    'base64',
  ]);
  expect(JSON.stringify(stored)).not.toContain(cookie.slice(18, 60));
});

test('the cookie counts only with the header of the console', async () => {
  const { headers } = await signIn(network.apiKey);
  expect((await ask('GET', users, headers)).status).toBe(200);
  expect((await ask('GET', users, { cookie: headers.cookie })).status).toBe(401);
  expect((await ask('GET', users, HEADER)).status).toBe(401);
  const preflight = await request(`${network.url}${users}`, {
    method: 'OPTIONS',
    headers: { origin: 'https://elsewhere.example', 'access-control-request-headers': 'x-castellan-console' },
  });
  // Without this, no browser sends a cookie along.
  expect(preflight.headers['access-control-allow-credentials']).toBeUndefined();
  await preflight.body.dump();
});

test('a session may do what its key may, and no more', async () => {
  const reader = await keyWith(network, 'read');
  const { headers, session } = await signIn(reader['x-api-key'] as string);
  expect(session.scopes).toEqual(['read']);
  expect((await ask('GET', users, headers)).status).toBe(200);
  expect((await ask('GET', '/operator/organizations', headers)).status).toBe(403);
  expect((await ask('GET', '/v2/social/webhook/list/', headers)).status).toBeGreaterThanOrEqual(401);
});

test('a revoked key ends its sessions within a second', async () => {
  const reader = await keyWith(network, 'read');
  const { headers, session } = await signIn(reader['x-api-key'] as string);
  expect((await ask('GET', users, headers)).status).toBe(200);
  await ask('DELETE', '/operator/key', { 'x-api-key': network.apiKey }, { key_uuid: session.key_uuid });
  await expect.poll(async () => (await ask('GET', users, headers)).status, { timeout: 1_000 }).toBe(401);
  expect((await ask('GET', '/portal/session', headers)).status).toBe(401);
});

test('a session ends when one signs out, and after eight hours', async () => {
  const { headers } = await signIn(network.apiKey);
  const out = await ask('DELETE', '/portal/session', headers);
  expect(out).toMatchObject({ status: 200, body: { success: true } });
  expect(out.cookie).toContain('castellan_session=; Path=/; Max-Age=0');
  expect((await ask('GET', users, headers)).status).toBe(401);
  expect((await ask('GET', '/portal/session', headers)).body).toMatchObject({ code: 'SessionEnded' });

  const late = await signIn(network.apiKey);
  ahead = 8 * 60 * 60 * 1000 - 5_000;
  expect((await ask('GET', '/portal/session', late.headers)).status).toBe(200);
  ahead += 10_000;
  expect((await ask('GET', '/portal/session', late.headers)).status).toBe(401);
  ahead = 0;
});

test('a link signs in once, within a day', async () => {
  const { keyId } = await network.app.services.authenticator.authenticate(network.apiKey);
  const { db } = network.app.core;
  const link = await createConsoleLink(db, keyId, Date.now());
  const first = await ask('POST', '/portal/session', {}, { link });
  expect(first.status).toBe(200);
  expect((await ask('POST', '/portal/session', {}, { link })).body).toMatchObject({ code: 'LinkUsed' });
  const old = await createConsoleLink(db, keyId, Date.now() - 25 * 60 * 60 * 1000);
  expect((await ask('POST', '/portal/session', {}, { link: old })).status).toBe(401);
});

test.each([
  [{}, 400],
  [{ api_key: 'x', link: 'y' }, 400],
  [{ api_key: 'wrong' }, 401],
  [{ link: 'wrong' }, 401],
])('what is no sign-in is refused: %j', async (body, status) => {
  const answer = await ask('POST', '/portal/session', {}, body);
  expect(answer.status).toBe(status);
  expect(answer.cookie).toBe('');
});

test.each(['', 'castellan_session', 'castellan_session=', 'a=b; castellan_session=wrong; c', '=;=;'])(
  'the cookie "%s" is nobody',
  async (cookie) => {
    expect((await ask('GET', users, { ...HEADER, cookie })).status).toBe(401);
  },
);

test('the first page leads a browser that is signed in to the console, and everybody else as before', async () => {
  const { headers } = await signIn(network.apiKey);
  const html = { accept: 'text/html' };
  expect((await ask('GET', '/', { ...html, cookie: headers.cookie })).headers.location).toBe('/console/');
  expect((await ask('GET', '/', html)).body).toContain('/console/');
  expect((await ask('GET', '/')).body).toMatchObject({ console: expect.stringMatching(/\/console\/$/) });
});

test('the pages are served with a strict policy, the files for ever, and nothing else', async () => {
  const page = await ask('GET', '/console/people/3');
  expect(page.status).toBe(200);
  const policy = String(page.headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('unsafe');
  expect(policy).toContain("frame-ancestors 'none'");
  const [script = ''] = /\/console\/file\/[\w.-]+\.js/.exec(String(page.body)) ?? [];
  const file = await ask('GET', script);
  expect(file.status).toBe(200);
  expect(file.headers['cache-control']).toContain('immutable');
  for (const name of ['missing.js', '..%2Fmain.js', '%2e%2e%2fpackage.json'])
    expect((await ask('GET', `/console/file/${name}`)).status).toBe(404);
});
