import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { localClient } from '../../src/onchain/local/chain.js';
import { registerLocalAccounts } from '../../src/onchain/local/registry.js';
import type { Author } from '../../src/sample/author.js';
import { launchBrowser } from '../support/browser.js';
import { hasBrowser } from '../support/browser-path.js';
import type { TestChain } from '../support/chain.js';
import { type Network, startNetwork } from '../support/network.js';
import { startRegistryChain } from '../support/registry.js';
import { FIDS, seedBasics } from '../support/seed.js';
import { askOpenly, signInText } from '../support/sign-in.js';
import { requirePrograms, withoutPrograms } from './programs.js';
import { recordRun } from './record.js';

const PAGE = fileURLToPath(new URL('programs/sign-in.jsx', import.meta.url));

/** Serves a page with the bundled program. */
const startPage = async (input: () => object): Promise<Server> => {
  const { outputFiles } = await build({
    entryPoints: [PAGE],
    bundle: true,
    write: false,
    outdir: '/',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  });
  const files = new Map(outputFiles.map(({ path, text }) => [path, text]));
  const server = createServer(({ url = '/' }, response) => {
    const page = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><link rel="stylesheet" href="/sign-in.css">
      <main></main><script>globalThis.INPUT = ${JSON.stringify(input())}</script><script src="/sign-in.js"></script>`;
    const type = url.endsWith('.js') ? 'text/javascript' : url.endsWith('.css') ? 'text/css' : 'text/html';
    response.setHeader('content-type', `${type}; charset=utf-8`).end(files.get(url) ?? page);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return server;
};

describe.skipIf(withoutPrograms || !hasBrowser)('the sign-in button of @farcaster/auth-kit, in a browser', () => {
  let network: Network;
  let chain: TestChain;
  let alice: Author;
  let server: Server;
  let browser: Browser;
  let domain: string;
  beforeAll(async () => {
    requirePrograms();
    chain = await startRegistryChain();
    network = await startNetwork();
    ({ alice } = await seedBasics(network.load));
    const { address } = alice.custody.account;
    await registerLocalAccounts(
      localClient(chain.url),
      [{ fid: alice.fid, custody: address, recovery: address }],
      alice.fid,
    );
    server = await startPage(() => ({ relay: network.url, rpcUrl: chain.url, domain, siweUri: `http://${domain}/` }));
    domain = `localhost:${(server.address() as AddressInfo).port}`;
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
    await network?.stop();
    await chain?.stop();
  });

  test('signs in through the relay, verifies it on the chain, and shows who it is', async () => {
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('response', (answer) => answer.status() >= 400 && faults.push(`${answer.status()} ${answer.url()}`));
    const opened = page.waitForResponse((answer) => answer.url() === `${network.url}/v1/channel`);
    await page.goto(`http://${domain}/`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    const { channelToken: token, nonce } = await (await opened).json();
    const waiting = await page.waitForResponse((answer) => answer.url().endsWith('/v1/channel/status'));
    expect(waiting.status()).toBe(202);
    // The wallet, which read the QR code.
    const { address } = alice.custody.account;
    const message = signInText(address, FIDS.alice, nonce, { domain, uri: `http://${domain}/` });
    const signature = await alice.custody.account.signMessage({ message });
    const answered = await askOpenly(network, '/v1/channel/authenticate', { token, body: { message, signature } });
    expect(answered.status).toBe(201);
    await page.locator('#profile').getByText(`${FIDS.alice} alice`).waitFor();
    await page.locator('#method').getByText('custody').waitFor();
    expect(faults).toEqual([]);
    await page.close();
    recordRun('@farcaster/auth-kit', { SignInButton: true, useProfile: true });
  }, 60_000);
});
