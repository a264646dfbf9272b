import type { Address } from 'viem';
import { hasRightCase } from '../checked-address.js';
import { parseDecimal } from './decimal.js';
import { type Price, type PricedToken, type PriceSource, priceKey } from './price.js';

export interface FixedPrice extends PricedToken {
  readonly price: Price;
}

/** A problem of a price file with its path. */
export class PriceFileError extends Error {
  override readonly name = 'PriceFileError';
}

const readEntry = (entry: unknown, index: number): FixedPrice => {
  const { chainId, address, price_usd: price } = (entry ?? {}) as Record<string, unknown>;
  const refuse = (member: string, rule: string): never => {
    throw new PriceFileError(`prices[${index}].${member}: ${rule}`);
  };
  if (!Number.isSafeInteger(chainId) || (chainId as number) < 1) refuse('chainId', 'is no whole number from 1');
  if (typeof address !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(address) || !hasRightCase(address)) {
    return refuse('address', 'is not 0x and 40 hex digits with the right checksum');
  }
  const usd = typeof price === 'string' ? parseDecimal(price) : undefined;
  if (usd === undefined || usd.digits === 0n)
    return refuse('price_usd', 'is no text with a number above 0, like "1.25"');
  const token = { chainId: chainId as number, address: address.toLowerCase() as Address };
  return { ...token, price: { usd, source: null, updatedAt: null } };
};

/**
 * Parses `{"prices": [{"chainId": 8453, "address": "0x...", "price_usd": "1.25"}]}`.
 * @throws PriceFileError naming the first problem
 */
export const parsePriceFile = (text: string): FixedPrice[] => {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw new PriceFileError(`is not JSON: ${(error as Error).message}`);
  }
  const prices = (document as { prices?: unknown } | null)?.prices;
  if (!Array.isArray(prices)) throw new PriceFileError('has no array "prices"');
  return prices.map(readEntry);
};

/** Fixed prices: of the operator's file, or of the local chain's tokens. */
export const fixedPriceSource = (prices: readonly FixedPrice[]): PriceSource => {
  const known = new Map(prices.map((entry) => [priceKey(entry), entry.price]));
  return {
    name: 'fixed prices',
    read: async (tokens, found) => {
      for (const key of tokens.map(priceKey)) {
        const price = known.get(key);
        if (price) found.set(key, price);
      }
    },
  };
};
