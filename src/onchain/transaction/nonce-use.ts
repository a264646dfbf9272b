import { type Address, bytesToHex, type Hex, hexToBytes, numberToHex, TransactionNotFoundError } from 'viem';
import type { AttemptRow } from '../../store/onchain/attempt.js';
import type { OpenTransaction } from '../../store/onchain/transaction.js';
import type { ChainClient } from '../network.js';
import type { Receipt } from './call.js';
import { findMinedReceipt, findReceipt } from './receipt.js';

/**
 * Which transaction used a nonce for which we have no receipt: `other` one, possibly `ours`, `unclear` if the node
 * keeps no state of earlier blocks, or one with the same call under a hash that is not known here, with its receipt.
 */
type NonceUse = 'other' | 'ours' | 'unclear' | Receipt;

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

/** A transaction of a block, as JSON-RPC has it: all texts are hexadecimal. */
interface BlockTransaction {
  readonly hash: Hex;
  readonly from: string;
  readonly to: string | null;
  readonly nonce: Hex;
  readonly input: string;
  readonly value: Hex;
}

/** @returns the transactions of a block, in one request. Read as they are: viem takes long for a large block */
const transactionsOf = async (client: ChainClient, blockNumber: bigint): Promise<readonly BlockTransaction[]> => {
  const block: unknown = await client.request({
    method: 'eth_getBlockByNumber',
    params: [numberToHex(blockNumber), true],
  });
  return (block as { transactions: readonly BlockTransaction[] }).transactions;
};

/**
 * Looks for the same call under another hash: a database that was restored from a backup does not know that a transaction
 * was signed again at a higher price after that. To send the call with a new nonce would be to pay twice.
 * @param transactions of the block that used the nonce
 */
const findSameCall = async (
  client: ChainClient,
  { address, nonce, recipient, data, value }: OpenTransaction,
  transactions: readonly BlockTransaction[],
): Promise<NonceUse> => {
  const sender = bytesToHex(address);
  const used = transactions.find((one) => one.from.toLowerCase() === sender && Number(one.nonce) === nonce);
  if (used === undefined) return 'other';
  const isSame =
    (used.to ?? '').toLowerCase() === (recipient === null ? '' : bytesToHex(recipient)) &&
    used.input === bytesToHex(data) &&
    BigInt(used.value) === BigInt(value);
  return isSame ? ((await findMinedReceipt(client, hexToBytes(used.hash))) ?? 'unclear') : 'other';
};

/**
 * Finds out whether another transaction used a nonce, by looking into the block that used it, because nodes cannot look
 * up a transaction by sender and nonce. A missing receipt alone proves nothing: nodes lag behind and drop old receipts.
 * @param attempts all attempts of the transaction that were broadcast, with any nonce
 */
export const nonceUseOf = async (
  client: ChainClient,
  row: OpenTransaction,
  attempts: readonly AttemptRow[],
): Promise<NonceUse> => {
  if (await findReceipt(client, attempts)) return 'ours';
  const hashes = attempts.map(({ hash }) => bytesToHex(hash));
  for (const hash of hashes) if (await isKnown(client, hash)) return 'ours';
  try {
    const blockNumber = await blockOf(client, bytesToHex(row.address), row.nonce);
    if (blockNumber === undefined) return 'unclear';
    const transactions = await transactionsOf(client, blockNumber);
    if (transactions.some(({ hash }) => hashes.includes(hash))) return 'ours';
    return await findSameCall(client, row, transactions);
  } catch {
    return 'unclear';
  }
};
