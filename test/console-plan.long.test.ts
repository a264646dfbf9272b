import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Plan } from '../src/billing/plan/plan.js';
import { launchBrowser } from './support/browser.js';
import { hasBrowser } from './support/browser-path.js';
import { expectGoodLook, signInToConsole } from './support/console.js';
import { type Network, startNetwork } from './support/network.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

describe.skipIf(!hasBrowser)('the console, as someone who pays uses it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-plans-'));
  let network: Network;
  let browser: Browser;
  let page: Page;
  let problems: readonly string[] = [];

  beforeAll(async () => {
    const file = join(folder, 'plans.json');
    const shipped = JSON.parse(readFileSync(new URL('../plans.json', import.meta.url), 'utf8')) as { plans: Plan[] };
    // The first plan with a name is what the name alone stands for.
    const studio = { ...shipped.plans[1], id: 'studio-starter', category: 'STUDIO', tier: 'studio', priceCents: 1900 };
    writeFileSync(file, JSON.stringify({ plans: [...shipped.plans, studio] }));
    network = await startNetwork({ CASTELLAN_PLANS_FILE: file, CASTELLAN_DEFAULT_PLAN: 'free' });
    browser = await launchBrowser();
    ({ page, problems } = await signInToConsole(browser, network));
  });
  afterAll(async () => {
    await browser.close();
    await network.stop();
    rmSync(folder, { recursive: true });
    expect(problems).toEqual([]);
  });

  const preview = async (plan: string): Promise<void> => {
    await page.goto(`${network.url}/console/plan`);
    await page.getByLabel('New plan').selectOption(plan);
    await page.getByRole('button', { name: 'Preview the change' }).click();
  };
  const planOf = async () => (await network.get('/portal/organization/billing')).body.effective_plan;

  test('of two plans with one name, the one is bought whose price was shown', async () => {
    await preview('studio-starter');
    await page.getByRole('heading', { name: 'Free to Starter' }).waitFor();
    await page.getByText('The change comes at once, and a new period begins. Units are counted from zero.').waitFor();
    expect(await page.locator('main').textContent()).not.toContain('-$0.00');
    await page.getByRole('button', { name: 'Upgrade and pay $19.00' }).click();
    await page.getByRole('status').getByText('The plan is Starter now.').waitFor();
    expect(await planOf()).toBe('studio-starter');
  });

  test('a cheaper plan says that it begins later, and costs nothing now', async () => {
    await preview('free');
    await page.getByRole('heading', { name: 'Starter to Free' }).waitFor();
    await page.getByText(/The change comes at the end of the period, on \d{4}-\d{2}-\d{2}\./).waitFor();
    expect(await page.locator('main').textContent()).not.toMatch(/Charged now|\$0\.00 *unused|pay/);
    await expectGoodLook(page, 'plan-later');
    await page.getByRole('button', { name: 'Change at the end of the period' }).click();
    await page.getByRole('status').getByText('The plan is Free from the end of the period on.').waitFor();
    expect(await planOf()).toBe('studio-starter');
  });

  test('the change that was arranged is called off', async () => {
    await preview('studio-starter');
    await page.getByRole('heading', { name: 'Starter goes on' }).waitFor();
    await page.getByRole('button', { name: 'Call the arranged change off' }).click();
    await page.getByRole('status').getByText('The plan stays Starter.').waitFor();
  });
});
