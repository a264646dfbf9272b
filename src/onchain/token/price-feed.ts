import type { Address, Hex } from 'viem';
import { withTimeout } from '../../timeout.js';
import { type Network, type Networks, PUBLIC_CHAINS } from '../network.js';
import { readBounded } from '../rpc/gas-bounded-read.js';
import type { Decimal } from './decimal.js';
import { NATIVE_ADDRESS } from './native-coin.js';
import { type Price, type PricedToken, type PriceSource, priceKey } from './price.js';

/** A contract with the interface AggregatorV3 that reports a price in US dollars. */
export interface Feed {
  readonly address: Address;
  /** The tokens with this price: addresses in lower case. */
  readonly tokens: readonly Address[];
  /** Maximum age of a price: the update interval of the feed plus a margin. */
  readonly maxAgeSeconds: number;
}

const HOUR = 3600;
/** For feeds that update once a day. */
const DAILY = 25 * HOUR;

/**
 * Chainlink's feeds of ETH / USD and USDC / USD, by chain: https://docs.chain.link/data-feeds/price-feeds/addresses.
 * WETH is redeemable one to one for ETH; USDC is the issuer's own token, not a bridged one.
 */
export const PUBLIC_FEEDS: ReadonlyMap<number, readonly Feed[]> = new Map([
  [
    PUBLIC_CHAINS.ethereum.id,
    [
      {
        address: '0x5f4eC3Df9cbd43714FE2740f5E3616155c5b8419',
        tokens: [NATIVE_ADDRESS, '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'],
        maxAgeSeconds: 2 * HOUR,
      },
      {
        address: '0x8fFfFfd4AfB6115b954Bd326cbe7B4BA576818f6',
        tokens: ['0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'],
        maxAgeSeconds: DAILY,
      },
    ],
  ],
  [
    PUBLIC_CHAINS.optimism.id,
    [
      {
        address: '0x13e3Ee699D1909E989722E753853AE30b17e08c5',
        tokens: [NATIVE_ADDRESS, '0x4200000000000000000000000000000000000006'],
        maxAgeSeconds: HOUR,
      },
      {
        address: '0x16a9FA2FDa030272Ce99B29CF780dFA30361E0f3',
        tokens: ['0x0b2c639c533813f4aa9d7837caf62653d097ff85'],
        maxAgeSeconds: DAILY,
      },
    ],
  ],
  [
    PUBLIC_CHAINS.base.id,
    [
      {
        address: '0x71041dddad3595F9CEd3DcCFBe3D1F4b0a16Bb70',
        tokens: [NATIVE_ADDRESS, '0x4200000000000000000000000000000000000006'],
        maxAgeSeconds: HOUR,
      },
      {
        address: '0x7e860098F58bBFC8648a4311b374B1D669a2bc6B',
        tokens: ['0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'],
        maxAgeSeconds: DAILY,
      },
    ],
  ],
  [
    PUBLIC_CHAINS.arbitrum.id,
    [
      {
        address: '0x639Fe6ab55C921f74e7fac1ee960C0B6293ba612',
        tokens: [NATIVE_ADDRESS, '0x82af49447d8a07e3bd95bd0d56f35241523fbab1'],
        maxAgeSeconds: DAILY,
      },
      {
        address: '0x50834F3163758fcC1Df9973b6e91f0F0F0434aD3',
        tokens: ['0xaf88d065e77c8cc2239327c5edb3a432268e5831'],
        maxAgeSeconds: DAILY,
      },
    ],
  ],
  [
    PUBLIC_CHAINS.robinhood.id,
    [
      {
        address: '0x78F3556b67E17Df817D51Ef5a990cDaF09E8d3A9',
        tokens: [NATIVE_ADDRESS],
        maxAgeSeconds: DAILY,
      },
    ],
  ],
]);

/** `latestRoundData()` and `decimals()` of AggregatorV3Interface. */
const LATEST_ROUND: Hex = '0xfeaf968c';
const DECIMALS: Hex = '0x313ce567';
/** roundId, answer, startedAt, updatedAt, answeredInRound. */
const ROUND_WORDS = 5;
const WORD_DIGITS = 64;
const MAX_INT256 = 2n ** 255n - 1n;
/** Short, because other price sources are read afterwards. */
const TIMEOUT_MS = 1500;
/** Block timestamps may be a little ahead of this machine's clock. */
const AHEAD_SECONDS = 15 * 60;

const wordsOf = (answer: Hex | undefined): bigint[] =>
  (answer?.slice(2).match(new RegExp(`.{${WORD_DIGITS}}`, 'g')) ?? []).map((word) => BigInt(`0x${word}`));

const readRound = (
  round: Hex | undefined,
  decimals: Hex | undefined,
  { maxAgeSeconds, now }: { readonly maxAgeSeconds: number; readonly now: number },
): Price | undefined => {
  const words = wordsOf(round);
  const [, answer = 0n, , updatedAt = 0n] = words;
  const [scale = 256n] = wordsOf(decimals);
  // The price is a signed integer: a value above the largest int256 is negative.
  if (words.length !== ROUND_WORDS || answer === 0n || answer > MAX_INT256 || scale > 255n) return undefined;
  const seconds = BigInt(Math.trunc(now / 1000));
  if (updatedAt < seconds - BigInt(maxAgeSeconds) || updatedAt > seconds + BigInt(AHEAD_SECONDS)) return undefined;
  const usd: Decimal = { digits: answer, scale: Number(scale) };
  return { usd, source: 'onchain', updatedAt: Number(updatedAt) * 1000 };
};

/**
 * Reads prices from contracts on the networks. Prices that are too old, negative or malformed are ignored.
 * @param dependencies `feeds` by chain id; `clock` in Unix milliseconds
 */
export const feedPriceSource = (dependencies: {
  readonly networks: Networks;
  readonly feeds: ReadonlyMap<number, readonly Feed[]>;
  readonly clock: () => number;
}): PriceSource => {
  const { networks, feeds, clock } = dependencies;

  const readChain = async (network: Network, wanted: readonly Feed[]): Promise<(readonly [Feed, Price])[]> => {
    const reads = wanted.flatMap(({ address }) => [
      { target: address, data: LATEST_ROUND },
      { target: address, data: DECIMALS },
    ]);
    const answers = await readBounded(networks.client(network), reads, ROUND_WORDS * 32);
    return wanted.flatMap((feed, index) => {
      const { maxAgeSeconds } = feed;
      const price = readRound(answers[2 * index], answers[2 * index + 1], { maxAgeSeconds, now: clock() });
      return price ? [[feed, price] as const] : [];
    });
  };

  return {
    name: 'price feeds',
    read: async (tokens: readonly PricedToken[], found: Map<string, Price>) => {
      const requested = new Set(tokens.map(priceKey));
      const chains = new Map(networks.configured.map((network) => [networks.chainId(network), network]));
      const work = [...chains].map(async ([chainId, network]) => {
        const isRequested = (address: Address): boolean => requested.has(priceKey({ chainId, address }));
        const wanted = (feeds.get(chainId) ?? []).filter((feed) => feed.tokens.some(isRequested));
        if (wanted.length === 0) return;
        for (const [feed, price] of await withTimeout(readChain(network, wanted), TIMEOUT_MS))
          for (const address of feed.tokens.filter(isRequested)) found.set(priceKey({ chainId, address }), price);
      });
      // The prices of other chains are kept if one chain does not respond.
      const failure = (await Promise.allSettled(work)).find((result) => result.status === 'rejected');
      if (failure !== undefined && found.size === 0) throw failure.reason;
    },
  };
};
