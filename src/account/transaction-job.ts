import { bytesToHex } from 'viem';
import type { Database } from '../db/database.js';
import { registryClient } from '../onchain/registry/contract.js';
import type { Sender } from '../onchain/transaction/sender.js';
import { updateTransactionsReopened } from '../store/onchain/transaction.js';
import {
  type OpenRegistryTransaction,
  selectOpenRegistryTransactions,
  updateRegistryTransaction,
} from '../store/registry/registry-transaction.js';
import { ingestReceipt, type LogIngestDependencies } from './receipt-ingest.js';

/** Transactions that are looked at in one round. */
const BATCH = 500;

interface Dependencies extends LogIngestDependencies {
  readonly db: Database;
  readonly sender: Sender;
  /** Called with the error of one transaction; the others go on, and it is tried again. */
  readonly report: (error: unknown) => void;
}

/**
 * Follows a transaction until its block is final. If a reorganization moves it to another block, its events are stored
 * again, and the store drops those of the former block; if it is in no block any more, it is broadcast again.
 * @param finalized number of the newest final block
 */
const followTransaction = async (
  deps: Dependencies,
  { transactionId, state, blockHash, isRefused }: OpenRegistryTransaction,
  finalized: bigint,
): Promise<void> => {
  const { db, sender } = deps;
  if (isRefused) return updateRegistryTransaction(db, transactionId, 'failed', null);
  const receipt = await sender.receipt(transactionId, 0);
  if (!receipt) {
    if (state === 'stored') await updateTransactionsReopened(db, [transactionId]);
    return;
  }
  const isSameBlock = blockHash !== null && receipt.blockHash === bytesToHex(blockHash);
  if (!isSameBlock) await ingestReceipt(deps, transactionId, receipt);
  else if (receipt.blockNumber <= finalized) await updateRegistryTransaction(db, transactionId, 'final', blockHash);
};

/**
 * Stores the events of transactions whose request or process ended before they were mined.
 * @returns whether some are not final yet
 */
export const followRegistryTransactions = async (deps: Dependencies, signal: AbortSignal): Promise<boolean> => {
  const open = await selectOpenRegistryTransactions(deps.db, BATCH);
  if (open.length === 0) return false;
  const { number: finalized } = await registryClient(deps.networks).getBlock({ blockTag: 'finalized' });
  for (const transaction of open) {
    signal.throwIfAborted();
    await followTransaction(deps, transaction, finalized ?? 0n).catch(deps.report);
  }
  return true;
};
