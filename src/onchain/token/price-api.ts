import pLimit from 'p-limit';
import type { OutboundClient } from '../../delivery/outbound.js';
import { PUBLIC_CHAINS } from '../network.js';
import { parseDecimal } from './decimal.js';
import { NATIVE_ADDRESS } from './native-coin.js';
import { type Price, type PricedToken, type PriceSource, priceKey } from './price.js';
import { TOKEN_TIMEOUTS } from './timeout.js';

/** The public API whose protocol is used; it needs no key (https://api-docs.defillama.com, "coins"). */
export const PUBLIC_PRICE_API = 'https://coins.llama.fi';

/** Its names of chains, by chain id. */
const SLUG: ReadonlyMap<number, string> = new Map([
  [PUBLIC_CHAINS.ethereum.id, 'ethereum'],
  [PUBLIC_CHAINS.optimism.id, 'optimism'],
  [PUBLIC_CHAINS.base.id, 'base'],
  [PUBLIC_CHAINS.arbitrum.id, 'arbitrum'],
  [PUBLIC_CHAINS.robinhood.id, 'robinhood'],
]);

/** Its name of the native coin, which is ether on every supported network. */
const ETHER = 'coingecko:ethereum';

/** Tokens in one URL, so that it stays below 5,000 characters. */
const MAX_TOKENS = 80;
const CONCURRENCY = 4;
const MAX_BYTES = 512 * 1024;

/** Minimum confidence from 0 to 1: prices on thin markets are easily manipulated. */
const MIN_CONFIDENCE = 0.5;
const MAX_AGE_MS = 6 * 60 * 60 * 1000;
/** How far its clock may be ahead. */
const MAX_AHEAD_MS = 10 * 60 * 1000;

/** @returns the API's name of a token; undefined for tokens of chains that it does not have */
const nameOf = ({ chainId, address }: PricedToken): string | undefined => {
  const slug = SLUG.get(chainId);
  if (slug === undefined) return undefined;
  return address === NATIVE_ADDRESS ? ETHER : `${slug}:${address}`;
};

/** @returns the names for each request; tokens that are in no list come last, in separate requests */
const requestsOf = (tokens: readonly PricedToken[]): string[][] => {
  const namesOf = (isListed: boolean): string[] =>
    tokens.flatMap((token) => ((token.isListed ?? false) === isListed ? (nameOf(token) ?? []) : []));
  const listed = new Set(namesOf(true));
  const others = new Set(namesOf(false).filter((name) => !listed.has(name)));
  return [[...listed], [...others]].flatMap((names) =>
    Array.from({ length: Math.ceil(names.length / MAX_TOKENS) }, (_, at) =>
      names.slice(at * MAX_TOKENS, (at + 1) * MAX_TOKENS),
    ),
  );
};

/** @param coin an entry of the response, not validated yet */
const readPrice = (coin: unknown, now: number): Price | undefined => {
  const { price, timestamp, confidence } = (coin ?? {}) as Record<string, unknown>;
  if (typeof price !== 'number' || typeof timestamp !== 'number') return undefined;
  if (typeof confidence === 'number' && confidence < MIN_CONFIDENCE) return undefined;
  const usd = parseDecimal(String(price));
  const updatedAt = Math.trunc(timestamp * 1000);
  if (usd === undefined || usd.digits === 0n) return undefined;
  if (!(now - updatedAt <= MAX_AGE_MS && updatedAt - now <= MAX_AHEAD_MS)) return undefined;
  return { usd, source: 'market_data', updatedAt };
};

/**
 * Reads prices of a public API, `GET {base}/prices/current/{chain}:{address},...`.
 * @param dependencies `base` without a trailing slash; `clock` in Unix milliseconds
 */
export const apiPriceSource = (dependencies: {
  readonly base: string;
  readonly outbound: OutboundClient;
  readonly clock: () => number;
  /** For all requests of a reading; that of `TOKEN_TIMEOUTS` unless given. */
  readonly timeoutMs?: number;
}): PriceSource => {
  const { base, outbound, clock, timeoutMs: totalMs = TOKEN_TIMEOUTS.priceApi } = dependencies;

  const readNames = async (names: readonly string[], timeoutMs: number): Promise<[string, Price][]> => {
    const url = new URL(`${base}/prices/current/${names.join(',')}`);
    const { status, body } = await outbound.request({ method: 'GET', url, timeoutMs, maxBytes: MAX_BYTES });
    if (status !== 200) throw new Error(`the price service answers ${status}`);
    const { coins } = JSON.parse(body.toString()) as { coins?: unknown };
    if (typeof coins !== 'object' || coins === null) throw new Error('the price service answers without coins');
    return Object.entries(coins).flatMap(([name, coin]) => {
      const price = readPrice(coin, clock());
      return price ? [[name.toLowerCase(), price] as [string, Price]] : [];
    });
  };

  return {
    name: 'price service',
    read: async (tokens, found) => {
      const end = performance.now() + totalMs;
      const keys = new Map<string, string[]>();
      for (const token of tokens) {
        const name = nameOf(token);
        if (name !== undefined) keys.set(name, [...(keys.get(name) ?? []), priceKey(token)]);
      }
      const faults: unknown[] = [];
      await pLimit(CONCURRENCY).map(requestsOf(tokens), async (names) => {
        try {
          const timeoutMs = Math.trunc(end - performance.now());
          if (timeoutMs < 1) throw new Error(`the price service took longer than ${totalMs} ms`);
          for (const [name, price] of await readNames(names, timeoutMs))
            for (const key of keys.get(name) ?? []) found.set(key, price);
        } catch (error) {
          // The prices of the other requests are kept if one fails.
          faults.push(error);
        }
      });
      if (faults.length > 0) throw faults[0];
    },
  };
};
