import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { addLocalKey } from '../src/cli/dev/local-chain.js';
import { launchBrowser } from './support/browser.js';
import { hasBrowser } from './support/browser-path.js';
import { expectGoodLook, signInToConsole } from './support/console.js';
import { type Network, startNetwork } from './support/network.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** A name that the browser does not take for its own machine: pages of it lack what needs https. */
const HOST = 'castellan.test';

describe.skipIf(!hasBrowser)('the console over http, from another machine', () => {
  let network: Network;
  let seeded: Seeded;
  let browser: Browser;
  let page: Page;
  let url: string;
  let problems: readonly string[] = [];

  beforeAll(async () => {
    network = await startNetwork({ CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true' }, undefined, { addLocalKey });
    seeded = await seedBasics((items) => network.load(items));
    browser = await launchBrowser([`--host-resolver-rules=MAP ${HOST} 127.0.0.1`]);
    url = network.url.replace('127.0.0.1', HOST);
    ({ page, problems } = await signInToConsole(browser, { ...network, url }));
  });
  afterAll(async () => {
    await browser.close();
    await network.stop();
    expect(problems).toEqual([]);
  });

  const selected = async (): Promise<unknown> => {
    await page.getByText('The browser does not let this page copy.').waitFor();
    return page.evaluate(`(({ value, selectionStart, selectionEnd }) => value.slice(selectionStart, selectionEnd))(
      document.activeElement,
    )`);
  };

  test('an address that cannot be copied is shown whole and selected, until the next click', async () => {
    await page.goto(`${url}/console/people/${FIDS.alice}`);
    const { address } = seeded.alice.custody.account;
    const button = page.getByTitle(`Copy ${address.toLowerCase()}`);
    await button.click();
    expect(await selected()).toBe(address.toLowerCase());
    await expectGoodLook(page, 'copy-address');
    await button.click();
    expect(await page.getByLabel('Text to copy').count()).toBe(0);
  });

  test('the secret of a webhook is shown', async () => {
    const hook = { name: 'orders', url: 'http://127.0.0.1:9/', subscription: { 'user.created': {} } };
    const { webhook } = (await network.send('POST', '/v2/social/webhook/', hook)).body;
    await page.goto(`${url}/console/webhooks/${webhook.webhook_id}`);
    await page.getByRole('button', { name: 'Copy the secret of its signatures' }).click();
    expect(await selected()).toBe(webhook.secrets[0].value);
    await expectGoodLook(page, 'copy-secret');
  });

  test('the command of a request is shown with all its lines', async () => {
    await page.goto(`${url}/console/channels`);
    await page.getByRole('button', { name: 'How this page is made' }).click();
    const panel = page.getByRole('complementary', { name: 'How this page is made' });
    await panel.getByRole('button', { name: 'Copy' }).click();
    expect(await selected()).toMatch(/^curl -s .*\\\n {2}'http.*'$/);
    await expectGoodLook(page, 'copy-command');
  });

  test('a cast is sent', async () => {
    const { body: signer } = await network.send('POST', '/v2/social/signer/', undefined);
    await network.send('POST', '/portal/signer/approve', { signer_uuid: signer.signer_uuid, fid: FIDS.bob });
    await page.goto(`${url}/console/write`);
    await page.getByLabel('Text').fill('Said over http.');
    await page.getByRole('button', { name: 'Cast', exact: true }).click();
    await page.getByRole('link', { name: 'See the cast' }).waitFor();
  });
});
