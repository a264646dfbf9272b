import { type Address, bytesToHex, type Hex, TransactionNotFoundError } from 'viem';
import type { AttemptRow } from '../../store/onchain/attempt.js';
import type { ChainClient } from '../network.js';
import { findReceipt } from './receipt.js';

/**
 * Which transaction used a nonce for which we have no receipt: `other` one, possibly `ours`, or `unclear` if the node
 * keeps no state of earlier blocks.
 */
export type NonceUse = 'other' | 'ours' | 'unclear';

const isKnown = async (client: ChainClient, hash: Hex): Promise<boolean> => {
  try {
    await client.getTransaction({ hash });
    return true;
  } catch (error) {
    if (error instanceof TransactionNotFoundError) return false;
    throw error;
  }
};

/** @returns the block that used the nonce: steps back from the latest block in doubling distances, then bisects */
const blockOf = async (client: ChainClient, address: Address, nonce: number): Promise<bigint | undefined> => {
  const isPast = async (blockNumber: bigint): Promise<boolean> =>
    (await client.getTransactionCount({ address, blockNumber })) > nonce;
  let past = await client.getBlockNumber();
  if (!(await isPast(past))) return undefined;
  let before = past;
  for (let step = 1n; ; step *= 2n) {
    if (before === 0n) return undefined;
    before = before > step ? before - step : 0n;
    if (!(await isPast(before))) break;
    past = before;
  }
  while (past - before > 1n) {
    const middle = (past + before) / 2n;
    if (await isPast(middle)) past = middle;
    else before = middle;
  }
  return past;
};

/**
 * Finds out whether another transaction used a nonce, by looking into the block that used it, because nodes cannot look
 * up a transaction by sender and nonce. A missing receipt alone proves nothing: nodes lag behind and drop old receipts.
 * @param attempts all attempts of the transaction that were broadcast, with any nonce
 */
export const nonceUseOf = async (
  client: ChainClient,
  address: Address,
  nonce: number,
  attempts: readonly AttemptRow[],
): Promise<NonceUse> => {
  if (await findReceipt(client, attempts)) return 'ours';
  const hashes = attempts.map(({ hash }) => bytesToHex(hash));
  for (const hash of hashes) if (await isKnown(client, hash)) return 'ours';
  try {
    const blockNumber = await blockOf(client, address, nonce);
    if (blockNumber === undefined) return 'unclear';
    const { transactions } = await client.getBlock({ blockNumber });
    return transactions.some((hash) => hashes.includes(hash)) ? 'ours' : 'other';
  } catch {
    return 'unclear';
  }
};
