import { bytesToHex } from 'viem';
import { selectAttempts } from '../../store/onchain/attempt.js';
import type { OpenTransaction } from '../../store/onchain/transaction.js';
import type { ChainClient } from '../network.js';
import type { Receipt } from './call.js';
import type { ChainDependencies } from './dependencies.js';
import { mapInBatches } from './preparation.js';
import { findReceipt, storeReceipt } from './receipt.js';

const CONCURRENCY = 25;

/** The open transactions of one wallet on one chain, compared with the chain. */
export interface AccountState {
  /** Number of the account's mined transactions, which is the nonce of the next one. */
  readonly count: number;
  /** Receipts of the mined transactions, by id. */
  readonly receipts: ReadonlyMap<string, Receipt>;
  /** The others, in nonce order. */
  readonly open: readonly OpenTransaction[];
}

/**
 * Stores which transactions were mined. One `eth_getTransactionCount` call per account is enough to skip those that are
 * still pending.
 * @param rows open transactions of one wallet on one chain, in nonce order
 */
export const confirmTransactions = async (
  { db, clock }: Pick<ChainDependencies, 'db' | 'clock'>,
  client: ChainClient,
  rows: readonly OpenTransaction[],
): Promise<AccountState> => {
  const [head] = rows;
  if (!head) return { count: 0, receipts: new Map(), open: [] };
  const count = await client.getTransactionCount({ address: bytesToHex(head.address), blockTag: 'latest' });
  const passed = rows.filter(({ nonce }) => nonce < count);
  const attempts = await selectAttempts(
    db,
    passed.map(({ id }) => id),
  );
  const receipts = new Map<string, Receipt>();
  await mapInBatches(passed, CONCURRENCY, async ({ id }) => {
    const receipt = await findReceipt(client, attempts.get(id) ?? []);
    if (!receipt) return;
    await storeReceipt(db, id, receipt, new Date(clock()));
    receipts.set(id, receipt);
  });
  return { count, receipts, open: rows.filter(({ id }) => !receipts.has(id)) };
};
