import type { Browser, Page, Route } from 'playwright-core';
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

  /** Answers each opening of the stream with the next of these, then opens it. @returns the queries of the openings */
  const answerStream = async (...answers: readonly Parameters<Route['fulfill']>[0][]): Promise<URLSearchParams[]> => {
    const openings: URLSearchParams[] = [];
    await page.route('**/v2/social/stream/**', (route) => {
      openings.push(new URL(route.request().url()).searchParams);
      const answer = answers[openings.length - 1];
      return answer === undefined ? route.continue() : route.fulfill(answer);
    });
    await page.goto(`${network.url}/console/live`);
    return openings;
  };
  const isLive = () => page.locator('.chip', { hasText: 'Live' }).waitFor();

  test('a stream begins anew if its last event is no longer kept', async () => {
    const openings = await answerStream({ status: 410, json: { message: 'That event is no longer kept.' } });
    await isLive();
    expect(openings.map((query) => query.has('since'))).toEqual([true, false]);
  });

  test.each([402, 403, 429])(
    'a stream that is refused with %d says why, and is opened with a button',
    async (status) => {
      const openings = await answerStream({ status, json: { message: 'Not with this plan.' } });
      await page.getByRole('alert').getByText('Not with this plan.').waitFor();
      await page.locator('.chip', { hasText: 'Stopped' }).waitFor();
      await page.getByRole('button', { name: 'Try again' }).click();
      await isLive();
      expect(await page.getByRole('alert').count()).toBe(0);
      expect(openings).toHaveLength(2);
    },
  );

  test('a stream that does not open is tried less and less often', async () => {
    const { page: other } = await signInToConsole(browser, network);
    await other.clock.install();
    const openings: number[] = [];
    await other.route('**/v2/social/stream/**', async (route) => {
      openings.push(await other.evaluate('Date.now()'));
      await route.fulfill({ status: 503, body: '' });
    });
    await other.goto(`${network.url}/console/live`);
    const passSecond = async (): Promise<number> => {
      await other.clock.fastForward(1_000);
      return openings.length;
    };
    await expect.poll(passSecond, { timeout: 50_000, interval: 20 }).toBe(8);
    const pauses = openings.slice(1).map((at, n) => (at - (openings[n] as number)) / 1_000);
    for (const [n, least] of [2, 4, 8, 16, 32, 60, 60].entries()) {
      expect(pauses[n]).toBeGreaterThanOrEqual(least);
      expect(pauses[n]).toBeLessThan(least + 20);
    }
    await other.context().close();
  });
});
