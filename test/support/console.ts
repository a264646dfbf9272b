import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Network } from './network.js';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const SIZES = [
  [1440, 900],
  [390, 844],
] as const;
/** Folder for pictures of all pages: `npm run pictures` sets it. */
const PICTURES = process.env.CASTELLAN_TEST_PICTURES;

/** Signs in on the page that asks for a key. */
export const enterKey = async (page: Page, key: string): Promise<void> => {
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
};

/** Opens the console as someone who has the key of the network. @returns the page, and what the browser reports of it */
export const signInToConsole = async (
  browser: Browser,
  { url, apiKey }: Network,
  options: BrowserContextOptions = {},
): Promise<{ readonly page: Page; readonly problems: readonly string[] }> => {
  const problems: string[] = [];
  const page = await browser.newPage(options);
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    // The browser itself reports the status of a refused request, and pictures of servers that are not there.
    if (message.type() === 'error' && !/status of|ERR_NAME_NOT_RESOLVED/.test(message.text()))
      problems.push(message.text());
  });
  await page.goto(`${url}/console/`);
  await enterKey(page, apiKey);
  await page.getByRole('heading', { name: 'Everything is up to date' }).waitFor();
  return { page, problems };
};

/**
 * Holds the open page to what all pages must be, light and dark, on a desktop and a phone: axe finds nothing serious, and
 * nothing is wider than the screen.
 * @param name of the page in the names of pictures
 */
export const expectGoodLook = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await expect.poll(() => page.locator('[aria-busy]').count()).toBe(0);
  // The policy of the page forbids scripts in elements, not what the test evaluates.
  await page.evaluate(await readFile(AXE, 'utf8'));
  for (const theme of ['light', 'dark'] as const)
    for (const [width, height] of SIZES) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height });
      const found = await page.evaluate(async () => {
        // biome-ignore lint/suspicious/noExplicitAny: the tool defines it
        const { violations } = await (globalThis as any).axe.run({ resultTypes: ['violations'] });
        return violations
          .filter(({ impact }: { impact: string }) => impact === 'serious' || impact === 'critical')
          .map((one: { id: string; nodes: { html: string }[] }) => `${one.id}: ${one.nodes[0]?.html.slice(0, 160)}`);
      });
      expect.soft(found, `${theme} ${width}`).toEqual([]);
      const wide = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
      expect.soft(wide, `${theme} ${width}`).toBeLessThanOrEqual(0);
      if (PICTURES) {
        const file = `console-${name.replaceAll(/[^a-z0-9]+/g, '-')}-${width}-${theme}.png`;
        await page.screenshot({ path: join(PICTURES, file) });
      }
    }
  await page.setViewportSize({ width: 1440, height: 900 });
};
