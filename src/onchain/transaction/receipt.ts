import { bytesToHex, hexToBytes, TransactionReceiptNotFoundError } from 'viem';
import type { Session } from '../../db/statement.js';
import type { AttemptRow } from '../../store/onchain/attempt.js';
import { updateTransactionMined } from '../../store/onchain/transaction.js';
import type { ChainClient } from '../network.js';
import type { Receipt } from './call.js';

/** @returns undefined if the chain has no receipt for the hash */
export const findMinedReceipt = async (client: ChainClient, hash: Uint8Array): Promise<Receipt | undefined> => {
  try {
    return await client.getTransactionReceipt({ hash: bytesToHex(hash) });
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return undefined;
    throw error;
  }
};

/** @returns the receipt of the mined attempt. Later attempts are more likely mined, so they are tried first. */
export const findReceipt = async (
  client: ChainClient,
  attempts: readonly AttemptRow[],
): Promise<Receipt | undefined> => {
  for (const { hash } of attempts.toReversed()) {
    const receipt = await findMinedReceipt(client, hash);
    if (receipt) return receipt;
  }
  return undefined;
};

export const storeReceipt = async (session: Session, id: string, receipt: Receipt, now: Date): Promise<void> => {
  await updateTransactionMined(session, id, {
    hash: hexToBytes(receipt.transactionHash),
    succeeded: receipt.status === 'success',
    block: Number(receipt.blockNumber),
    now,
  });
};
