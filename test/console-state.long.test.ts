import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { launchBrowser } from './support/browser.js';
import { hasBrowser } from './support/browser-path.js';
import { expectGoodLook, signInToConsole } from './support/console.js';
import { type Network, startNetwork } from './support/network.js';
import { seedBasics } from './support/seed.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const CHECKS = { database: { ok: true }, writes: { ok: true }, migrations: { ok: true }, ingest: { ok: true } };

describe.skipIf(!hasBrowser)('what the console says about the state of the service', () => {
  let network: Network;
  let browser: Browser;
  let page: Page;
  let problems: readonly string[] = [];

  beforeAll(async () => {
    network = await startNetwork({ CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true' }, undefined, {
      timings: { databaseMs: 200 },
    });
    await seedBasics((items) => network.load(items));
    browser = await launchBrowser();
    ({ page, problems } = await signInToConsole(browser, network));
  });
  afterEach(() => page.unrouteAll());
  afterAll(async () => {
    await browser.close();
    await network.stop();
    // Tests let requests fail, which the browser itself reports.
    expect(problems.filter((one) => !/net::ERR_(FAILED|INTERNET_DISCONNECTED)/.test(one))).toEqual([]);
  });

  const title = (text: string) => page.getByRole('heading', { level: 1, name: text, exact: true }).waitFor();
  const openHome = () => page.goto(`${network.url}/console/`);
  const answerHealth = (status: number, body: object | string) =>
    page.route('**/health/ready', (route) =>
      typeof body === 'string'
        ? route.fulfill({ status, body, contentType: 'text/html' })
        : route.fulfill({ status, json: body }),
    );

  test('a service that is not ready is not called well, and Health says which check fails', async () => {
    const [removed] = await network.sql<{ name: string }>(
      'delete from migration where name = (select max(name) from migration) returning name',
    );
    const name = removed?.name as string;
    try {
      await openHome();
      await title('The service is not ready');
      await page.getByText('One thing needs a look.').waitFor();
      await page.locator('.card .list', { hasText: name }).waitFor();
      await page.goto(`${network.url}/console/health`);
      await title('The service is not ready');
      await page.getByText(`not applied: ${name}`).first().waitFor();
      const database = page.locator('.list > div', { has: page.getByText('database', { exact: true }) });
      await database.getByText('Holds').waitFor();
      await expectGoodLook(page, 'health-unavailable');
    } finally {
      await network.sql('insert into migration (name) values ($1)', [name]);
    }
    await title('The service is ready');
  });

  test('a service that cannot be reached at first is asked again', async () => {
    await page.route('**/portal/session', (route) => route.abort());
    await openHome();
    await page.getByRole('alert').getByText('The session could not be read').waitFor();
    await page.unroute('**/portal/session');
    await title('Everything is up to date');
  });

  test.each([
    ['a proxy without a service behind it', () => answerHealth(502, '<h1>Bad Gateway</h1>'), 'status 502'],
    ['an error in place of a state', () => answerHealth(500, { code: 'x', message: 'Went wrong.' }), 'Went wrong.'],
    ['no answer', () => page.route('**/health/ready', (route) => route.abort()), 'The service does not answer.'],
  ])('%s counts as unavailable', async (_, prepare, reason) => {
    await prepare();
    await openHome();
    await title('The service is not ready');
    await page.locator('.list > div', { hasText: 'The service' }).getByText(reason).waitFor();
    await page.locator('.chip', { hasText: 'Not ready' }).waitFor();
    await page.goto(`${network.url}/console/health`);
    await title('The service is not ready');
    await page.getByRole('alert').getByText(reason).waitFor();
    expect(await page.getByText('Holds').count()).toBe(0);
  });

  test('a browser without a network does not show what was true before', async () => {
    await page.goto(`${network.url}/console/health`);
    await title('The service is ready');
    await page.context().setOffline(true);
    try {
      await title('The service is not ready');
    } finally {
      await page.context().setOffline(false);
    }
    await title('The service is ready');
  });

  test.each(['operator/status', 'portal/webhooks'])('nothing is called well while /%s cannot be read', async (path) => {
    await page.route(`**/${path}`, (route) => route.fulfill({ status: 400, json: { message: 'Not today.' } }));
    await openHome();
    await title('The service is ready');
    await page.getByText('One thing needs a look.').waitFor();
    await page.locator('.list > div', { hasText: 'Not today.' }).getByText('Not read').waitFor();
  });

  test('a note of a check that holds is shown, and needs no look', async () => {
    const note = '1 of 2 are read from; replica 2 is behind';
    await answerHealth(200, { status: 'ready', checks: { ...CHECKS, replicas: { ok: true, note } } });
    await openHome();
    await title('Everything is up to date');
    await page.getByText('nothing waits for you').waitFor();
    await page.getByText('Nothing does.').waitFor();
    await page.getByText(note).waitFor();
  });

  test('a first sync needs no look, and is not called up to date', async () => {
    const ingest = { ok: true, note: 'first sync: 12 of 300 accounts' };
    await answerHealth(200, { status: 'ready', checks: { ...CHECKS, ingest } });
    await openHome();
    await title('The service is ready');
    await page.getByText('nothing waits for you').waitFor();
  });

  test('a webhook that its owner turned off needs no look, one that the service switched off does', async () => {
    const hook = { name: 'resting', url: 'http://127.0.0.1:9/', subscription: { 'user.created': {} } };
    const { body } = await network.send('POST', '/v2/social/webhook/', hook);
    const id = body.webhook.webhook_id;
    await network.send('PATCH', '/v2/social/webhook/', { webhook_id: id, active: 'false' });
    await openHome();
    await title('Everything is up to date');
    expect(await page.getByRole('link', { name: /need a look/ }).count()).toBe(0);
    await network.sql('update webhook set inactive_reason = $1 where id = $2', ['It answered with 410.', id]);
    await openHome();
    await page.getByRole('link', { name: 'Webhooks 1 need a look' }).waitFor();
    await page.locator('.list > div', { hasText: 'It answered with 410.' }).waitFor();
    await network.send('DELETE', '/v2/social/webhook/', { webhook_id: id });
  });

  test('the requests of all organizations have no figures of the own one', async () => {
    await network.get('/v2/social/user/bulk/?fids=nobody');
    await page.goto(`${network.url}/console/log`);
    await expect
      .poll(async () => {
        await page.getByRole('button', { name: 'Read again' }).click();
        return page.getByRole('heading', { level: 1 }).textContent();
      })
      .toMatch(/failed in the last hour/);
    await page.getByRole('heading', { name: 'By minute' }).waitFor();
    await page.getByLabel('Of', { exact: true }).selectOption('all');
    await title('Requests of all organizations');
    await page.getByText('Requests with the keys of all organizations').waitFor();
    expect(await page.getByRole('heading', { name: 'By minute' }).count()).toBe(0);
    await page.getByRole('cell', { name: 'fetch-bulk-users' }).first().waitFor();
    await expectGoodLook(page, 'log-all');
  });

  test('Health says whose memory the last day is', async () => {
    await page.goto(`${network.url}/console/health`);
    await page.getByRole('heading', { name: 'Last day of one process' }).waitFor();
    await page.getByText('each process of the service has a memory of its own').waitFor();
  });
});
