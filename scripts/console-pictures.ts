/**
 * Writes the pictures of docs/picture: pages of the console over the sample network of a development service, and a moving
 * one for the README. Needs a browser.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { launchBrowser } from '../test/support/browser.js';
import { buildProgram, freePort, TestWorkspace } from '../test/support/castellan.js';

const FOLDER = fileURLToPath(new URL('../docs/picture/', import.meta.url));
const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
const FRAMES = 10;
const FRAME_MS = 1_200;

interface Service {
  readonly url: string;
  /** Signs in once. */
  readonly link: string;
  call(path: string, body?: object): Promise<unknown>;
}

/** What a service that is in use has: a webhook that gets events, one that fails, and reads of all kinds. */
const use = async ({ call }: Service): Promise<string> => {
  const { url } = (await call('/portal/webhook-inbox')) as { url: string };
  const hook = (name: string, target: string) =>
    call('/v2/social/webhook/', { name, url: target, subscription: { 'cast.created': {}, 'reaction.created': {} } });
  const made = (await hook('Notify the harbour', url)) as { webhook: { webhook_id: string } };
  await hook('Old receiver', 'http://127.0.0.1:9/hook');
  for (let n = 1; n <= 40; n++) {
    await call(`/v2/social/user/bulk/?fids=${n},${n + 1}&viewer_fid=1`);
    await call(`/v2/social/feed/following/?fid=${n}&limit=10`);
    if (n % 8 === 0) await call(`/v2/social/cast/?type=hash&identifier=0x${'0'.repeat(40)}`);
  }
  return made.webhook.webhook_id;
};

const settle = async (page: Page): Promise<void> => {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator('[aria-busy]').first().waitFor({ state: 'detached' });
  // Pictures of people come after the page.
  await wait(700);
};

const take = async (page: Page, name: string): Promise<void> => {
  await settle(page);
  const png = await page.screenshot();
  await writeFile(`${FOLDER}${name}.png`, await sharp(png).png({ palette: true, colours: 128, effort: 10 }).toBuffer());
  console.log(`${name}.png`);
};

const takePages = async (page: Page, service: Service, webhook: string): Promise<void> => {
  const open = (path: string) => page.goto(`${service.url}/console/${path}`);
  await page.goto(service.link);
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  await page.locator('.list .new').nth(5).waitFor({ timeout: 60_000 });
  await take(page, 'console-home');
  await page.emulateMedia({ colorScheme: 'dark' });
  await take(page, 'console-home-dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await open('people/1');
  await take(page, 'console-person');
  await page.locator('a[href*="/casts/0x"]').first().click();
  await page.getByRole('button', { name: 'Signed message' }).click();
  await page.getByText('is BLAKE3 of the signed bytes').waitFor();
  await take(page, 'console-conversation');
  await open('requests/fetch-bulk-users?fids=1,2');
  await settle(page);
  await page.getByRole('button', { name: /^Send/ }).click();
  await page.getByText(/\d ms/).first().waitFor();
  await take(page, 'console-request');
  for (const [name, path] of [
    ['console-live', 'live'],
    ['console-webhook', `webhooks/${webhook}`],
    ['console-usage', 'usage'],
    ['console-request-log', 'log'],
    ['console-jobs', 'jobs'],
  ] as const) {
    await open(path);
    await take(page, name);
  }
  await page.setViewportSize(PHONE);
  await open('people/1');
  await take(page, 'console-phone');
};

/** Events as they happen, as an animated picture. */
const takeMoving = async (page: Page, { url }: Service): Promise<void> => {
  await page.setViewportSize(DESKTOP);
  await page.goto(`${url}/console/live`);
  await settle(page);
  const frames: Buffer[] = [];
  for (let n = 0; n < FRAMES; n++) {
    await wait(FRAME_MS);
    frames.push(
      await sharp(await page.screenshot())
        .resize(960)
        .toBuffer(),
    );
  }
  const delay = frames.map(() => FRAME_MS);
  const moving = sharp(frames, { join: { animated: true } });
  await moving.webp({ quality: 70, effort: 6, loop: 0, delay }).toFile(`${FOLDER}live.webp`);
  console.log('live.webp');
};

await buildProgram();
await mkdir(FOLDER, { recursive: true });
const work = new TestWorkspace();
const port = await freePort();
const environment = { ...(await work.newStore()), PORT: String(port), CASTELLAN_METRICS_PORT: 'off' };
const program = work.start(['dev'], environment);
const browser = await launchBrowser();
try {
  await program.shows('Try:');
  const url = `http://127.0.0.1:${port}`;
  const [link = ''] = /http\S+\/console\/\?link=\S+/.exec(program.out()) ?? [];
  const [, key = ''] = /API key +(\S+)/.exec(program.out()) ?? [];
  const call = async (path: string, body?: object): Promise<unknown> => {
    const headers = { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) };
    const response = await fetch(`${url}${path}`, {
      headers,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    return response.json();
  };
  const service = { url, link, call };
  const page = await browser.newPage({ viewport: DESKTOP, reducedMotion: 'reduce' });
  await takePages(page, service, await use(service));
  await takeMoving(page, service);
} finally {
  await browser.close();
  program.child.kill('SIGTERM');
  await program.ended;
  await work.clear();
}
