import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SAMPLE_WALLETS } from '../src/cli/dev/sample-wallet.js';
import type { Author } from '../src/sample/author.js';
import { author, SAMPLE_SEED } from '../src/sample/author.js';
import { launchBrowser } from './support/browser.js';
import { hasBrowser } from './support/browser-path.js';
import { type Network, startNetwork } from './support/network.js';
import { FIDS, seedBasics } from './support/seed.js';
import { askOpenly } from './support/sign-in.js';
import { registerHolder } from './support/signer.js';

const REQUEST = { siweUri: 'https://app.example/login', domain: 'app.example' };
/** An account of the sample network. */
const SAMPLE_FID = 11;
let network: Network;
let alice: Author;
beforeAll(async () => {
  network = await startNetwork({}, undefined, { sampleWallets: SAMPLE_WALLETS });
  ({ alice } = await seedBasics(network.load));
  const sample = author({ seed: SAMPLE_SEED, fid: SAMPLE_FID });
  await registerHolder(network, SAMPLE_FID, sample.custody.account.address);
});
afterAll(() => network.stop());

const open = async (changes: object = {}, headers: object = {}) => {
  const { body } = await askOpenly(network, '/v1/channel', { body: { ...REQUEST, ...changes }, headers });
  const { channelToken: token } = body as { channelToken: string };
  return { token, url: `${network.url}/siwf?channelToken=${token}` };
};
const statusOf = (token: string) => askOpenly(network, '/v1/channel/status', { token });
const viewOf = async (token: string) => (await askOpenly(network, `/siwf/request?channelToken=${token}`)).body;

describe('the page of a sign-in', () => {
  test('needs its token, is not cached, sends no referrer and cannot be framed', async () => {
    const { url, token } = await open();
    const page = await fetch(url);
    expect(page.status).toBe(200);
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toContain('unsafe');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('cache-control')).toBe('no-store');
    for (const wrong of ['', 'x', `${token}x`, `${token.slice(0, -1)}~`, '"><script>alert(1)</script>']) {
      const path = `${network.url}/siwf?${new URLSearchParams({ channelToken: wrong })}`;
      const refused = await fetch(path);
      expect(refused.status).toBe(401);
      expect(refused.headers.get('content-type')).toContain('json');
    }
    expect((await fetch(`${network.url}/siwf`)).status).toBe(401);
  });

  test.each([
    ['of the domain', 'https://app.example/done?x=1', true],
    ['of another site', 'https://evil.example/', false],
    ['of a domain that begins alike', 'https://app.example.evil.example/', false],
    ['of a user at another site', 'https://app.example@evil.example/', false],
    ['with a user', 'https://a:b@app.example/', false],
    ['of another port', 'https://app.example:8443/', false],
    ['without encryption', 'http://app.example/', false],
    ['that is a script', 'javascript:alert(1)', false],
    ['that is a document', 'data:text/html,<script>alert(1)</script>', false],
  ])('links to an address %s: %s', async (_name, redirectUrl, isLinked) => {
    const { token } = await open({ redirectUrl });
    expect((await viewOf(token)).redirect_url).toBe(isLinked ? redirectUrl : undefined);
  });

  test('says if a page of another site asks', async () => {
    const own = await open({}, { origin: 'https://app.example' });
    expect((await viewOf(own.token)).asked.foreign_origin).toBeUndefined();
    const other = await open({}, { origin: 'https://evil.example' });
    expect((await viewOf(other.token)).asked.foreign_origin).toBe('https://evil.example');
  });

  test('gives a wallet the message of each account of its address, and none of another', async () => {
    const { token } = await open({ requestId: 'r1', expirationTime: '2100-01-01T00:00:00Z' });
    const { address } = alice.custody.account;
    const { body } = await askOpenly(network, `/siwf/message?${new URLSearchParams({ channelToken: token, address })}`);
    expect(body.accounts).toMatchObject([{ fid: FIDS.alice, username: 'alice' }]);
    const [{ message }] = body.accounts;
    expect(message).toMatch(/^app\.example wants you to sign in/);
    for (const line of ['URI: https://app.example/login', 'Chain ID: 10', 'Request ID: r1', 'Expiration Time: 2100-'])
      expect(message).toContain(line);
    const signature = await alice.custody.account.signMessage({ message });
    const path = '/v1/channel/authenticate';
    expect((await askOpenly(network, path, { token, body: { message, signature } })).status).toBe(201);
    for (const [wrong, status] of [['0x12', 400] as const, [`0x${'ab'.repeat(20)}`, 404] as const]) {
      const query = new URLSearchParams({ channelToken: token, address: wrong });
      expect((await askOpenly(network, `/siwf/message?${query}`)).status).toBe(status);
    }
  });

  test('signs in accounts of the sample network only, and none outside the local network', async () => {
    const { token } = await open();
    for (const fid of [FIDS.alice, 0, '11', null]) {
      expect((await askOpenly(network, '/siwf/sample', { token, body: { fid } })).status).toBe(400);
    }
    expect((await statusOf(token)).status).toBe(202);
    const real = await startNetwork({}, undefined, {});
    expect((await askOpenly(real, '/siwf/sample', { token, body: { fid: SAMPLE_FID } })).status).toBe(404);
    await real.stop();
  });
});

