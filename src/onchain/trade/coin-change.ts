import { type Address, type Hex, keccak256, stringToBytes, type TransactionReceipt } from 'viem';
import { AppError } from '../../error.js';
import type { ChainClient, Network } from '../network.js';
import { NATIVE_ADDRESS } from '../token/native-coin.js';
import { wrappedCoin } from './asset.js';
import type { Log } from './net-transfer.js';
import { soleSwap } from './pool.js';

const DEPOSIT: Hex = keccak256(stringToBytes('Deposit(address,uint256)'));
const WITHDRAWAL: Hex = keccak256(stringToBytes('Withdrawal(address,uint256)'));

/** Fee of a transaction in wei. The OP Stack adds one for its data. */
const feeOf = (receipt: TransactionReceipt): bigint => {
  const { l1Fee } = receipt as { l1Fee?: unknown };
  const extra = typeof l1Fee === 'string' || typeof l1Fee === 'bigint' ? BigInt(l1Fee) : 0n;
  return receipt.gasUsed * receipt.effectiveGasPrice + extra;
};

/** @returns undefined if the endpoint has no state of that block any more, or the sender sent more in it */
const exactChange = async (client: ChainClient, receipt: TransactionReceipt): Promise<bigint | undefined> => {
  const { blockNumber, from: address } = receipt;
  const before = { address, blockNumber: blockNumber - 1n };
  const after = { address, blockNumber };
  try {
    const [had, has, nonceBefore, nonceAfter] = await Promise.all([
      client.getBalance(before),
      client.getBalance(after),
      client.getTransactionCount(before),
      client.getTransactionCount(after),
    ]);
    return nonceAfter - nonceBefore === 1 ? has - had + feeOf(receipt) : undefined;
  } catch (error) {
    // No endpoint responded: this is no answer about the block.
    if (error instanceof AppError) throw error;
    return undefined;
  }
};

/** @returns the sum of an event of the wrapped coin */
const sumOf = (network: Network, logs: readonly Log[], event: Hex): bigint => {
  const wrapped = wrappedCoin(network);
  return logs
    .filter(
      ({ address, topics, data }) =>
        address.toLowerCase() === wrapped && topics[0] === event && /^0x[0-9a-f]{64}$/i.test(data),
    )
    .reduce((sum, { data }) => sum + BigInt(data), 0n);
};

/**
 * A pool of Uniswap v4 may hold the coin itself, and then no event of the wrapped coin shows it.
 * @param amount what the wallet gained of the token
 * @returns what it gained of the coin in return, according to the event of the pool; 0 if that does not say
 */
const swappedFor = (logs: readonly Log[], amount: bigint): bigint => {
  const [first, second] = soleSwap(logs)?.amounts ?? [];
  if (first === amount) return second ?? 0n;
  return second === amount ? (first ?? 0n) : 0n;
};

export interface CoinQuestion {
  readonly receipt: TransactionReceipt;
  /** The events of what the wallet did. */
  readonly logs: readonly Log[];
  /** Value of the transaction; undefined: the wallet did not send it. */
  readonly value: bigint | undefined;
  /** What the wallet gained of tokens, negative for what it gave. */
  readonly net: ReadonlyMap<Address, bigint>;
}

/**
 * Computes how much of the network's coin a wallet gained in a transaction, which no event states. If the wallet sent the
 * transaction, this is the change of its balance over the block, plus the fee. If the endpoint lacks those balances, or
 * another account sent the transaction, it is estimated from the value and the events of the wrapped coin or the pool.
 * @returns wei, negative if the wallet gave coins; 0 if it is not known
 */
export const coinChange = async (
  client: ChainClient,
  network: Network,
  { receipt, logs, value, net }: CoinQuestion,
): Promise<bigint> => {
  const exact = value === undefined ? undefined : await exactChange(client, receipt);
  if (exact !== undefined) return exact;
  // A route may wrap and unwrap on its way.
  if (net.has(NATIVE_ADDRESS)) return -(value ?? 0n);
  const change = sumOf(network, logs, WITHDRAWAL) - (value ?? sumOf(network, logs, DEPOSIT));
  const [amount = 0n, other] = net.values();
  return change === 0n && other === undefined ? swappedFor(logs, amount) : change;
};
