import { describe, expect, it } from 'vitest';
import type { Price } from './price.js';
import { fixedPriceSource, parsePriceFile } from './price-file.js';

const entry = { chainId: 8453, address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', price_usd: '0.9998' };
const file = (...prices: unknown[]): string => JSON.stringify({ prices });

describe('files of prices', () => {
  it('contain prices of the operator', async () => {
    const token = { chainId: 8453, address: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913' } as const;
    const other = { ...token, chainId: 1 };
    const prices = new Map<string, Price>();
    await fixedPriceSource(parsePriceFile(file(entry))).read([token, other], prices);
    expect([...prices]).toEqual([
      [`8453:${token.address}`, { usd: { digits: 9998n, scale: 4 }, source: null, updatedAt: null }],
    ]);
  });

  it.each([
    ['is not JSON', 'prices'],
    ['has no array "prices"', '[]'],
    ['prices[0].chainId', file({ ...entry, chainId: 0 })],
    ['prices[1].address', file(entry, { ...entry, address: 'USDC' })],
    ['prices[0].price_usd', file({ ...entry, price_usd: 1 })],
    ['prices[0].price_usd', file({ ...entry, price_usd: '0.00' })],
    ['prices[0].price_usd', file({ ...entry, price_usd: '-1' })],
    ['prices[0].chainId', file(null)],
  ])('name the problem: %s', (problem, text) => expect(() => parsePriceFile(text)).toThrow(problem));
});