describe.skipIf(!hasBrowser)('the page of a sign-in in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  const faultsOf = (page: Page): string[] => {
    const faults: string[] = [];
    page.on('console', (line) => line.type() === 'error' && faults.push(line.text()));
    page.on('pageerror', (error) => faults.push(error.message));
    return faults;
  };

  test('signs in with the wallet of the browser', async () => {
    const { token, url } = await open({ redirectUrl: 'https://app.example/done' });
    const page = await browser.newPage();
    const faults = faultsOf(page);
    const { account } = alice.custody;
    await page.exposeFunction('signForTest', (hex: `0x${string}`) => account.signMessage({ message: { raw: hex } }));
    await page.addInitScript(`globalThis.ethereum = {
      request: async ({ method, params }) =>
        method === 'eth_requestAccounts' ? ['${account.address}'] : globalThis.signForTest(params[0]),
    };`);
    await page.goto(url);
    await page.getByText('Sign in to app.example').waitFor();
    expect(await page.locator('#warning').textContent()).toBe('');
    await page.getByRole('img', { name: /QR code/ }).waitFor();
    await page.getByRole('button', { name: 'Sign in with the wallet of your account' }).click();
    await page.getByText('Signed in as @alice. Go back to the app').waitFor();
    expect(await page.getByRole('link', { name: 'Back to the app' }).getAttribute('href')).toBe(
      'https://app.example/done',
    );
    expect((await statusOf(token)).body).toMatchObject({ state: 'completed', fid: FIDS.alice });
    expect(faults).toEqual([]);
    await page.close();
  }, 60_000);

  test('signs in as an account of the sample network, and another page of the same sign-in follows', async () => {
    const { token, url } = await open();
    const [page, other] = [await browser.newPage(), await browser.newPage()];
    await Promise.all([page.goto(url), other.goto(url)]);
    await page.getByRole('button', { name: `account ${SAMPLE_FID}` }).click();
    await page.getByText('Signed in as').waitFor();
    await other.getByText('Signed in. Go back to the app').waitFor();
    expect((await statusOf(token)).body.fid).toBe(SAMPLE_FID);
    await Promise.all([page.close(), other.close()]);
  }, 60_000);

  test('shows foreign texts as text, and says why a wallet is missing', async () => {
    const agent = '<img src=x onerror=alert(1)>';
    const { url } = await open({}, { 'user-agent': agent, origin: 'https://evil.example' });
    const page = await browser.newPage();
    await page.goto(url);
    await page.getByText(agent).waitFor();
    expect(await page.locator('img').count()).toBe(0);
    await page.getByText('A page of https://evil.example asks for this').waitFor();
    await page.getByRole('button', { name: 'Sign in with the wallet of your account' }).click();
    await page.getByText('This browser has no wallet').waitFor();
    await page.close();
  }, 60_000);

  test('a look that failed is forgotten at the next one, and what a click could not do is not', async () => {
    const { url } = await open();
    const page = await browser.newPage();
    await page.goto(url);
    await page.getByText('Waiting for your signature.').waitFor();
    await page.getByRole('button', { name: 'Sign in with the wallet of your account' }).click();
    await page.getByText('This browser has no wallet').waitFor();
    await page.route('**/siwf/request?**', (route) => route.abort());
    await page.getByText('Failed to fetch').waitFor();
    await page.unrouteAll();
    await page.getByText('Failed to fetch').waitFor({ state: 'detached' });
    expect(await page.getByRole('alert').allTextContents()).toContainEqual(expect.stringMatching('has no wallet'));
    await page.close();
  }, 60_000);
});
