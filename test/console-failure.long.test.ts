import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { addLocalKey } from '../src/cli/dev/local-chain.js';
import { toHex } from '../src/hex.js';
import { launchBrowser } from './support/browser.js';
import { hasBrowser } from './support/browser-path.js';
import { expectGoodLook, signInToConsole } from './support/console.js';
import { type Network, startNetwork } from './support/network.js';
import { FIDS, seedBasics } from './support/seed.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

interface Sent {
  readonly idem: string;
  readonly notification: { readonly uuid: string };
}

describe.skipIf(!hasBrowser)('the console while the service refuses or does not answer', () => {
  let network: Network;
  let hello: string;
  let browser: Browser;
  let page: Page;
  let problems: readonly string[] = [];

  beforeAll(async () => {
    network = await startNetwork({}, undefined, { addLocalKey });
    const { casts } = await seedBasics((items) => network.load(items));
    hello = toHex(casts.hello.hash);
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

  /** The first request arrives, but not its answer. @returns the bodies of all requests */
  const loseAnswer = async (path: string, answer?: object): Promise<Sent[]> => {
    const bodies: Sent[] = [];
    await page.route(`**${path}`, async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      bodies.push(route.request().postDataJSON());
      if (bodies.length > 1) return answer === undefined ? route.continue() : route.fulfill({ json: answer });
      if (answer === undefined) await route.fetch();
      return route.abort();
    });
    return bodies;
  };
  const isLost = () => page.getByRole('alert').getByText('The service does not answer.').waitFor();

  test('a cast whose answer was lost is sent again as the same cast, and the next one is another', async () => {
    const { body: signer } = await network.send('POST', '/v2/social/signer/', undefined);
    await network.send('POST', '/portal/signer/approve', { signer_uuid: signer.signer_uuid, fid: FIDS.bob });
    const bodies = await loseAnswer('/v2/social/cast/');
    await page.goto(`${network.url}/console/write`);
    const send = async (text: string) => {
      await page.getByLabel('Text').fill(text);
      await page.getByRole('button', { name: 'Cast', exact: true }).click();
    };
    await send('said once');
    await isLost();
    await page.getByRole('button', { name: 'Cast', exact: true }).click();
    await page.getByRole('link', { name: 'See the cast' }).waitFor();
    await send('said later');
    await expect.poll(() => bodies.length).toBe(3);
    await page.getByRole('link', { name: 'See the cast' }).waitFor();
    expect(bodies[0]?.idem).toMatch(/^[0-9a-f-]{36}$/);
    expect(bodies[1]).toEqual(bodies[0]);
    expect(bodies[2]?.idem).not.toBe(bodies[0]?.idem);
    const { body } = await network.get(`/v2/social/feed/user/casts/?fid=${FIDS.bob}&limit=25`);
    const texts = body.casts.map(({ text }: { text: string }) => text);
    expect(texts.filter((text: string) => text.startsWith('said '))).toEqual(['said later', 'said once']);
  });

  test('a reply whose answer was lost is sent again as the same reply', async () => {
    const bodies = await loseAnswer('/v2/social/cast/');
    await page.evaluate(`sessionStorage.setItem('castellan.actor', '${FIDS.bob}')`);
    await page.goto(`${network.url}/console/casts/${hello}`);
    await page.locator('article.here').getByRole('button', { name: 'Reply', exact: true }).click();
    await page.getByLabel('Reply to alice').fill('replied once');
    await page.getByRole('button', { name: 'Send the reply' }).click();
    await isLost();
    await page.getByRole('button', { name: 'Send the reply' }).click();
    await page.locator('.reply').getByText('replied once').first().waitFor();
    expect(await page.locator('.reply').getByText('replied once').count()).toBe(1);
    expect(bodies[1]).toEqual(bodies[0]);
  });

  test('a notification is confirmed first, and not sent twice if its answer was lost', async () => {
    const { appId } = await network.app.services.authenticator.authenticate(network.apiKey);
    await network.sql('insert into mini_app (app_id, domain) values ($1, $2)', [appId, 'own.example']);
    const bodies = await loseAnswer('/v2/social/frame/notifications/', { success_count: 2 });
    await page.goto(`${network.url}/console/mini-apps`);
    await page.getByRole('button', { name: 'Notify its users' }).click();
    const notify = async (title: string) => {
      await page.getByLabel('Title').fill(title);
      await page.getByRole('button', { name: 'Notify all who allowed it' }).click();
      expect(await page.getByRole('button', { name: 'Notify all of them' }).isDisabled()).toBe(true);
      await page.getByLabel('Type own.example').fill('own.example');
      await page.getByRole('button', { name: 'Notify all of them' }).click();
    };
    await page.getByLabel('Text').fill('Somebody answered you.');
    await notify('Your move');
    await isLost();
    await expectGoodLook(page, 'notification');
    await page.getByRole('button', { name: 'Notify all of them' }).click();
    await page.getByText('Sent to 2 users.').waitFor();
    await notify('Your move');
    await expect.poll(() => bodies.length).toBe(3);
    const ids = bodies.map(({ notification }) => notification.uuid);
    expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(ids[1]).toBe(ids[0]);
    expect(ids[2]).not.toBe(ids[0]);
  });
});
