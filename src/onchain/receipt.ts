import { bytesToHex, hexToBytes, TransactionReceiptNotFoundError } from 'viem';
import type { AttemptRow } from '../store/chain-attempt.js';
import { updateTransactionMined } from '../store/chain-transaction.js';
import type { Session } from '../store/database.js';
import type { ChainClient } from './network.js';
import type { Receipt } from './transaction/sender.js';

/** @returns the receipt of that hash; undefined where the chain has none. */
export const lookReceipt = async (client: ChainClient, hash: Uint8Array): Promise<Receipt | undefined> => {
  try {
    return await client.getTransactionReceipt({ hash: bytesToHex(hash) });
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return undefined;
    throw error;
  }
};

/** @returns the receipt of whichever attempt was mined; the latest is the likeliest. */
export const findReceipt = async (
  client: ChainClient,
  attempts: readonly AttemptRow[],
): Promise<Receipt | undefined> => {
  for (const { hash } of attempts.toReversed()) {
    const receipt = await lookReceipt(client, hash);
    if (receipt) return receipt;
  }
  return undefined;
};

/** Notes what became of a transaction. */
export const keepReceipt = async (session: Session, id: string, receipt: Receipt, now: Date): Promise<void> => {
  await updateTransactionMined(session, id, {
    hash: hexToBytes(receipt.transactionHash),
    succeeded: receipt.status === 'success',
    block: Number(receipt.blockNumber),
    now,
  });
};
