import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from './support/browser.js';
import { hasBrowser } from './support/browser-path.js';
import { freePort } from './support/castellan.js';
import { type Network, startNetwork } from './support/network.js';
import { startReceiver } from './support/receiver.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';
import { startTcpProxy } from './support/tcp-proxy.js';

let network: Network;
let seeded: Seeded;
const folder = mkdtempSync(join(tmpdir(), 'castellan-event-docs-'));
beforeAll(async () => {
  network = await startNetwork({ CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true' });
  seeded = await seedBasics((items) => network.app.core.ingest.submit(items, { source: 'hub', announce: true }));
  mkdirSync(join(folder, 'data'));
  writeFileSync(join(folder, 'data/api-key'), network.apiKey);
});
afterAll(async () => {
  await network.stop();
  rmSync(folder, { recursive: true });
});
const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

/** @returns the blocks of a page in one language, for the address of the service under test */
const blocksOf = (page: string, language: string): string[] => {
  const text = readFileSync(new URL(`../docs/${page}`, import.meta.url), 'utf8');
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(([, name]) => name === language)
    .map(([, , code = '']) => code.replaceAll('http://127.0.0.1:3000', network.url));
};

/** Runs a program; @returns what it has printed so far */
const run = (command: string, args: readonly string[], environment: Record<string, string> = {}): (() => string) => {
  const child = spawn(command, args, { cwd: folder, env: { ...process.env, ...environment } });
  running.push(child);
  let out = '';
  child.stdout.on('data', (data) => {
    out += data;
  });
  return () => out;
};

test('the receiver of the page on webhooks checks and prints events', async () => {
  const port = await freePort();
  const [code = ''] = blocksOf('webhooks.md', 'js');
  expect(code.trim().split('\n').length).toBeLessThanOrEqual(20);
  writeFileSync(join(folder, 'receiver.mjs'), code);
  const subscription = { 'cast.created': { author_fids: [FIDS.alice] } };
  const body = { name: 'of the page', url: `http://127.0.0.1:${port}/`, subscription };
  const { webhook } = (await network.send('POST', '/v2/social/webhook/', body)).body;
  const environment = { WEBHOOK_SECRET: webhook.secrets[0].value, PORT: String(port) };
  const printed = run(process.execPath, ['receiver.mjs'], environment);
  await expect
    .poll(() =>
      fetch(`http://127.0.0.1:${port}/`).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(401);
  await seeded.send(seeded.alice.cast({ text: 'for the receiver' }));
  await expect.poll(printed).toContain('cast.created for the receiver');
});

test('the commands of the page on streams print events', async () => {
  const [all = '', filtered = ''] = blocksOf('streams.md', 'sh');
  const [printedAll, printedFiltered] = [all, filtered].map((code) =>
    run('sh', ['-c', code.replace('curl', 'exec curl -s')]),
  );
  await expect.poll(printedAll as () => string).toContain('heartbeat');
  await seeded.send(
    seeded.bob.cast({ text: ['A Tomato for ', FIDS.alice] }),
    seeded.bob.cast({ text: 'Nothing for you' }),
  );
  await expect.poll(printedAll as () => string).toContain('Nothing for you');
  await expect
    .poll(printedFiltered as () => string)
    .toMatch(/^data: \{"id":"\d+-0","type":"cast.created".*A Tomato for @alice/m);
  expect((printedFiltered as () => string)()).not.toContain('Nothing for you');
});

test.runIf(hasBrowser)(
  'the code of the page on streams runs in a browser, and goes on after it was cut off',
  async () => {
    const { hostname, port } = new URL(network.url);
    const proxy = await startTcpProxy({ host: hostname, port: Number(port) });
    const [code = ''] = blocksOf('streams.md', 'js').map((text) => text.replace(`:${port}`, `:${proxy.port}`));
    // The page of an app, with the server that gets its tickets.
    const app = await startReceiver(async ({ path }, response) => {
      if (path !== '/stream-ticket')
        return void response.setHeader('content-type', 'text/html').end(`<script>${code}</script>`);
      const { body } = await network.send('POST', '/v2/social/stream/ticket/', undefined);
      response.end(JSON.stringify(body));
    });
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage();
      const printed: string[] = [];
      page.on('console', (message) => printed.push(message.text()));
      const casts = () => printed.filter((line) => line.startsWith('cast.created'));
      await page.goto(app.url);
      await expect.poll(() => network.app.services.streams.size).toBe(1);
      await seeded.send(seeded.carol.cast({ text: 'first' }));
      await expect.poll(casts).toEqual(['cast.created first']);
      proxy.cut();
      await expect.poll(() => network.app.services.streams.size).toBe(0);
      await seeded.send(seeded.carol.cast({ text: 'missed' }));
      proxy.restore();
      await expect.poll(casts).toEqual(['cast.created first', 'cast.created missed']);
    } finally {
      await browser.close();
      await app.stop();
      await proxy.stop();
    }
  },
);
