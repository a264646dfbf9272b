import type { Hex } from 'viem';
import type { Database } from '../../db/database.js';
import type { IdempotencyRecord } from '../../write/idempotency-record.js';
import type { ChainClient, Network } from '../network.js';
import type { Planned, Receipt, Sent } from '../transaction/call.js';
import { receiptsOf } from '../transaction/receipt-wait.js';
import type { Sender } from '../transaction/sender.js';
import type { UsableWallet } from '../transaction/wallet.js';
import { hasTransferred, reasonOf, type SentToken } from './transfer.js';
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

export interface TransferBatch {
  readonly wallet: UsableWallet;
  readonly network: Network;
  readonly token: SentToken;
  /** Up to 200. */
  readonly payments: readonly Payment[];
  readonly idempotencyRecord: IdempotencyRecord | undefined;
  /** How long to wait for blocks, in milliseconds. */
  readonly timeoutMs: number;
}

interface Dependencies {
  readonly db: Database;
  readonly sender: Sender;
  readonly client: ChainClient;
}

const outcomeOf = (
  { wallet, token: { contract } }: TransferBatch,
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
  return { reason: `Refused: The transaction ${hash} was mined, but the token recorded no transfer.`, transaction };
};

/**
 * Pays each recipient in a transaction of its own, in order. A payment that is not possible does not affect the others.
 * A repeated request with the same idempotency record pays nothing again, whatever addresses the accounts have by then:
 * the signed transactions of the first request are stored, and its outcomes are returned.
 * @returns in the order of the payments
 * @throws what client and sender throw if the chain does not respond; nothing was sent then
 */
export const transferBatch = async (
  { db, sender, client }: Dependencies,
  batch: TransferBatch,
): Promise<TransferOutcome[]> => {
  const { wallet, network, token, payments, idempotencyRecord, timeoutMs } = batch;
  const plan = (): Promise<Planned[]> =>
    planTransfers({ db, client }, { network, from: wallet.address, token, payments });
  const outcomes = await sender.send(wallet, network, plan, { idempotencyRecord });
  const sent = outcomes.flatMap((outcome) => ('failure' in outcome ? [] : [outcome.id]));
  const receipts = await receiptsOf(sender, sent, timeoutMs);
  const byId = new Map(sent.map((id, index) => [id, receipts[index]]));
  return outcomes.map((outcome) =>
    'failure' in outcome ? { reason: reasonOf(outcome) } : outcomeOf(batch, outcome, byId.get(outcome.id)),
  );
};
