import { bytesToHex } from 'viem';
import { selectAttempts } from '../store/chain-attempt.js';
import type { OpenTransaction } from '../store/chain-transaction.js';
import type { ChainParts } from './chain-parts.js';
import type { ChainClient } from './network.js';
import { mapInBatches } from './transaction/preparation.js';
import { findReceipt, keepReceipt } from './receipt.js';
import type { Receipt } from './transaction/sender.js';

const AT_ONCE = 25;

/** How open transactions of one wallet on one chain stand. */
export interface Standing {
  /** How many of the account's transactions are in blocks: the nonce of the next one to be mined. */
  readonly count: number;
  /** Of those that are mined, by id. */
  readonly receipts: ReadonlyMap<string, Receipt>;
  /** Those that are not, in the order of their nonces. */
  readonly open: readonly OpenTransaction[];
}

/**
 * Finds which transactions were mined, and keeps it. One call tells how far the account has come, so that what waits
 * costs nothing.
 * @param rows open ones of one wallet on one chain, in the order of their nonces
 */
export const settle = async (
  { db, clock }: Pick<ChainParts, 'db' | 'clock'>,
  client: ChainClient,
  rows: readonly OpenTransaction[],
): Promise<Standing> => {
  const [head] = rows;
  if (!head) return { count: 0, receipts: new Map(), open: [] };
  const count = await client.getTransactionCount({ address: bytesToHex(head.address), blockTag: 'latest' });
  const passed = rows.filter(({ nonce }) => nonce < count);
  const attempts = await selectAttempts(
    db,
    passed.map(({ id }) => id),
  );
  const receipts = new Map<string, Receipt>();
  await mapInBatches(passed, AT_ONCE, async ({ id }) => {
    const receipt = await findReceipt(client, attempts.get(id) ?? []);
    if (!receipt) return;
    await keepReceipt(db, id, receipt, new Date(clock()));
    receipts.set(id, receipt);
  });
  return { count, receipts, open: rows.filter(({ id }) => !receipts.has(id)) };
};
