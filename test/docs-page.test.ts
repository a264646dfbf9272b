import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXAMPLE_HASH } from '../src/schema/example.js';
import { launchBrowser } from './support/browser.js';
import { hasBrowser } from './support/browser-path.js';
import { type Network, startNetwork } from './support/network.js';
import { FIDS, seedBasics } from './support/seed.js';

describe.runIf(hasBrowser)('the reference page in a real browser', () => {
  let network: Network;
  let browser: Browser;

  beforeAll(async () => {
    network = await startNetwork();
    await seedBasics(network.load);
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await network.stop();
  });

  test('shows the operations, and asks nobody but this service', async () => {
    const page = await browser.newPage();
    const asked: string[] = [];
    const faults: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    page.on('pageerror', (error) => faults.push(error.message));
    await page.goto(`${network.url}/docs`);
    await page.getByRole('heading', { name: 'Castellan' }).waitFor();
    await page.getByRole('button', { name: 'Hub Casts' }).first().click();
    await page.getByText('List cast messages of an account').first().click();
    await page.getByText('/v1/castsByFid').first().waitFor();
    await page.getByText('Costs 200 compute units.').first().waitFor();
    const foreign = asked.filter((url) => !url.startsWith(network.url) && !/^(data|blob):/.test(url));
    expect(foreign).toEqual([]);
    expect(faults).toEqual([]);
    await page.close();
  });

  test('names operations in words, says what parameters mean, and shows an example of a body', async () => {
    const page = await browser.newPage();
    await page.goto(`${network.url}/docs`);
    await page.getByText('Cast', { exact: true }).first().click();
    await page.getByText('Get a conversation').first().click();
    await page.getByText('The account that looks at the results').first().waitFor();
    await page.getByText('Publish a cast').first().click();
    await page.getByText('Hello @lantern, sent from the reference.').first().waitFor();
    const text = await page.locator('body').textContent();
    expect(text).not.toContain('32-bit');
    const entries = await page.locator('aside, nav').allInnerTexts();
    expect(entries.join('\n')).not.toContain('/v2/social/');
    await page.close();
  });

  test('has a request to copy that is answered, without empty headers, and a real response beside it', async () => {
    const page = await browser.newPage();
    await page.goto(`${network.url}/docs`);
    await page.getByText('NFTs', { exact: true }).first().click();
    await page.getByText('Mint NFTs').first().click();
    await page.getByText("'x-wallet-id: 00000000-0000-4000-8000-0000000000de'").first().waitFor();
    await page.getByText('Cast', { exact: true }).first().click();
    await page.getByText('Get a cast', { exact: true }).first().click();
    await page.getByText('"Welcome to the sample network. Reply, like').first().waitFor();
    const [text = ''] = await page.locator('body').allInnerTexts();
    const [line = ''] = /curl '[^']*\/v2\/social\/cast\/\?[\s\S]*?(?=\n\n)/.exec(text) ?? [];
    const query = `identifier=${EXAMPLE_HASH.root}&type=hash&viewer_fid=3`;
    expect(line.split(' \\\n').map((part) => part.trim())).toEqual([
      `curl '${network.url}/v2/social/cast/?${query}'`,
      "--header 'x-api-key: YOUR_SECRET_TOKEN'",
    ]);
    expect(text).not.toMatch(/--header '[\w-]+: *'/);
    await page.close();
  });

  test('links a page that says what calls cost: all in one table, and how costs work', async () => {
    const page = await browser.newPage();
    await page.goto(`${network.url}/docs`);
    const link = page.getByRole('link', { name: 'What calls cost' }).first();
    await link.waitFor();
    expect(await page.getByRole('row').filter({ hasText: 'compute unit' }).count()).toBe(0);
    await page.goto(new URL((await link.getAttribute('href')) as string, page.url()).href);
    await page.getByRole('heading', { name: 'What calls cost' }).waitFor();
    const row = page.getByRole('row').filter({ hasText: 'GET /v2/social/user/bulk/' });
    expect(await row.first().textContent()).toContain('1 compute unit for each item of fids: 100 at most');
    expect(await page.getByRole('row').filter({ hasText: 'compute unit' }).count()).toBeGreaterThan(90);
    await page.close();
  });

  test('a page of another origin may call the service with a key', async () => {
    const elsewhere = createServer((_request, response) => response.end('<title>elsewhere</title>'));
    elsewhere.listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`);
    const answer = await page.evaluate(
      async ({ url, key }) => {
        const response = await fetch(url, { headers: { 'x-api-key': key } });
        const units = response.headers.get('x-compute-units');
        return { status: response.status, units, body: (await response.json()) as { users: { fid: number }[] } };
      },
      { url: `${network.url}/v2/social/user/bulk/?fids=${FIDS.alice}`, key: network.apiKey },
    );
    expect([answer.status, answer.units]).toEqual([200, '1']);
    expect(answer.body.users[0]?.fid).toBe(FIDS.alice);
    await page.close();
    elsewhere.closeAllConnections();
    elsewhere.close();
  });
});
