import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey, DEFAULT_ORGANIZATION_ID, revokeKey } from '../src/access/key.js';
import { operations } from '../src/api/operation-list.js';
import { createSecondApp, type SecondApp } from './support/app.js';
import { launchBrowser } from './support/browser.js';
import { browserPath } from './support/browser-path.js';
import { type Network, startNetwork } from './support/network.js';
import { FIDS, seedBasics } from './support/seed.js';

const PAGE = 'https://app.example';
let network: Network;
let app: SecondApp;
beforeAll(async () => {
  network = await startNetwork({ CASTELLAN_PUBLIC_READS_PER_ADDRESS: '1000' });
  await seedBasics((items) => network.load(items));
  app = await createSecondApp(network);
});
afterAll(() => network.stop());

const ask = async (path: string, headers: Record<string, string> = { origin: PAGE }) => {
  const { statusCode, headers: received, body } = await request(`${network.url}${path}`, { headers });
  // biome-ignore lint/suspicious/noExplicitAny: tests read members of whatever came
  return { status: statusCode, headers: received, body: (await body.json()) as any };
};
const setOrigins = (origins: readonly string[], { headers } = app) =>
  network.send('PUT', '/portal/app/origins', { origins }, headers);
const users = (clientId = app.id) => `/v2/farcaster/user/bulk?fids=${FIDS.alice}&client_id=${clientId}`;

test('a page on the list of its app reads without a key; another page, a script and another app do not', async () => {
  expect(await ask(users())).toMatchObject({ status: 401, body: { property: 'client_id' } });
  expect((await setOrigins([PAGE, 'http://localhost:3000', PAGE])).body).toEqual({
    app_uuid: app.id,
    origins: [PAGE, 'http://localhost:3000'],
  });
  // An app is cached for a second.
  await expect.poll(async () => (await ask(users())).status, { timeout: 5000 }).toBe(200);
  const read = await ask(users());
  expect(read).toMatchObject({ status: 200, body: { users: [{ fid: FIDS.alice }] } });
  expect(read.headers['access-control-allow-origin']).toBe('*');
  expect(read.headers.vary).toContain('origin');
  expect((await ask(users(app.id.toUpperCase()))).status).toBe(200);
  const other = await createSecondApp(network);
  for (const [path, headers] of [
    [users(), { origin: 'https://app.example.evil.example' }],
    [users(), { origin: 'http://app.example' }],
    [users(), { origin: 'null' }],
    [users(), {}],
    [users(), { referer: `${PAGE}/` }],
    [users(other.id), { origin: PAGE }],
    [users('00000000-0000-0000-0000-000000000000'), { origin: PAGE }],
    [users('no-uuid'), { origin: PAGE }],
  ] as const)
    expect(await ask(path, headers), path).toMatchObject({ status: 401, body: { property: 'client_id' } });
  // On the local network, pages of this machine read for every app.
  expect((await ask(users(other.id), { origin: 'http://localhost:5173' })).status).toBe(200);
  expect((await ask(users(other.id), { origin: 'http://localhost.evil.example' })).status).toBe(401);
});

test('who may read in the name of an app is in the log of changes', async () => {
  await setOrigins([PAGE]);
  const { body } = await network.get(`/operator/organization/log?organization_uuid=${DEFAULT_ORGANIZATION_ID}&limit=1`);
  expect(body.changes[0]).toMatchObject({ action: 'app.changed', detail: { appId: app.id, browserOrigins: [PAGE] } });
});

test('it never writes, and never reads what belongs to an app', async () => {
  let open = 0;
  for (const { id, method, path, scope, needsApp, waitsOutside } of operations) {
    if (scope === 'public' || id === 'fetch-authorization-url') continue;
    const { statusCode: status, body } = await request(`${network.url}${path}?client_id=${app.id}`, {
      method,
      headers: { origin: PAGE },
    });
    await body.dump();
    const isOpen = scope === 'read' && !needsApp && waitsOutside !== true;
    expect([id, status === 401]).toEqual([id, !isOpen]);
    open += isOpen ? 1 : 0;
  }
  expect(open).toBeGreaterThan(60);
});

test("the app's bans hold, and its organization is billed", async () => {
  await network.send('POST', '/v2/social/ban/', { fids: [FIDS.bob] }, app.headers);
  const followers = `/v2/social/followers/?fid=${FIDS.alice}&client_id=${app.id}`;
  const shown = async () => (await ask(followers)).body.users.map(({ user }: { user: { fid: number } }) => user.fid);
  expect(await shown()).not.toContain(FIDS.bob);
  expect((await network.get(`/v2/social/followers/?fid=${FIDS.alice}`)).body.users).toHaveLength(3);
  expect(Number((await ask(users())).headers['x-compute-units'])).toBeGreaterThan(0);
});

test('a bracket of the React components is cut, and of no others', async () => {
  const path = `/v2/farcaster/user/bulk?fids=${FIDS.alice}&viewer_fid=${FIDS.dan})&client_id=${app.id})`;
  const headers = { origin: PAGE, 'x-sdk': 'react' };
  expect((await ask(path, headers)).body.users[0].viewer_context.following).toBe(true);
  expect((await ask(path)).status).toBe(401);
});

test('an app without a working key reads nothing a second later', async () => {
  const db = network.app.core.db;
  const revoked = await createSecondApp(network, ['webhook']);
  const key = await createKey(db, { name: 'reads', appId: revoked.id, scopes: ['read', 'portal'], now: new Date() });
  await setOrigins([PAGE], { ...revoked, headers: { 'x-api-key': key.secret } });
  expect((await ask(users(revoked.id))).status).toBe(200);
  await revokeKey(db, { id: key.id, now: new Date() });
  await expect.poll(async () => (await ask(users(revoked.id))).status, { timeout: 5000 }).toBe(401);
  expect(await ask(users(revoked.id))).toMatchObject({ status: 401, body: { property: 'client_id' } });
});

test('origins have no path, no wildcard and no other scheme', async () => {
  for (const origin of [
    'https://app.example/page',
    '*',
    'https://*.example/x',
    'ftp://app.example',
    'app.example',
    'https://a@b.example',
  ])
    expect(await setOrigins([origin]), origin).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^origins must be like/) },
    });
  expect((await setOrigins(['HTTPS://App.Example:443/'])).body.origins).toEqual([PAGE]);
  expect((await setOrigins(Array.from({ length: 21 }, (_, n) => `https://a${n}.example`))).status).toBe(400);
});

test.skipIf(browserPath === undefined)(
  'a page in a browser reads, with the headers of the React components',
  async () => {
    const pages = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('<p>page'));
    await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
    const origin = `http://localhost:${(pages.address() as AddressInfo).port}`;
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage();
      await page.goto(origin);
      const found = await page.evaluate(async (url) => {
        const headers = { 'x-sdk': 'react', 'x-sdk-version': '1.2.22' };
        const response = await fetch(url, { headers });
        return { status: response.status, body: await response.json() };
      }, `${network.url}${users()}`);
      expect(found).toMatchObject({ status: 200, body: { users: [{ fid: FIDS.alice }] } });
    } finally {
      await browser.close();
      pages.close();
    }
  },
);
