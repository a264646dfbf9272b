import { domainManifestSchema, safeParseFrameEmbed, safeParseMiniAppEmbed } from '@farcaster/miniapp-core';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import type { Address, Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, launchBrowser } from './support/browser.js';
import { ASSOCIATION, type PayEnvironment, SHOP, startPayEnvironment } from './support/pay.js';

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

  test('pays with the wallet of the browser', async () => {
    const id = await pay.made(
      { amount: 2.5 },
      { line_items: [{ name: '<b>Bulbs</b>', description: 'Tulips' }], action: { button_color: 'rgb(1, 2, 3)' } },
    );
    const page = await browser.newPage();
    const faults: string[] = [];
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (line) => line.type() === 'error' && faults.push(line.text()));
    const payer = pay.chain.account(3);
    const calls: { method: string; params?: unknown[] }[] = [];
    await page.exposeFunction('walletRequest', async (call: { method: string; params?: unknown[] }) => {
      calls.push(call);
      if (call.method === 'eth_requestAccounts') return [payer.address];
      if (call.method !== 'eth_sendTransaction') return null;
      const [{ to, data }] = call.params as [{ to: Address; data: Hex }];
      return pay.chain.wallet.sendTransaction({ account: payer, chain: pay.chain.wallet.chain, to, data });
    });
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
    expect(calls.map(({ method }) => method)).toEqual([
      'eth_requestAccounts',
      'wallet_switchEthereumChain',
      'eth_sendTransaction',
    ]);
    expect(calls[1]?.params).toEqual([{ chainId: '0x7a69' }]);
    expect(await pay.statusOf(id)).toBe('completed');
    expect(asked.filter((url) => !url.startsWith(pay.network.url))).toEqual([]);
    expect(faults).toEqual([]);
    await page.close();
  });
});
