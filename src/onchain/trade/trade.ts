import type { Address, Hex, TransactionReceipt } from 'viem';
import type { ChainClient, Network } from '../network.js';
import type { Decimal } from '../token/decimal.js';
import type { TokenMetadata, TokenProperties } from '../token/metadata.js';
import { NATIVE_ADDRESS } from '../token/native-coin.js';
import { quoteAssets } from './asset.js';
import { coinChange } from './coin-change.js';
import { isStartedBy, netTransfers } from './net-transfer.js';
import { protocolOf, soleSwap } from './pool.js';

/** One side of a trade. */
export interface TradeLeg {
  /** Lower case; NATIVE_ADDRESS for the network's coin, wrapped or not. */
  readonly token: Address;
  /** In the smallest unit, above 0. */
  readonly amount: bigint;
  readonly decimals: number;
}

/** A transaction in which a wallet gave one asset for one other. */
export interface Trade {
  readonly hash: Hex;
  readonly block: number;
  readonly blockHash: Hex;
  /** Lower case. */
  readonly wallet: Address;
  readonly sold: TradeLeg;
  readonly bought: TradeLeg;
  /** US dollars; undefined if nobody knows a price of either side. */
  readonly usd: number | undefined;
  /** The pool, if there was one; a route through several has none. */
  readonly pool: Address | undefined;
  /** Undefined for a pool of no known protocol. */
  readonly protocol: { readonly family: string; readonly version: string } | undefined;
}

interface Dependencies {
  readonly client: ChainClient;
  readonly network: Network;
  readonly tokenMetadata: TokenMetadata;
}

type Sides = { readonly sold: readonly [Address, bigint]; readonly bought: readonly [Address, bigint] };

/** @returns undefined unless the wallet gave exactly one asset and got exactly one other */
const sidesOf = async (
  { client, network }: Dependencies,
  receipt: TransactionReceipt,
  wallet: Address,
): Promise<Sides | undefined> => {
  const net = [...netTransfers(network, receipt.logs, wallet)];
  const sold = net.filter(([, amount]) => amount < 0n).map(([token, amount]) => [token, -amount] as const);
  const bought = net.filter(([, amount]) => amount > 0n);
  const [[given], [gotten]] = [sold, bought];
  if (given && gotten) return net.length === 2 ? { sold: given, bought: gotten } : undefined;
  const [only] = net;
  if (only === undefined || net.length > 1) return undefined;
  const [token, amount] = only;
  if (token === NATIVE_ADDRESS) return undefined;
  const coin = await coinChange(client, network, receipt, { wallet, token: amount });
  if (gotten && coin < 0n) return { sold: [NATIVE_ADDRESS, -coin], bought: gotten };
  return given && coin > 0n ? { sold: given, bought: [NATIVE_ADDRESS, coin] } : undefined;
};

const worth = ({ digits, scale }: Decimal, amount: bigint, decimals: number): number =>
  Number(digits * amount) / 10 ** (scale + decimals);

/** The side with the more reliable price decides the worth of both. */
const usdOf = (network: Network, legs: readonly TradeLeg[], facts: readonly TokenProperties[]): number | undefined => {
  const quotes = quoteAssets(network);
  const priced = legs.flatMap(({ token, amount, decimals }, index) => {
    const price = facts[index]?.price;
    return price ? [{ isQuote: quotes.has(token), usd: worth(price.usd, amount, decimals) }] : [];
  });
  return (priced.find(({ isQuote }) => isQuote) ?? priced[0])?.usd;
};

/**
 * @param wallet lower case
 * @returns the trade of a wallet in a transaction; undefined if there was none, or the wallet did not start it
 * @throws what the client throws if the chain does not respond
 */
export const tradeOf = async (
  deps: Dependencies,
  receipt: TransactionReceipt,
  wallet: Address,
): Promise<Trade | undefined> => {
  if (receipt.status !== 'success' || !isStartedBy(receipt, wallet)) return undefined;
  const sides = await sidesOf(deps, receipt, wallet);
  if (sides === undefined) return undefined;
  const { client, network, tokenMetadata } = deps;
  const { facts } = await tokenMetadata.read([
    { network, address: sides.sold[0] },
    { network, address: sides.bought[0] },
  ]);
  const [soldToken, boughtToken] = facts;
  if (soldToken === undefined || boughtToken === undefined) return undefined;
  const sold = { token: sides.sold[0], amount: sides.sold[1], decimals: soldToken.token.decimals };
  const bought = { token: sides.bought[0], amount: sides.bought[1], decimals: boughtToken.token.decimals };
  const swap = soleSwap(receipt.logs);
  return {
    hash: receipt.transactionHash,
    block: Number(receipt.blockNumber),
    blockHash: receipt.blockHash,
    wallet,
    sold,
    bought,
    usd: usdOf(network, [sold, bought], [soldToken, boughtToken]),
    pool: swap?.pool,
    protocol: swap && (await protocolOf(client, network, swap)),
  };
};
