import { LRUCache } from 'lru-cache';
import type { Address } from 'viem';
import { withTimeout } from '../../timeout.js';
import type { Decimal } from './decimal.js';
import { TOKEN_TIMEOUTS } from './timeout.js';

/** A token whose price is requested. */
export interface PricedToken {
  readonly chainId: number;
  /** Lower case; NATIVE_ADDRESS for the native coin. */
  readonly address: Address;
  /** Whether it is in a list. Other tokens may be spam, so their prices have a lower priority. */
  readonly isListed?: boolean;
}

export interface Price {
  /** US dollars for one whole token, above 0. */
  readonly usd: Decimal;
  /** Origin of the price; null: the operator's file. */
  readonly source: 'onchain' | 'market_data' | null;
  /** Unix milliseconds; null if the source does not report it. */
  readonly updatedAt: number | null;
}

export interface PriceSource {
  /** For log lines. */
  readonly name: string;
  /**
   * @param tokens in order of priority
   * @param found receives prices by `priceKey` as they arrive; they are cached even if the call throws later
   */
  read(tokens: readonly PricedToken[], found: Map<string, Price>): Promise<void>;
}

/** Prices of tokens. An unknown price is missing, never 0. */
export interface Prices {
  /** @returns prices by `priceKey`; does not throw and takes at most three seconds */
  of(tokens: readonly PricedToken[]): Promise<ReadonlyMap<string, Price>>;
}

export const priceKey = ({ chainId, address }: PricedToken): string => `${chainId}:${address}`;

const FRESH_MS = 60_000;
/** How long an unknown price is cached if a source failed or was not read. */
const FAILED_MS = 10_000;
const MAX_TOKENS = 50_000;
/** Tokens in no list that are requested at once: anybody can send any number of them to a wallet. */
const MAX_UNLISTED = 400;

interface CachedPrice {
  readonly price: Price | undefined;
  /** Unix milliseconds. */
  readonly until: number;
}

/** @returns the listed tokens, then as many of the others as are requested at once */
const askable = (tokens: readonly PricedToken[]): PricedToken[] => [
  ...tokens.filter(({ isListed }) => isListed),
  ...tokens.filter(({ isListed }) => !isListed).slice(0, MAX_UNLISTED),
];

/**
 * Reads sources one after another, each for the tokens that the previous ones did not have. Prices are cached for a
 * minute, unknown ones as well, and concurrent requests for a token share one read. If there are many tokens in no
 * list, the prices of some are read later and unknown until then.
 * @param dependencies `failed` is called with a source that failed; `clock` in Unix milliseconds
 */
export const createPrices = (dependencies: {
  readonly sources: readonly PriceSource[];
  readonly clock: () => number;
  readonly failed: (source: string, error: unknown) => void;
  /** For all sources together; that of `TOKEN_TIMEOUTS` unless given. */
  readonly timeoutMs?: number;
}): Prices => {
  const { sources, clock, failed, timeoutMs = TOKEN_TIMEOUTS.prices } = dependencies;
  // `max` would reserve the memory of all entries at once.
  const cached = new LRUCache<string, CachedPrice>({ maxSize: MAX_TOKENS, sizeCalculation: () => 1 });
  const inFlight = new Map<string, Promise<unknown>>();

  const fetch = async (tokens: readonly PricedToken[]): Promise<void> => {
    const end = performance.now() + timeoutMs;
    const found = new Map<string, Price>();
    let freshMs = FRESH_MS;
    const requested = askable(tokens);
    for (const source of sources) {
      const unknown = requested.filter((token) => !found.has(priceKey(token)));
      if (unknown.length === 0) break;
      const received = new Map<string, Price>();
      try {
        await withTimeout(source.read(unknown, received), Math.max(1, end - performance.now()));
      } catch (error) {
        failed(source.name, error);
        freshMs = FAILED_MS;
      }
      for (const [key, price] of received) found.set(key, price);
    }
    const now = clock();
    const keys = new Set(requested.map(priceKey));
    for (const key of tokens.map(priceKey)) {
      const price = found.get(key);
      const unknownMs = keys.has(key) ? freshMs : FAILED_MS;
      cached.set(key, { price, until: now + (price ? FRESH_MS : unknownMs) });
    }
  };

  return {
    of: async (tokens) => {
      const now = clock();
      const wanted = new Map(tokens.map((token) => [priceKey(token), token]));
      const stale = [...wanted].filter(([key]) => (cached.get(key)?.until ?? 0) <= now);
      const fresh = stale.filter(([key]) => !inFlight.has(key));
      if (sources.length > 0 && fresh.length > 0) {
        const work = fetch(fresh.map(([, token]) => token)).finally(() => {
          for (const [key] of fresh) inFlight.delete(key);
        });
        for (const [key] of fresh) inFlight.set(key, work);
      }
      await Promise.all(new Set(stale.map(([key]) => inFlight.get(key))));
      return new Map(
        [...wanted.keys()].flatMap((key) => {
          const price = cached.get(key)?.price;
          return price ? [[key, price] as const] : [];
        }),
      );
    },
  };
};
