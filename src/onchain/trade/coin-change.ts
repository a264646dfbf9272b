import { type Address, type Hex, isAddressEqual, keccak256, stringToBytes, type TransactionReceipt } from 'viem';
import type { ChainClient, Network } from '../network.js';
import { wrappedCoin } from './asset.js';
import { soleSwap } from './pool.js';

const WITHDRAWAL: Hex = keccak256(stringToBytes('Withdrawal(address,uint256)'));

/** Fee of a transaction in wei. The OP Stack adds one for its data. */
const feeOf = (receipt: TransactionReceipt): bigint => {
  const { l1Fee } = receipt as { l1Fee?: unknown };
  const extra = typeof l1Fee === 'string' || typeof l1Fee === 'bigint' ? BigInt(l1Fee) : 0n;
  return receipt.gasUsed * receipt.effectiveGasPrice + extra;
};

/** @returns undefined if the endpoint has no state of that block any more, or the wallet sent more in it */
const exactChange = async (
  client: ChainClient,
  receipt: TransactionReceipt,
  address: Address,
): Promise<bigint | undefined> => {
  const blockNumber = receipt.blockNumber;
  const before = { address, blockNumber: blockNumber - 1n };
  const after = { address, blockNumber };
  try {
    const [had, has, nonceBefore, nonceAfter] = await Promise.all([
      client.getBalance(before),
      client.getBalance(after),
      client.getTransactionCount(before),
      client.getTransactionCount(after),
    ]);
    if (!isAddressEqual(receipt.from, address)) return has - had;
    return nonceAfter - nonceBefore === 1 ? has - had + feeOf(receipt) : undefined;
  } catch {
    return undefined;
  }
};

/** @returns what a sold token brought by the events of the transaction; 0 if they do not say */
const broughtBy = (network: Network, receipt: TransactionReceipt, sold: bigint): bigint => {
  const wrapped = wrappedCoin(network);
  const unwrapped = receipt.logs.filter(
    ({ address, topics, data }) =>
      address.toLowerCase() === wrapped && topics[0] === WITHDRAWAL && /^0x[0-9a-f]{64}$/i.test(data),
  );
  if (unwrapped.length > 0) return unwrapped.reduce((sum, { data }) => sum + BigInt(data), 0n);
  // A pool of Uniswap v4 may hold the coin itself.
  const swap = soleSwap(receipt.logs);
  if (swap?.amounts === undefined) return 0n;
  const [first, second] = swap.amounts;
  if (first === -sold) return second;
  return second === -sold ? first : 0n;
};

/**
 * Finds out how much of the network's coin a wallet got in a transaction, which no event tells: by its balances before
 * and after the block, without the fee. Without these, by the value of the transaction and by events of pools.
 * @param token what else the wallet gained, negative for what it gave, in the smallest unit
 * @returns wei, negative for what it gave; 0 if it is not known
 */
export const coinChange = async (
  client: ChainClient,
  network: Network,
  receipt: TransactionReceipt,
  { wallet, token }: { readonly wallet: Address; readonly token: bigint },
): Promise<bigint> => {
  const exact = await exactChange(client, receipt, wallet);
  if (exact !== undefined) return exact;
  if (token < 0n) return broughtBy(network, receipt, -token);
  if (!isAddressEqual(receipt.from, wallet)) return 0n;
  const { value } = await client.getTransaction({ hash: receipt.transactionHash });
  return -value;
};
