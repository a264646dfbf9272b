import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { addLocalKey } from '../src/cli/dev/local-chain.js';
import { SCOPES } from '../src/schema/scope.js';
import { createSecondApp, keyWith } from './support/app.js';
import { launchBrowser } from './support/browser.js';
import { hasBrowser } from './support/browser-path.js';
import { enterKey, expectGoodLook, signInToConsole } from './support/console.js';
import { type Network, startNetwork } from './support/network.js';
import { seedBasics } from './support/seed.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const keyOf = (headers: Readonly<Record<string, string>>): string => headers['x-api-key'] as string;

describe.skipIf(!hasBrowser)('sessions of the console', () => {
  let network: Network;
  let browser: Browser;
  let page: Page;
  let problems: readonly string[] = [];

  beforeAll(async () => {
    // Nothing listens there: whether a chain is configured is all that the pages ask.
    const chain = { CASTELLAN_RPC_BASE: 'http://127.0.0.1:9/' };
    network = await startNetwork({ ...chain, CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true' }, undefined, { addLocalKey });
    await seedBasics((items) => network.load(items));
    browser = await launchBrowser();
    ({ page, problems } = await signInToConsole(browser, network));
  });
  afterAll(async () => {
    await browser.close();
    await network.stop();
    expect(problems).toEqual([]);
  });

  const open = (section: string): Promise<void> =>
    page
      .getByRole('complementary')
      .getByRole('link', { name: new RegExp(`^${section}( \\d|$)`) })
      .click();
  const panel = () => page.getByRole('complementary', { name: 'How this page is made' });
  const openPanel = async () => {
    await page.getByRole('button', { name: 'How this page is made' }).click();
    await panel().waitFor();
  };
  const closePanel = () => panel().getByRole('button', { name: 'Close' }).click();
  /** @returns the requests of the panel: `POST/portal/keys` */
  const listed = () => panel().locator('.asked').allTextContents();

  test('what signs in or out is never among the requests of a page', async () => {
    await openPanel();
    await expect.poll(listed).toContain('GET/health/ready');
    expect((await listed()).filter((one) => one.includes('/portal/session'))).toEqual([]);
    await page.goto(`${network.url}/console/requests/create-session`);
    await page.getByLabel('Body').fill(JSON.stringify({ api_key: network.apiKey }));
    await page.getByRole('button', { name: 'Send POST' }).click();
    await page.getByText('"key_uuid"').waitFor();
    await openPanel();
    expect((await listed()).filter((one) => one.includes('/portal/session'))).toEqual([]);
    expect(await panel().textContent()).not.toContain(network.apiKey);
    await closePanel();
  });

  const createKey = async (name: string): Promise<void> => {
    await open('Keys');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByRole('button', { name: 'Create the key' }).click();
  };

  test('the secret of a new key leaves the panel with its page', async () => {
    await createKey('shown');
    await page.locator('.secret').waitFor();
    await openPanel();
    await expect.poll(listed).toContain('POST/portal/keys');
    await open('Usage');
    await expect.poll(listed).not.toContain('POST/portal/keys');
    await closePanel();
  });

  test('the secret of a key that is made after its page was left does not come into the panel of the next', async () => {
    const held: Route[] = [];
    await page.route('**/portal/keys', (route) => {
      if (route.request().method() === 'POST') held.push(route);
      else void route.continue();
    });
    await createKey('late');
    await expect.poll(() => held.length).toBe(1);
    await open('Usage');
    await openPanel();
    const answered = page.waitForResponse((answer) => answer.request().method() === 'POST');
    await held[0]?.continue();
    await (await answered).finished();
    // What this asks for is answered after it, and the page stays the same.
    await page.getByRole('link', { name: 'Last 7 days' }).click();
    await expect.poll(async () => (await listed()).join()).toMatch(/from=/);
    expect(await listed()).not.toContain('POST/portal/keys');
    await closePanel();
    await page.unroute('**/portal/keys');
  });

  const readWebhooksOfOther = async (): Promise<void> => {
    const other = await createSecondApp(network);
    const held: Route[] = [];
    await page.route('**/v2/social/webhook/list/', (route) => void held.push(route));
    await enterKey(page, keyOf(other.headers));
    await expect.poll(() => held.length).toBeGreaterThan(0);
    await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor();
    expect(await page.getByText('of the first app').count()).toBe(0);
    await Promise.all(held.map((route) => route.continue()));
    await page.unroute('**/v2/social/webhook/list/');
    await page.getByText('Nothing is sent anywhere').waitFor();
    expect(await page.evaluate("sessionStorage.getItem('castellan.actor')")).toBeNull();
  };

  const chooseActor = async (): Promise<void> => {
    await page.goto(`${network.url}/console/people`);
    await page.getByRole('button', { name: 'Act as' }).click();
    await page.getByRole('button', { name: /@bob/ }).click();
    await page.getByRole('button', { name: /^Act as Bob/ }).waitFor();
  };

  test('signing out forgets what was read and chosen', async () => {
    const hook = { name: 'of the first app', url: 'http://127.0.0.1:9/', subscription: { 'cast.created': {} } };
    expect((await network.send('POST', '/v2/social/webhook/', hook)).status).toBe(200);
    await chooseActor();
    await open('Webhooks');
    await page.getByText('of the first app').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in with an API key' }).waitFor();
    await readWebhooksOfOther();
  });

  test('a revoked key ends the session, and forgets the same', async () => {
    const { body } = await network.send('POST', '/portal/keys', { name: 'to revoke', scopes: SCOPES });
    await page.getByRole('button', { name: 'Sign out' }).click();
    await enterKey(page, body.secret);
    await chooseActor();
    await open('Webhooks');
    await page.getByText('of the first app').waitFor();
    await network.send('DELETE', '/portal/key', { key_uuid: body.key.uuid });
    await page.getByRole('heading', { name: 'Sign in with an API key' }).waitFor();
    await readWebhooksOfOther();
  });

  test('what one tab signs into, the others show, too', async () => {
    const context = await browser.newContext();
    const [one, other] = [await context.newPage(), await context.newPage()];
    await one.goto(`${network.url}/console/`);
    await enterKey(one, network.apiKey);
    await one.getByRole('link', { name: 'Webhooks' }).waitFor();
    await other.goto(`${network.url}/console/`);
    await other.getByRole('button', { name: 'Sign out' }).click();
    await one.getByRole('heading', { name: 'Sign in with an API key' }).waitFor();
    await enterKey(other, keyOf(await keyWith(network, 'read', 'portal')));
    await one.getByRole('link', { name: 'Usage' }).waitFor();
    expect(await one.getByRole('link', { name: 'Webhooks' }).count()).toBe(0);
    await context.close();
  });

  test('a request that lacks a scope fails, and the session stays', async () => {
    const refusal = { code: 'InsufficientScope', message: 'This API key lacks the scope read.' };
    await page.route('**/v2/social/channel/trending/**', (route) => route.fulfill({ status: 401, json: refusal }));
    const asked = page.waitForResponse((answer) => answer.url().endsWith('/portal/session'));
    await open('Channels');
    await page.getByRole('alert').getByText(refusal.message).waitFor();
    expect((await asked).status()).toBe(200);
    await page.getByRole('heading', { name: 'Channels' }).waitFor();
    await page.unroute('**/v2/social/channel/trending/**');
  });

  test.each(SCOPES)('a key with the scope %s alone is refused nothing that the pages ask', async (scope) => {
    const { organizationId } = await network.app.services.authenticator.authenticate(network.apiKey);
    await network.sql(
      `insert into wallet (id, organization_id, name, address, sealed_key, created_at)
       values ('00000000-0000-4000-8000-0000000000a1', $1, 'payments', $2, $3, now()) on conflict do nothing`,
      [organizationId, Buffer.alloc(20, 1), Buffer.alloc(4)],
    );
    const own = await browser.newPage();
    const refused: string[] = [];
    own.on('response', (answer) => {
      const { pathname } = new URL(answer.url());
      if ([401, 403].includes(answer.status()) && pathname !== '/portal/session') refused.push(pathname);
    });
    await own.goto(`${network.url}/console/`);
    await enterKey(own, keyOf(await keyWith(network, scope)));
    const links = own.getByRole('complementary').getByRole('link');
    for (const section of await links.evaluateAll((all) => all.map((one) => one.getAttribute('href')))) {
      await own.locator(`aside a[href="${section}"]`).last().click();
      await own.locator(`aside a[href="${section}"][aria-current="page"]`).first().waitFor();
      await own.getByRole('heading', { level: 1 }).waitFor();
      await expect.poll(() => own.locator('main [aria-busy]').count()).toBe(0);
    }
    await own.getByRole('combobox').fill('alice');
    await own
      .getByText(scope === 'read' ? '@alice' : 'Nothing found')
      .first()
      .waitFor();
    for (const path of ['people', 'wallets?wallet=00000000-0000-4000-8000-0000000000a1']) {
      await own.goto(`${network.url}/console/${path}`);
      await own.getByRole('heading', { level: 1 }).waitFor();
      await expect.poll(() => own.locator('main [aria-busy]').count()).toBe(0);
    }
    expect(refused).toEqual([]);
    await own.getByRole('button', { name: 'Sign out' }).waitFor();
    await own.context().close();
  });

  test('on a phone, too, one can sign out', async () => {
    const phone = await signInToConsole(browser, network, { viewport: { width: 390, height: 844 } });
    await expectGoodLook(phone.page, 'home-phone');
    await phone.page.setViewportSize({ width: 390, height: 844 });
    await phone.page.getByRole('button', { name: 'Sign out' }).click();
    await phone.page.getByLabel('API key').waitFor();
    await phone.page.context().close();
  });

  test('whoever may not read makes a key for what they may', async () => {
    const other = await browser.newPage();
    await other.goto(`${network.url}/console/keys`);
    await enterKey(other, keyOf(await keyWith(network, 'portal', 'operator')));
    await other.getByRole('button', { name: 'Create a key' }).click();
    await other.getByLabel('Name', { exact: true }).fill('of the portal');
    expect(await other.getByRole('button', { name: 'Create the key' }).isDisabled()).toBe(true);
    await other.getByRole('checkbox', { name: /^portal/ }).check();
    await other.getByRole('button', { name: 'Create the key' }).click();
    await other.locator('.secret').waitFor();
    await other.context().close();
  });
});
