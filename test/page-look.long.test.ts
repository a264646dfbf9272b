import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { launchBrowser } from './support/browser.js';
import { hasBrowser } from './support/browser-path.js';
import { type PayEnvironment, startPayEnvironment } from './support/pay.js';
import { FIDS, seedBasics } from './support/seed.js';
import { askOpenly } from './support/sign-in.js';
import { secondsAhead, signKeyRequest } from './support/signer.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
/** Folder for pictures of all pages: `npm run pictures` sets it. */
const PICTURES = process.env.CASTELLAN_TEST_PICTURES;

const SIZES = { desktop: [1440, 900], tablet: [1024, 768], phone: [390, 844] } as const;
const LOOKS = Object.keys(SIZES).flatMap((size) =>
  (['light', 'dark'] as const).map((theme) => [size as keyof typeof SIZES, theme] as const),
);

/** The reference has so many elements that axe takes long for them. */
const looksOf = (name: string) =>
  name === 'reference' ? LOOKS.filter((look) => ['desktop light', 'phone dark'].includes(look.join(' '))) : LOOKS;

let pay: PayEnvironment;
/** Path of each page that a person can open, by what it is. */
let pages: Record<string, string>;
beforeAll(async () => {
  pay = await startPayEnvironment();
  const { network } = pay;
  const { app } = await seedBasics(network.load);
  const made = (await network.send('POST', '/v2/social/signer/', undefined)).body;
  const key = Buffer.from(made.public_key.slice(2), 'hex');
  const deadline = secondsAhead(3600);
  const signature = await signKeyRequest(app.custody, { app_fid: FIDS.app, deadline, key });
  const request = { signer_uuid: made.signer_uuid, app_fid: FIDS.app, deadline, signature };
  const { body } = await network.send('POST', '/v2/social/signer/signed_key/', request);
  const channel = { siweUri: 'https://app.example/login', domain: 'app.example' };
  const { channelToken } = (await askOpenly(network, '/v1/channel', { body: channel })).body as {
    channelToken: string;
  };
  pages = {
    start: '/',
    costs: '/docs/costs',
    reference: '/docs',
    guides: '/guides',
    guide: '/guides/guide-client',
    'page of the manual': '/guides/configuration',
    search: '/guides?q=webhook',
    approval: new URL(body.signer_approval_url).pathname,
    'expired approval': `/approve/${'x'.repeat(43)}`,
    payment: `/pay/${await pay.made()}`,
    'unknown payment': '/pay/00000000-0000-4000-8000-000000000000',
    'payment start': '/pay',
    'sign-in': `/siwf?channelToken=${channelToken}`,
    'unknown sign-in': '/siwf?channelToken=x',
    'not found': '/nowhere',
  };
});
afterAll(() => pay.stop());

describe.skipIf(!hasBrowser)('every page, as a person sees it', () => {
  let browser: Browser;
  let axe: string;
  beforeAll(async () => {
    [browser, axe] = await Promise.all([launchBrowser(), readFile(AXE, 'utf8')]);
  });
  afterAll(() => browser.close());

  /** Opens a page and says what is wrong with it in each size and theme. */
  const look = async (page: Page, name: string, path: string): Promise<string[]> => {
    const problems: string[] = [];
    const isError = /expired|unknown|not found/.test(name);
    page.on('console', (message) => {
      // The browser itself reports the status of an error page.
      if (message.type() === 'error' && !(isError && message.text().includes('status of 4')))
        problems.push(`console: ${message.text()}`);
    });
    await page.goto(pay.network.url + path, { waitUntil: 'load' });
    await page.getByText('Loading', { exact: true }).waitFor({ state: 'hidden' });
    // The reference is made by its script.
    await page.locator('h1').first().waitFor();
    await page.evaluate(axe);
    if ((await page.locator('h1').count()) !== 1) problems.push('not one heading');
    for (const [size, theme] of looksOf(name)) {
      const [width, height] = SIZES[size];
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: theme });
      const found = (await page.evaluate('axe.run().then(({ violations }) => violations)')) as AxeFinding[];
      for (const { id, impact, nodes } of found) {
        if (impact === 'serious' || impact === 'critical') problems.push(`${size} ${theme}: ${id}: ${nodes[0]?.html}`);
      }
      const overflow = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      if (overflow > 0) problems.push(`${size}: ${overflow} pixels wider than the screen`);
      if (PICTURES) {
        const path = join(PICTURES, `${name.replaceAll(' ', '-')}-${size}-${theme}.png`);
        await page.screenshot({ path, fullPage: true });
      }
    }
    return problems;
  };

  test.each([
    'start',
    'costs',
    'reference',
    'guides',
    'guide',
    'page of the manual',
    'search',
    'approval',
    'expired approval',
    'payment',
    'unknown payment',
    'payment start',
    'sign-in',
    'unknown sign-in',
    'not found',
  ])('is readable and fits: %s', async (name) => {
    if (PICTURES) mkdirSync(PICTURES, { recursive: true });
    const page = await browser.newPage();
    const problems = await look(page, name, pages[name] as string);
    await page.close();
    expect(problems).toEqual([]);
  });
});

interface AxeFinding {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string }[];
}
