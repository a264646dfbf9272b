import { LRUCache } from 'lru-cache';
import type { Address } from 'viem';
import type { Decimal } from './decimal.js';
import { withinTime } from '../time-limit.js';

/** A token whose price is wanted. */
export interface PricedToken {
  readonly chainId: number;
  /** Lower case; NATIVE_ADDRESS for the native coin. */
  readonly address: Address;
  /** Whether a list names it: others may be spam, and wait. */
  readonly isListed?: boolean;
}

export interface Price {
  /** US dollars for one whole token, above 0. */
  readonly usd: Decimal;
  /** Who says so; null: the operator. */
  readonly source: 'onchain' | 'market_data' | null;
  /** Unix milliseconds; null: the source does not say. */
  readonly updatedAt: number | null;
}

/** One place that knows prices. */
export interface PriceSource {
  /** For log lines. */
  readonly name: string;
  /**
   * @param tokens the most wanted first
   * @param found gets the prices that it knows as they come, by `priceKey`: what is there counts, whatever follows
   * @throws whatever is wrong; the caller goes on with what was found
   */
  read(tokens: readonly PricedToken[], found: Map<string, Price>): Promise<void>;
}

/** Prices of tokens; what nobody knows is missing, and never 0. */
export interface Prices {
  /** @returns by `priceKey`. Does not throw, and takes three seconds at most. */
  of(tokens: readonly PricedToken[]): Promise<ReadonlyMap<string, Price>>;
}

export const priceKey = ({ chainId, address }: PricedToken): string => `${chainId}:${address}`;

const FRESH_MS = 60_000;
/** When a source failed, or was not asked, its silence counts for less. */
const FAILED_MS = 10_000;
const TIMEOUT_MS = 3000;
const MAX_TOKENS = 50_000;
/** Tokens of no list that are asked for at once: anybody can send a wallet any number of them. */
const MAX_UNLISTED = 400;

interface Kept {
  readonly price: Price | undefined;
  /** Unix milliseconds. */
  readonly until: number;
}

/** @returns those of lists, then the others, of which not more than can be asked for at once. */
const askable = (tokens: readonly PricedToken[]): PricedToken[] => [
  ...tokens.filter(({ isListed }) => isListed),
  ...tokens.filter(({ isListed }) => !isListed).slice(0, MAX_UNLISTED),
];

/**
 * Asks sources one after another for what the ones before did not know. Answers are kept for a minute, that a price is
 * unknown as well; a token is asked for once, however many requests wait for it. Of many tokens in no list some are
 * asked for later: their prices are unknown until then.
 *
 * @param parts `failed` is told of a source that did not answer; `clock` is in Unix milliseconds
 */
export const createPrices = (parts: {
  readonly sources: readonly PriceSource[];
  readonly clock: () => number;
  readonly failed: (source: string, error: unknown) => void;
}): Prices => {
  const { sources, clock, failed } = parts;
  const kept = new LRUCache<string, Kept>({ max: MAX_TOKENS });
  const underway = new Map<string, Promise<unknown>>();

  const fetch = async (tokens: readonly PricedToken[]): Promise<void> => {
    const end = performance.now() + TIMEOUT_MS;
    const found = new Map<string, Price>();
    let freshMs = FRESH_MS;
    const asked = askable(tokens);
    for (const source of sources) {
      const unknown = asked.filter((token) => !found.has(priceKey(token)));
      if (unknown.length === 0) break;
      const told = new Map<string, Price>();
      try {
        await withinTime(source.read(unknown, told), Math.max(1, end - performance.now()));
      } catch (error) {
        failed(source.name, error);
        freshMs = FAILED_MS;
      }
      for (const [key, price] of told) found.set(key, price);
    }
    const now = clock();
    const keys = new Set(asked.map(priceKey));
    for (const key of tokens.map(priceKey)) {
      const price = found.get(key);
      const unknownMs = keys.has(key) ? freshMs : FAILED_MS;
      kept.set(key, { price, until: now + (price ? FRESH_MS : unknownMs) });
    }
  };

  return {
    of: async (tokens) => {
      const now = clock();
      const wanted = new Map(tokens.map((token) => [priceKey(token), token]));
      const stale = [...wanted].filter(([key]) => (kept.get(key)?.until ?? 0) <= now);
      const fresh = stale.filter(([key]) => !underway.has(key));
      if (sources.length > 0 && fresh.length > 0) {
        const work = fetch(fresh.map(([, token]) => token)).finally(() => {
          for (const [key] of fresh) underway.delete(key);
        });
        for (const [key] of fresh) underway.set(key, work);
      }
      await Promise.all(new Set(stale.map(([key]) => underway.get(key))));
      return new Map(
        [...wanted.keys()].flatMap((key) => {
          const price = kept.get(key)?.price;
          return price ? [[key, price] as const] : [];
        }),
      );
    },
  };
};
