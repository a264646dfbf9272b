import { fileURLToPath } from 'node:url';
import { domainManifestSchema, safeParseFrameEmbed, safeParseMiniAppEmbed } from '@farcaster/miniapp-core';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import type { Address, Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordRun } from './compatibility/record.js';
import { launchBrowser } from './support/browser.js';
import { hasBrowser } from './support/browser-path.js';
import { ASSOCIATION, type PayEnvironment, SHOP, startPayEnvironment } from './support/pay.js';
import { startReceiver } from './support/receiver.js';

/** A client on the web: shows the mini app of its address in a frame, and lends it a wallet. */
const HOST_SCRIPT = `
import { exposeToIframe } from '@farcaster/miniapp-host';
const url = new URL(location.href).searchParams.get('app');
const iframe = document.querySelector('iframe');
iframe.src = url;
exposeToIframe({
  iframe,
  miniAppOrigin: new URL(url).origin,
  sdk: {
    context: { client: { clientFid: 1, added: false }, user: { fid: 2 } },
    ready: () => { globalThis.isReady = true; },
    getCapabilities: async () => ['wallet.getEthereumProvider'],
    getChains: async () => ['eip155:31337'],
  },
  ethProvider: { request: (call) => globalThis.walletRequest(call), on: () => {}, removeListener: () => {} },
});
`;

let pay: PayEnvironment;
beforeAll(async () => {
  pay = await startPayEnvironment();
});
afterAll(() => pay.stop());

describe('the page', () => {
  const contentOf = (html: string, name: string): unknown => {
    const [, text = ''] = new RegExp(`<meta name="${name}" content="([^"]*)"`).exec(html) ?? [];
    return JSON.parse(text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))));
  };

  test('has an embed for clients, also for older ones, whatever the app wrote', async () => {
    const id = await pay.made({}, { action: { text: `"><script>alert('x')</script> ${'long '.repeat(20)}` } });
    const response = await fetch(`${pay.network.url}/pay/${id}`);
    expect(response.headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'self';/);
    const html = await response.text();
    expect(html).not.toContain('<script>alert');
    const embed = safeParseMiniAppEmbed(contentOf(html, 'fc:miniapp'));
    expect(contentOf(html, 'fc:miniapp')).toMatchObject({
      version: '1',
      button: { action: { type: 'launch_miniapp', url: `${pay.network.config.publicUrl}/pay/${id}` } },
    });
    expect(embed.error).toBeUndefined();
    const old = safeParseFrameEmbed(contentOf(html, 'fc:frame'));
    expect(old.error).toBeUndefined();
  });

  test('has pictures, scripts, a start page and a manifest', async () => {
    const sizes = await Promise.all(
      ['preview', 'icon'].map(async (name) => {
        const response = await fetch(`${pay.network.url}/pay/${name}.png`);
        const { width, height, format, hasAlpha } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
        return [format, width, height, hasAlpha];
      }),
    );
    expect(sizes).toEqual([
      ['png', 1200, 800, false],
      ['png', 1024, 1024, false],
    ]);
    for (const [path, type] of [
      ['/pay', 'text/html'],
      ['/pay/page.js', 'text/javascript'],
      ['/pay/page.css', 'text/css'],
    ]) {
      const response = await fetch(pay.network.url + path);
      expect([response.status, response.headers.get('content-type')]).toEqual([200, `${type}; charset=utf-8`]);
    }
    expect((await fetch(`${pay.network.url}/pay/none`)).status).toBe(404);
    const { body } = await pay.network.get('/.well-known/farcaster.json');
    expect(domainManifestSchema.safeParse(body).error).toBeUndefined();
    expect(body).toMatchObject({
      accountAssociation: ASSOCIATION,
      miniapp: { version: '1', name: 'Payments', homeUrl: `${pay.network.config.publicUrl}/pay` },
    });
  });
});

