import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { addLocalKey } from '../src/cli/dev/local-chain.js';
import { launchBrowser } from './support/browser.js';
import { hasBrowser } from './support/browser-path.js';
import { signInToConsole } from './support/console.js';
import { type Network, startNetwork } from './support/network.js';
import { FIDS, seedBasics } from './support/seed.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

describe.skipIf(!hasBrowser)('the console while the service refuses or does not answer', () => {
  let network: Network;
  let browser: Browser;
  let page: Page;
  let problems: readonly string[] = [];

  beforeAll(async () => {
    network = await startNetwork({}, undefined, { addLocalKey });
    await seedBasics((items) => network.load(items));
    browser = await launchBrowser();
    ({ page, problems } = await signInToConsole(browser, network));
  });
  afterEach(() => page.unrouteAll());
  afterAll(async () => {
    await browser.close();
    await network.stop();
    expect(problems.filter((one) => !one.includes('net::ERR_FAILED'))).toEqual([]);
  });

  test('a next page that is refused is asked for again only with the button', async () => {
    let asked = 0;
    await page.route(/social\/followers\/\?/, (route) => {
      if (!route.request().url().includes('cursor='))
        return route.fulfill({ json: { users: [], next: { cursor: '2' } } });
      asked += 1;
      return asked === 1
        ? route.fulfill({ status: 400, json: { message: 'The cursor is too old.' } })
        : route.fulfill({ json: { users: [], next: { cursor: null } } });
    });
    await page.goto(`${network.url}/console/people/${FIDS.alice}?tab=followers`);
    await page.locator('.more').getByRole('alert').getByText('The cursor is too old.').waitFor();
    await page.waitForLoadState('networkidle');
    expect(asked).toBe(1);
    expect(await page.getByRole('alert').count()).toBe(1);
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.locator('.more').waitFor({ state: 'detached' });
    expect(asked).toBe(2);
  });
});
