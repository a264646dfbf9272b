import { encodeFunctionData, type Hex, parseAbi, toFunctionSelector } from 'viem';

/*
 * Subscription token protocol: the functions that are read. Version 1 is SubscriptionTokenV1
 * (github.com/withfabricxyz/contracts), version 2 is STPV2 (github.com/withfabricxyz/stp-v2). Responses are decoded word
 * by word (words.ts), so a contract that returns something else is recognized.
 */

/** Call data of functions without parameters. */
export const CALL = {
  /** One word, 2; version 1 does not have it. */
  version: toFunctionSelector('stpVersion()'),
  /** One word, an address. */
  owner: toFunctionSelector('owner()'),
  /** A string, as are `symbol` and `uri`. */
  name: toFunctionSelector('name()'),
  symbol: toFunctionSelector('symbol()'),
  uri: toFunctionSelector('contractURI()'),
  /** Version 1, one word: price of a second in the smallest unit. */
  pricePerSecond: toFunctionSelector('tps()'),
  /** Version 1, one word: the shortest time that can be bought, in seconds. */
  minSeconds: toFunctionSelector('minPurchaseSeconds()'),
  /** Version 1, one word: the ERC-20 token of payments; zero: the native coin. */
  currency: toFunctionSelector('erc20Address()'),
  /** Version 2, `DETAIL_WORDS` words: number of tiers first, currency (zero: the native coin) as the fifth. */
  detail: toFunctionSelector('contractDetail()'),
} as const satisfies Record<string, Hex>;

export const DETAIL_WORDS = 11;

/**
 * Version 2: subscribers, id, seconds of a period, nine other members of which the last two are the initial mint price
 * and the price of a period, and four of its gate.
 */
export const TIER_WORDS = 17;

/** Version 1: token id, refundable amount, reward points, expiry. */
export const SUBSCRIPTION_WORDS_V1 = 4;
/** Version 2: tier id, token id, expiry, expiry of what was paid, reward shares, reward balance. */
export const SUBSCRIPTION_WORDS_V2 = 6;

const abi = parseAbi(['function tierDetail(uint16 tierId)', 'function subscriptionOf(address account)']);

export const tierCall = (tierId: number): Hex =>
  encodeFunctionData({ abi, functionName: 'tierDetail', args: [tierId] });

/** The function of both versions, whose responses differ. */
export const subscriptionCall = (account: `0x${string}`): Hex =>
  encodeFunctionData({ abi, functionName: 'subscriptionOf', args: [account] });
