import { type Address, bytesToHex, type Hex, TransactionNotFoundError } from 'viem';
import type { AttemptRow } from '../../store/chain-attempt.js';
import type { ChainClient } from '../network.js';
import { findReceipt } from '../receipt.js';

/**
 * What a node says of a nonce that is used although it has no receipt of ours: `other` used it, it may be `ours` after
 * all, or there is no telling (the node does not keep what accounts had at earlier blocks).
 */
export type Displacement = 'other' | 'ours' | 'unclear';

const isKnown = async (client: ChainClient, hash: Hex): Promise<boolean> => {
  try {
    await client.getTransaction({ hash });
    return true;
  } catch (error) {
    if (error instanceof TransactionNotFoundError) return false;
    throw error;
  }
};

/**
 * @returns the block in which the account's count passed the nonce: a search that doubles its steps back from the
 *   latest block, then halves them.
 */
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
 * Finds out whether something else used the nonce of a transaction: by the block that used it, as no node tells a
 * transaction by its sender and nonce. A receipt that is missing alone proves nothing: nodes lag, and drop old ones.
 * @param attempts all that ever left with this nonce or another one
 */
export const displacementOf = async (
  client: ChainClient,
  address: Address,
  nonce: number,
  attempts: readonly AttemptRow[],
): Promise<Displacement> => {
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
