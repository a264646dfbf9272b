import { type Address, pad, toHex } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createOutbound } from '../src/delivery/outbound.js';
import { createPrices, type PricedToken, type PriceSource, priceKey } from '../src/onchain/token/price.js';
import { apiPriceSource } from '../src/onchain/token/price-api.js';
import { type PriceServer, startPriceServer } from './support/price-server.js';
import { holdTimeLimits } from './support/time-limit.js';

let server: PriceServer;
let ahead = 0;
const clock = (): number => Date.now() + ahead;
let failures: string[] = [];

beforeAll(async () => {
  server = await startPriceServer(clock);
});
afterAll(() => server.stop());
beforeEach(() => {
  server.chooseMode = () => server.mode;
  server.mode = 'fine';
  server.coins.clear();
  server.asked.length = 0;
  failures = [];
});

const token = (index: number, isListed: boolean): PricedToken => {
  const one = { chainId: 8453, address: pad(toHex(index), { size: 20 }) as Address, isListed };
  server.set(nameOf(one), index);
  return one;
};
const nameOf = ({ address }: PricedToken): string => `base:${address}`;
const some = (first: number, count: number, isListed = false): PricedToken[] =>
  Array.from({ length: count }, (_, index) => token(first + index, isListed));

const outbound = createOutbound({ allowLoopback: true });
const api = (client = outbound): PriceSource => apiPriceSource({ base: server.url, outbound: client, clock });
const pricesOf = (...sources: PriceSource[]) =>
  createPrices({ sources, clock, failed: (source) => failures.push(source) });
/** Which of the tokens have a price. */
const priced = async (prices: ReturnType<typeof pricesOf>, tokens: readonly PricedToken[]): Promise<PricedToken[]> => {
  const found = await prices.of(tokens);
  return tokens.filter((one) => found.has(priceKey(one)));
};

test('a failed request does not affect the prices of the others and is repeated soon', async () => {
  const spam = some(1000, 160);
  const good = some(1, 90, true);
  const [bad] = spam.map(nameOf);
  server.chooseMode = (names) => (names.includes(bad as string) ? 'fault' : 'fine');
  const prices = pricesOf(api());
  expect(await priced(prices, [...spam, ...good])).toEqual([...spam.slice(80), ...good]);
  expect(failures).toEqual(['price service']);
  server.chooseMode = () => 'fine';
  ahead += 10_001;
  expect(await priced(prices, [...spam, ...good])).toEqual([...spam, ...good]);
});

test('listed tokens are requested first and separately, even in a wallet with many spam tokens', async () => {
  const spam = some(1000, 400);
  const good = some(1, 100, true);
  const sent: string[] = [];
  const request: typeof outbound.request = (one) => {
    sent.push(one.url.pathname.replace('/prices/current/', ''));
    return outbound.request(one);
  };
  await pricesOf(api({ ...outbound, request })).of([...spam, ...good]);
  expect(sent.slice(0, 2).flatMap((names) => names.split(','))).toEqual(good.map(nameOf));
});

test('of many unlisted tokens some are requested at once, and the others soon after', async () => {
  const spam = some(1000, 1000);
  const good = some(1, 3, true);
  const prices = pricesOf(api());
  expect(await priced(prices, [...spam, ...good])).toEqual([...spam.slice(0, 400), ...good]);
  // Whoever asks again at once asks nobody.
  const asked = server.asked.length;
  await prices.of([...spam, ...good]);
  expect(server.asked).toHaveLength(asked);
  ahead += 10_001;
  expect(await priced(prices, [...spam, ...good])).toEqual([...spam.slice(0, 800), ...good]);
  expect(failures).toEqual([]);
});

test('prices that arrive in time are used even if the rest times out', async () => {
  const spam = some(1000, 160);
  const good = some(1, 5, true);
  const silent = nameOf(spam[0] as PricedToken);
  server.chooseMode = (names) => (names.includes(silent) ? 'silent' : 'fine');
  const limits = holdTimeLimits();
  let answers = 0;
  const request: typeof outbound.request = async (one) => {
    const answer = await outbound.request(one);
    answers += 1;
    return answer;
  };
  const pricing = priced(pricesOf(api({ ...outbound, request })), [...spam, ...good]);
  await expect.poll(() => answers).toBe(2);
  expect(Math.max(...limits.lengths)).toBeLessThanOrEqual(2_500);
  limits.end();
  expect(await pricing).toEqual([...spam.slice(80), ...good]);
  expect(failures).toEqual(['price service']);
});

test('prices that a source finds after its timeout are ignored', async () => {
  const [early, late] = some(1, 2, true) as [PricedToken, PricedToken];
  const price = { usd: { digits: 7n, scale: 0 }, source: null, updatedAt: null };
  let finish = (): void => undefined;
  const slow: PriceSource = {
    name: 'slow',
    read: async (_tokens, found) => {
      found.set(priceKey(early), price);
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      found.set(priceKey(late), price);
    },
  };
  const prices = pricesOf(slow);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const pricing = priced(prices, [early, late]);
  vi.advanceTimersByTime(3_000);
  expect(await pricing).toEqual([early]);
  expect(failures).toEqual(['slow']);
  finish();
  await new Promise(setImmediate);
  expect(await priced(prices, [early, late])).toEqual([early]);
});