describe.runIf(hasBrowser)('the page in a real browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  interface WalletCall {
    readonly method: string;
    readonly params?: unknown[];
  }

  /** Opens a page whose wallet, `walletRequest`, sends real transactions; notes what goes wrong. */
  const openBrowserPage = async () => {
    const page = await browser.newPage();
    const faults: string[] = [];
    const asked: string[] = [];
    const calls: WalletCall[] = [];
    page.on('request', (request) => asked.push(request.url()));
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (line) => line.type() === 'error' && faults.push(line.text()));
    const payer = pay.chain.account(3);
    await page.exposeFunction('walletRequest', async (call: WalletCall) => {
      calls.push(call);
      if (call.method === 'eth_requestAccounts') return [payer.address];
      if (call.method !== 'eth_sendTransaction') return null;
      const [{ to, data }] = call.params as [{ to: Address; data: Hex }];
      return pay.chain.wallet.sendTransaction({ account: payer, chain: pay.chain.wallet.chain, to, data });
    });
    return { page, faults, asked, calls };
  };

  const METHODS = ['eth_requestAccounts', 'wallet_switchEthereumChain', 'eth_sendTransaction'];

  test('pays with the wallet of the browser', async () => {
    const id = await pay.made(
      { amount: 2.5 },
      { line_items: [{ name: '<b>Bulbs</b>', description: 'Tulips' }], action: { button_color: 'rgb(1, 2, 3)' } },
    );
    const { page, faults, asked, calls } = await openBrowserPage();
    await page.addInitScript('globalThis.ethereum = { request: (call) => globalThis.walletRequest(call) }');
    await page.goto(`${pay.network.url}/pay/${id}`);
    await page.getByText('default asks for 2.5 TUSD').waitFor();
    await page.getByText('<b>Bulbs</b>').waitFor();
    await page.getByText(SHOP).waitFor();
    const button = page.getByRole('button', { name: 'Pay 2.5 TUSD' });
    expect(await button.evaluate('document.getElementById("pay").style.backgroundColor')).toBe('rgb(1, 2, 3)');
    await button.click();
    await page.getByText('Paid. You can close this page.').waitFor();
    expect(await button.isVisible()).toBe(false);
    expect(calls.map(({ method }) => method)).toEqual(METHODS);
    expect(calls[1]?.params).toEqual([{ chainId: '0x7a69' }]);
    expect(await pay.statusOf(id)).toBe('completed');
    expect(asked.filter((url) => !url.startsWith(pay.network.url))).toEqual([]);
    expect(faults).toEqual([]);
    await page.close();
  });

  test('a look that failed is forgotten at the next one, and a paid page has no error', async () => {
    const id = await pay.made();
    const { page } = await openBrowserPage();
    await page.addInitScript('globalThis.ethereum = { request: (call) => globalThis.walletRequest(call) }');
    const look = `${pay.network.url}/pay/${id}/payment`;
    await page.route(look, (route) => route.abort());
    await page.goto(`${pay.network.url}/pay/${id}`);
    await page.getByText('Failed to fetch').waitFor();
    await page.unroute(look);
    await page.getByText('Failed to fetch').waitFor({ state: 'detached' });
    // The wallet pays, and the page cannot tell the service at first.
    const report = `${pay.network.url}/pay/${id}/transaction`;
    await page.route(report, (route) => route.abort());
    await page.getByRole('button', { name: 'Pay 5 TUSD' }).click();
    await page.getByText('Failed to fetch').first().waitFor();
    await page.unroute(report);
    await page.getByText('Paid. You can close this page.').waitFor();
    await expect.poll(() => page.getByText('Failed to fetch').count()).toBe(0);
    await page.close();
  });

  test('pays with the wallet of a client that shows it as a mini app', async () => {
    const id = await pay.made();
    const { outputFiles } = await build({
      stdin: { contents: HOST_SCRIPT, resolveDir: fileURLToPath(new URL('..', import.meta.url)) },
      bundle: true,
      write: false,
      format: 'iife',
      // Parts of the package that this host does not use.
      plugins: [
        {
          name: 'absent',
          setup: ({ onResolve, onLoad }) => {
            onResolve({ filter: /^(react|@solana\/web3\.js)$/ }, ({ path }) => ({ path, namespace: 'absent' }));
            onLoad({ filter: /.*/, namespace: 'absent' }, () => ({ contents: 'module.exports = {};' }));
          },
        },
      ],
      logLevel: 'error',
    });
    const { page, faults, calls } = await openBrowserPage();
    const client = await startReceiver(({ path }, response) => {
      if (path === '/host.js') response.setHeader('content-type', 'text/javascript').end(outputFiles[0]?.text);
      else response.setHeader('content-type', 'text/html').end(`<iframe></iframe><script src="/host.js"></script>`);
    });
    // Client and mini app are https pages in the browser; a browser keeps pages of others away from this machine's servers.
    const targets = { 'https://client.example': client.url, [pay.network.config.publicUrl]: pay.network.url };
    for (const [origin, target] of Object.entries(targets)) {
      await page.route(`${origin}/**`, async (route) => {
        const request = route.request();
        const { pathname } = new URL(request.url());
        const response = await fetch(target + pathname, {
          method: request.method(),
          ...(request.method() === 'POST' && {
            headers: { 'content-type': 'application/json' },
            body: request.postData(),
          }),
        });
        const body = Buffer.from(await response.arrayBuffer());
        await route.fulfill({ status: response.status, headers: Object.fromEntries(response.headers), body });
      });
    }
    await page.goto(`https://client.example/?app=${encodeURIComponent(`${pay.network.config.publicUrl}/pay/${id}`)}`);
    const app = page.frameLocator('iframe');
    await app.getByRole('button', { name: 'Pay 5 TUSD' }).click();
    await app.getByText('Paid. You can close this page.').waitFor();
    expect(calls.map(({ method }) => method)).toEqual(METHODS);
    expect(await page.evaluate('globalThis.isReady')).toBe(true);
    expect(await pay.statusOf(id)).toBe('completed');
    expect(faults).toEqual([]);
    recordRun('@farcaster/miniapp-host', Object.fromEntries(['ready', ...METHODS].map((method) => [method, true])));
    await page.close();
    await client.stop();
  });
});
