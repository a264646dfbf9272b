import type { Address, Hex, TransactionReceipt } from 'viem';
import { LogSearchEnded } from '../log-search/log-range.js';
import type { ChainClient, Network } from '../network.js';
import type { Decimal } from '../token/decimal.js';
import type { TokenMetadata, TokenProperties } from '../token/metadata.js';
import { NATIVE_ADDRESS } from '../token/native-coin.js';
import { quoteAssets } from './asset.js';
import { coinChange } from './coin-change.js';
import { type Log, netTransfers, operationLogs } from './net-transfer.js';
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

/** A transaction that a wallet sent, or in which it has an operation of ERC-4337. */
export interface StartedTransaction {
  readonly receipt: TransactionReceipt;
  /** Undefined: another account sent it. */
  readonly sent: { readonly value: bigint; readonly input: Hex } | undefined;
}

type Side = readonly [Address, bigint];

/** `transfer(address,uint256)` of ERC-20. */
const TRANSFER_CALL = '0xa9059cbb';

/** @returns what the wallet gave and got; undefined unless that is exactly one asset and one other */
const sidesOf = async (
  { client, network }: Dependencies,
  { receipt, sent }: StartedTransaction,
  { wallet, logs }: { readonly wallet: Address; readonly logs: readonly Log[] },
): Promise<{ readonly sold: Side; readonly bought: Side } | undefined> => {
  const net = netTransfers(network, logs, wallet);
  if (net.size === 0 || net.size > 2) return undefined;
  const coin = await coinChange(client, network, { receipt, logs, value: sent?.value, net });
  net.set(NATIVE_ADDRESS, (net.get(NATIVE_ADDRESS) ?? 0n) + coin);
  const sides = [...net].filter(([, amount]) => amount !== 0n);
  const sold = sides.find(([, amount]) => amount < 0n);
  const bought = sides.find(([, amount]) => amount > 0n);
  return sides.length === 2 && sold && bought ? { sold: [sold[0], -sold[1]], bought } : undefined;
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
 * @returns the trade of a wallet in a transaction; undefined if there was none
 * @throws what the client throws if the chain does not respond
 */
export const tradeOf = async (
  deps: Dependencies,
  transaction: StartedTransaction,
  wallet: Address,
): Promise<Trade | undefined> => {
  const { receipt, sent } = transaction;
  // A payment: coins that arrive in its block are no price.
  if (receipt.status !== 'success' || sent?.input.startsWith(TRANSFER_CALL)) return undefined;
  const logs = sent ? receipt.logs : operationLogs(receipt.logs, wallet);
  const sides = await sidesOf(deps, transaction, { wallet, logs });
  if (sides === undefined) return undefined;
  const { client, network, tokenMetadata } = deps;
  const { facts, partial } = await tokenMetadata.read([
    { network, address: sides.sold[0] },
    { network, address: sides.bought[0] },
  ]);
  if (partial.length > 0) throw new LogSearchEnded('unavailable', 'the contracts of tokens could not be read');
  const [soldToken, boughtToken] = facts;
  if (soldToken === undefined || boughtToken === undefined) return undefined;
  const sold = { token: sides.sold[0], amount: sides.sold[1], decimals: soldToken.token.decimals };
  const bought = { token: sides.bought[0], amount: sides.bought[1], decimals: boughtToken.token.decimals };
  const swap = soleSwap(logs);
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
