import type { Address, Hex } from 'viem';
import type { Database } from '../../db/database.js';
import type { ChainClient } from '../network.js';
import type { Planned, Receipt, Sent, WalletRequest } from '../transaction/call.js';
import { receiptsOf } from '../transaction/receipt-wait.js';
import type { Sender } from '../transaction/sender.js';
import { hasTransferred, readSentToken, reasonOf } from './transfer.js';
import { type Payment, planTransfers } from './transfer-plan.js';

/** What became of one payment. */
export interface TransferOutcome {
  /** Why nothing was paid; undefined if it was paid, or handed to the chain. */
  readonly reason?: string;
  /** Undefined if nothing was sent. */
  readonly transaction?: {
    readonly hash: Hex;
    /** Undefined until it is mined. */
    readonly gasUsed: bigint | undefined;
  };
}

export interface TransferBatch extends WalletRequest {
  /** Contract of the token, lower case; undefined: the coin of the network. */
  readonly contract: Address | undefined;
  /** Member of the request with the contract, for errors. */
  readonly property: string;
  /** Up to 200. */
  readonly payments: readonly Payment[];
  /** How long to wait for blocks, in milliseconds. */
  readonly timeoutMs: number;
}

interface Dependencies {
  readonly db: Database;
  readonly sender: Sender;
  readonly client: ChainClient;
}

const outcomeOf = (
  { wallet, contract }: TransferBatch,
  { hash: sentHash }: Sent,
  receipt: Receipt | undefined,
): TransferOutcome => {
  if (!receipt) return { transaction: { hash: sentHash, gasUsed: undefined } };
  const { transactionHash: hash, gasUsed, status } = receipt;
  const transaction = { hash, gasUsed };
  if (status !== 'success') {
    return { reason: `Reverted: The transaction ${hash} was mined, but the contract refused it.`, transaction };
  }
  if (contract === undefined || hasTransferred(receipt, contract, wallet.address)) return { transaction };
  const reason = `Refused: The transaction ${hash} was mined, but the token recorded no usual transfer. Look at the transaction before you pay again.`;
  return { reason, transaction };
};

/**
 * Pays each recipient in a transaction of its own, in order. A payment that is not possible does not affect the others.
 * A repeated request with the same idempotency record pays nothing again, whatever addresses the accounts have by then:
 * the signed transactions of the first request are stored, and its outcomes are returned.
 * @returns in the order of the payments
 * @throws AppError invalid for a contract that is no ERC-20 token; what client and sender throw if the chain does not
 *   respond before the transactions are stored. Nothing was sent then
 */
export const transferBatch = async (
  { db, sender, client }: Dependencies,
  batch: TransferBatch,
): Promise<TransferOutcome[]> => {
  const { wallet, network, contract, property, payments, idempotencyRecord, timeoutMs } = batch;
  const plan = async (): Promise<Planned[]> => {
    const token = await readSentToken(client, contract, property);
    return planTransfers({ db, client }, { network, from: wallet.address, token, payments });
  };
  const outcomes = await sender.send(wallet, network, plan, { idempotencyRecord });
  const sent = outcomes.flatMap((outcome) => ('failure' in outcome ? [] : [outcome.id]));
  const receipts = await receiptsOf(sender, sent, timeoutMs);
  const byId = new Map(sent.map((id, index) => [id, receipts[index]]));
  return outcomes.map((outcome) =>
    'failure' in outcome ? { reason: reasonOf(outcome) } : outcomeOf(batch, outcome, byId.get(outcome.id)),
  );
};
