import type { Browser, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { launchBrowser } from './support/browser.js';
import { hasBrowser } from './support/browser-path.js';
import { expectGoodLook, signInToConsole } from './support/console.js';
import { type Network, startNetwork } from './support/network.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const WALLET = '00000000-0000-4000-8000-0000000000a1';

describe.skipIf(!hasBrowser)('requests that the console sends from a form', () => {
  let network: Network;
  let browser: Browser;
  let page: Page;
  let problems: readonly string[] = [];

  beforeAll(async () => {
    network = await startNetwork();
    const { organizationId } = await network.app.services.authenticator.authenticate(network.apiKey);
    await network.sql(
      `insert into wallet (id, organization_id, name, address, sealed_key, created_at)
       values ($1, $2, 'payments', $3, $4, now())`,
      [WALLET, organizationId, Buffer.alloc(20, 1), Buffer.alloc(4)],
    );
    await network.sql(
      `insert into collection (id, network, address, organization_id, wallet_id, config, created_at)
       values (gen_random_uuid(), 'base', $1, $2, $3, '{"name":"Harbour","symbol":"HRB"}', now())`,
      [Buffer.alloc(20, 3), organizationId, WALLET],
    );
    browser = await launchBrowser();
    ({ page, problems } = await signInToConsole(browser, network));
  });
  afterAll(async () => {
    await browser.close();
    await network.stop();
    expect(problems).toEqual([]);
  });

  /** Presses the button of the form. @returns what it sends */
  const send = async (path: RegExp): Promise<Request> => {
    const [request] = await Promise.all([
      page.waitForRequest((request) => path.test(request.url())),
      page.getByRole('button', { name: /^Send/ }).click(),
    ]);
    await page.getByRole('heading', { name: 'Response' }).waitFor();
    return request;
  };

  test('a collection leads to a form with its wallet, which is sent as a header', async () => {
    await page.goto(`${network.url}/console/collections`);
    await page.getByRole('link', { name: 'Mint', exact: true }).click();
    const field = page.getByLabel('x-wallet-id required, in the header');
    expect(await field.inputValue()).toBe(WALLET);
    const request = await send(/\/nft\/mint\//);
    expect(await request.headerValue('x-wallet-id')).toBe(WALLET);
    const answer = await (await request.response())?.text();
    expect(answer).not.toContain('x-wallet-id');
    await page.getByRole('tab', { name: 'curl' }).click();
    await page.getByText(`-H 'x-wallet-id: ${WALLET}'`).waitFor();
    await page.getByRole('tab', { name: 'JavaScript' }).click();
    await page.getByText(`"x-wallet-id": "${WALLET}",`).waitFor();
    await expectGoodLook(page, 'request-header');
  });

  test('what stands in the path is asked for, and encoded', async () => {
    await page.goto(`${network.url}/console/requests/fetch-nft-metadata`);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    expect(await page.locator('input:invalid').count()).toBe(2);
    await page.getByLabel('collection_id required, in the path').fill('one/two three');
    await page.getByLabel('token_id required, in the path').fill('7');
    const request = await send(/\/nft\/metadata\//);
    expect(new URL(request.url()).pathname).toBe('/v2/social/nft/metadata/one%2Ftwo%20three/7');
    const { searchParams } = new URL(page.url());
    expect(Object.fromEntries(searchParams)).toEqual({ collection_id: 'one/two three', token_id: '7' });
  });

  test('a credential in a header is sent, and not kept in the address of the page', async () => {
    await page.goto(`${network.url}/console/requests/fetch-sign-in`);
    await page.getByLabel('authorization in the header').fill('Bearer secret');
    const request = await send(/\/v1\/channel\/status/);
    expect(await request.headerValue('authorization')).toBe('Bearer secret');
    expect(page.url()).not.toContain('secret');
  });

  test('headers that the browser or the console sets are not asked for', async () => {
    await page.goto(`${network.url}/console/requests/fetch-session`);
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
    expect(await page.getByLabel(/in the header/).count()).toBe(0);
  });
});
