import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from './support/browser.js';
import { hasBrowser } from './support/browser-path.js';
import { type PayEnvironment, startPayEnvironment } from './support/pay.js';
import { type PriceServer, startPriceServer } from './support/price-server.js';

let prices: PriceServer;
let pay: PayEnvironment;
beforeAll(async () => {
  prices = await startPriceServer();
  pay = await startPayEnvironment(8453, {
    environment: { CASTELLAN_PRICE_SOURCE: 'api', CASTELLAN_PRICE_API_URL: prices.url },
  });
});
afterAll(async () => {
  await pay.stop();
  await prices.stop();
});

/** Reads the value as the page does. */
const worthOf = async (id: string): Promise<unknown> => {
  const response = await fetch(`${pay.network.url}/pay/${id}/payment`);
  expect(response.status).toBe(200);
  return ((await response.json()) as { value_usd?: string }).value_usd;
};
const nameOfToken = (): string => `base:${pay.token.toLowerCase()}`;

test('a page has no value while no price is known', async () => {
  expect(await worthOf(await pay.made())).toBeUndefined();
});

test('a page has the value of its amount in dollars, with two decimals', async () => {
  prices.set(nameOfToken(), 1.2549);
  pay.later(61_000);
  const values = await Promise.all(
    [5, 1, 0.000001, 1_000_000].map(async (amount) => worthOf(await pay.made({ amount }))),
  );
  expect(values).toEqual(['6.27', '1.25', '0.00', '1254900.00']);
});

test.runIf(hasBrowser)('people see the value beside the amount', async () => {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(`${pay.network.url}/pay/${await pay.made()}`);
    await page.getByText('5 TUSD, about $6.27').waitFor();
    await page.goto(`${pay.network.url}/pay/${await pay.made({ amount: 1_000_000 })}`);
    await page.getByText('1000000 TUSD, about $1,254,900.00').waitFor();
    await page.goto(`${pay.network.url}/pay/${await pay.made({ amount: 0.000001 })}`);
    await page.getByText('TUSD, less than $0.01').waitFor();
  } finally {
    await browser.close();
  }
});

test('a page does not wait for a price that does not come', async () => {
  const id = await pay.made();
  prices.mode = 'silent';
  pay.later(61_000);
  expect(await worthOf(id)).toBeUndefined();
});
